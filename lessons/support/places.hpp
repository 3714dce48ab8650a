#pragma once

#include "tensor/tensor.hpp"

#include <cstddef>

namespace attn {

// Where numbers go when they are only moved: fill a tensor with its own places, move them, and read where they are.

/// 0, 1, 2, ... in row-major order.
[[nodiscard]] Tensor places(const Shape& shape);

/// How many elements differ. Throws std::invalid_argument, naming both shapes, when they do.
[[nodiscard]] std::size_t count_of_different(const Tensor& a, const Tensor& b);

/// How many elements are exactly 0.
[[nodiscard]] std::size_t count_of_zeros(const Tensor& a);

}  // namespace attn
