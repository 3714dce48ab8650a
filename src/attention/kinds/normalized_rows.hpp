#pragma once

#include "tensor/tensor.hpp"

#include <cstddef>

namespace attn {

// What layer_norm and rms_norm share: a tensor seen as rows that are normalized one by one.

/// Row r holds the numbers from r * size on.
struct NormalizedRows {
  std::size_t count = 1;
  std::size_t size = 1;
  Shape statistics_shape;  // one number per row: the normalized axes have size 1
};

/// The rows of a shape whose axes from `axis` on are normalized together. Throws std::invalid_argument, naming the
/// operation, when there is no such axis.
[[nodiscard]] NormalizedRows normalized_rows(const char* operation, const Shape& shape, int axis);

/// Throws std::invalid_argument, naming both shapes, unless `learned` broadcasts to x without making it larger.
void require_broadcasts_to(const char* operation, const char* name, const Shape& learned, const Shape& x);

/// Throws std::invalid_argument when epsilon is negative, infinite or no number.
void require_epsilon(const char* operation, double epsilon);

}  // namespace attn
