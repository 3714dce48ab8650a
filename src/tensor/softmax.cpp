#include "tensor/softmax.hpp"

#include "tensor/layout.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace attn {

Tensor softmax(const Tensor& a, int axis) {
  const AlongAxis lines = along_axis(a.shape(), axis_index("softmax", a.shape(), axis));
  Tensor weights = a;
  if (weights.size() == 0) return weights;

  std::vector<double> e(lines.size);
  for (std::size_t b = 0; b < lines.before; ++b) {
    for (std::size_t c = 0; c < lines.after; ++c) {
      const std::size_t first = b * lines.size * lines.after + c;
      const float* x = a.values().data() + first;  // x[i * after] is number i of this line
      float* weight = weights.values().data() + first;

      double largest = -std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < lines.size; ++i) {
        if (x[i * lines.after] > largest) largest = static_cast<double>(x[i * lines.after]);
      }
      // Subtracting the largest cancels in the ratio and keeps exp() from overflowing. Where all are -inf,
      // -inf - -inf is NaN, and so is every weight.
      double sum = 0.0;
      for (std::size_t i = 0; i < lines.size; ++i) {
        e[i] = std::exp(static_cast<double>(x[i * lines.after]) - largest);
        sum += e[i];
      }
      for (std::size_t i = 0; i < lines.size; ++i) weight[i * lines.after] = static_cast<float>(e[i] / sum);
    }
  }
  return weights;
}

}  // namespace attn
