#include "tensor/softmax.hpp"

#include "fast/softmax.hpp"
#include "tensor/layout.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace attn {

namespace {

// One line of numbers along the axis: x[0], x[step], x[2 step], ...
struct Line {
  const float* x;
  float* result;
  std::size_t step;
};

template <typename Operation>
Tensor each_line(const char* name, const Tensor& a, int axis, Operation operation) {
  const AlongAxis lines = along_axis(a.shape(), axis_index(name, a.shape(), axis));
  Tensor result = a;
  if (result.size() == 0) return result;

  std::vector<double> shifted(lines.size);
  for (std::size_t b = 0; b < lines.before; ++b) {
    for (std::size_t c = 0; c < lines.after; ++c) {
      const std::size_t first = b * lines.size * lines.after + c;
      const Line line{.x = a.values().data() + first, .result = result.values().data() + first, .step = lines.after};

      double largest = -std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < lines.size; ++i) {
        if (line.x[i * line.step] > largest) largest = static_cast<double>(line.x[i * line.step]);
      }
      // Subtracting the largest cancels in the ratio and keeps exp() from overflowing. Where all are -inf,
      // -inf - -inf is NaN, and so is every weight.
      for (std::size_t i = 0; i < lines.size; ++i) {
        shifted[i] = static_cast<double>(line.x[i * line.step]) - largest;
      }
      operation(shifted, line);
    }
  }
  return result;
}

}  // namespace

Tensor softmax(const Tensor& a, int axis, const Compute& compute) {
  check_compute(compute);
  const bool along_rows = axis_index("softmax", a.shape(), axis) + 1 == a.rank();
  if (compute.kind == Matmul::blocked && along_rows && a.size() > 0) {
    Tensor weights(a.shape());
    fast::softmax(a.values().data(), a.size() / a.dim(-1), a.dim(-1), weights.values().data(), compute.threads);
    return weights;
  }
  return each_line("softmax", a, axis, [](std::vector<double>& e, const Line& line) {
    double sum = 0.0;
    for (double& x : e) {
      x = std::exp(x);
      sum += x;
    }
    for (std::size_t i = 0; i < e.size(); ++i) line.result[i * line.step] = static_cast<float>(e[i] / sum);
  });
}

Tensor log_softmax(const Tensor& a, int axis) {
  return each_line("log_softmax", a, axis, [](const std::vector<double>& shifted, const Line& line) {
    double sum = 0.0;
    for (const double x : shifted) sum += std::exp(x);
    const double log_sum = std::log(sum);
    for (std::size_t i = 0; i < shifted.size(); ++i) {
      line.result[i * line.step] = static_cast<float>(shifted[i] - log_sum);
    }
  });
}

}  // namespace attn
