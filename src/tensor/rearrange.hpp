#pragma once

#include "tensor/tensor.hpp"

#include <cstddef>
#include <vector>

namespace attn {

// The same numbers in another place or another form. Nothing here computes.
// A negative axis counts from the end. Every function throws std::invalid_argument, naming itself, the shapes and a
// likely cause, when shapes or axes do not fit.

/// The same numbers, in the same row-major order, under another shape of the same size.
[[nodiscard]] Tensor reshape(const Tensor& a, const Shape& shape);

/// Axes in another order: result axis k is axis `order[k]` of a. permute(a, {0, 2, 1, 3}) swaps the middle two.
[[nodiscard]] Tensor permute(const Tensor& a, const std::vector<int>& order);

/// The last two axes swapped: [.., m, n] -> [.., n, m]. Rank 2 or more.
[[nodiscard]] Tensor transpose(const Tensor& a);

/// The part of a with start <= index < stop along one axis. All axes stay.
[[nodiscard]] Tensor slice(const Tensor& a, int axis, std::size_t start, std::size_t stop);

/// Joined along one axis; all other sizes must agree. Throws when there is nothing to join.
[[nodiscard]] Tensor concat(const std::vector<Tensor>& parts, int axis);

}  // namespace attn
