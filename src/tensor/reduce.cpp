#include "tensor/reduce.hpp"

#include "tensor/layout.hpp"

#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace attn {

namespace {

// One line of numbers along the axis: values[first], values[first + step], ...
struct Line {
  std::size_t first;
  std::size_t step;
  std::size_t size;
};

// Folds every line into one number, fold(values, line).
template <typename Fold>
Tensor fold_axis(const char* operation, const Tensor& a, int axis, Fold fold) {
  const std::size_t which = axis_index(operation, a.shape(), axis);
  const AlongAxis lines = along_axis(a.shape(), which);
  Shape shape = a.shape();
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(which));
  Tensor result(shape);
  if (result.size() == 0) return result;
  for (std::size_t b = 0; b < lines.before; ++b) {
    for (std::size_t c = 0; c < lines.after; ++c) {
      const Line line{.first = b * lines.size * lines.after + c, .step = lines.after, .size = lines.size};
      result.values()[b * lines.after + c] = static_cast<float>(fold(a.values(), line));
    }
  }
  return result;
}

double sum_of(const std::vector<float>& values, Line line) {
  double sum = 0.0;
  for (std::size_t k = 0; k < line.size; ++k) sum += static_cast<double>(values[line.first + k * line.step]);
  return sum;
}

double mean_of(const std::vector<float>& values, Line line) {
  return sum_of(values, line) / static_cast<double>(line.size);
}

double max_of(const std::vector<float>& values, Line line) {
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < line.size; ++k) {
    const auto x = static_cast<double>(values[line.first + k * line.step]);
    if (std::isnan(x)) return x;
    if (x > largest) largest = x;
  }
  return largest;
}

}  // namespace

Tensor sum(const Tensor& a, int axis) {
  return fold_axis("sum", a, axis, sum_of);
}

Tensor mean(const Tensor& a, int axis) {
  return fold_axis("mean", a, axis, mean_of);
}

Tensor max(const Tensor& a, int axis) {
  if (a.shape()[axis_index("max", a.shape(), axis)] == 0) {
    throw std::invalid_argument(
        fmt::format("max: axis {} of {} holds no numbers, so none is the largest: is it the axis that you meant?", axis,
                    to_string(a.shape())));
  }
  return fold_axis("max", a, axis, max_of);
}

}  // namespace attn
