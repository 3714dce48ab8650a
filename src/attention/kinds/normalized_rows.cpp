#include "attention/kinds/normalized_rows.hpp"

#include "tensor/layout.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

namespace attn {

NormalizedRows normalized_rows(const char* operation, const Shape& shape, int axis) {
  const std::size_t first = axis_index(operation, shape, axis);
  NormalizedRows rows{.statistics_shape = shape};
  for (std::size_t k = 0; k < first; ++k) rows.count *= shape[k];
  for (std::size_t k = first; k < shape.size(); ++k) {
    rows.size *= shape[k];
    rows.statistics_shape[k] = 1;
  }
  return rows;
}

void require_broadcasts_to(const char* operation, const char* name, const Shape& learned, const Shape& x) {
  bool fits = learned.size() <= x.size();
  for (std::size_t from_right = 1; fits && from_right <= learned.size(); ++from_right) {
    const std::size_t size = learned[learned.size() - from_right];
    fits = size == 1 || size == x[x.size() - from_right];
  }
  if (fits) return;
  throw std::invalid_argument(fmt::format(
      "{}: {} is {} and x is {}: {} must broadcast to x, mostly one number for each of its {} channels: [{}]",
      operation, name, to_string(learned), to_string(x), name, x.back(), x.back()));
}

void require_epsilon(const char* operation, double epsilon) {
  if (epsilon >= 0.0 && std::isfinite(epsilon)) return;
  throw std::invalid_argument(
      fmt::format("{}: epsilon must be 0 or a little more, not {}: try 1e-05", operation, epsilon));
}

}  // namespace attn
