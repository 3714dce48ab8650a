#include "lessons/checker/ops.hpp"

#include <cmath>

namespace checker {

Expected matmul(const Array& a, const Array& b, bool transposed) {
  require(a.rank() >= 2 && b.rank() >= 2, "no matrix product of {} and {}", a.shape, b.shape);
  const Shape a_batches(a.shape.begin(), a.shape.end() - 2);
  const Shape b_batches(b.shape.begin(), b.shape.end() - 2);
  const Shape batches = broadcast(a_batches, b_batches);
  const std::size_t n = a.shape[a.rank() - 2];
  const std::size_t inner = a.shape[a.rank() - 1];
  const std::size_t m = b.shape[b.rank() - (transposed ? 2 : 1)];
  require(inner == b.shape[b.rank() - (transposed ? 1 : 2)], "no matrix product of {} and {}", a.shape, b.shape);
  Shape shape = batches;
  shape.push_back(n);
  shape.push_back(m);
  Expected expected(shape);
  for (std::size_t batch = 0; batch < count_of(batches); ++batch) {
    const std::size_t of_a = partner(batch, batches, a_batches);
    const std::size_t of_b = partner(batch, batches, b_batches);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < m; ++j) {
        double sum = 0.0;
        double size = 0.0;
        for (std::size_t k = 0; k < inner; ++k) {
          const double x = a.values[(of_a * n + i) * inner + k];
          const double y = b.values[of_b * inner * m + (transposed ? j * inner + k : k * m + j)];
          sum += x * y;
          size += std::abs(x * y);
        }
        expected.computed(sum, size);
      }
    }
  }
  return expected;
}

Expected linear(const Step& step) {
  const Array& x = *step.inputs[0];
  const Array& weight = *step.inputs[1];
  require(x.rank() >= 1 && weight.rank() == 2 && x.shape.back() == weight.shape[1], "no linear map of {} by {}",
          x.shape, weight.shape);
  const bool has_bias = step.inputs.size() == 3;
  const std::size_t in = weight.shape[1];
  const std::size_t out = weight.shape[0];
  if (has_bias) require(step.inputs[2]->shape == Shape{out}, "the bias is {}, not [{}]", step.inputs[2]->shape, out);
  Shape shape = x.shape;
  shape.back() = out;
  Expected expected(shape);
  for (std::size_t row = 0; row * out < count_of(shape); ++row) {
    for (std::size_t j = 0; j < out; ++j) {
      double sum = has_bias ? step.inputs[2]->values[j] : 0.0;
      double size = std::abs(sum);
      for (std::size_t k = 0; k < in; ++k) {
        const double product = x.values[row * in + k] * weight.values[j * in + k];
        sum += product;
        size += std::abs(product);
      }
      expected.computed(sum, size);
    }
  }
  return expected;
}

}  // namespace checker
