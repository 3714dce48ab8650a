#pragma once

#include "tensor/tensor.hpp"

#include <cstddef>
#include <vector>

namespace attn {

// How a shape lies in the flat, row-major list of numbers behind a tensor.

/// The axis that `axis` names: itself, or counted from the end when negative (-1 is the last).
/// Throws std::invalid_argument, naming the operation and the shape, when there is no such axis.
[[nodiscard]] std::size_t axis_index(const char* operation, const Shape& shape, int axis);

/// How far apart two neighbours along each axis lie: [2, 3, 5] has strides 15, 5, 1.
[[nodiscard]] std::vector<std::size_t> row_major_strides(const Shape& shape);

/// Where each element lies, in row-major order of `shape`, when one step along axis k moves by strides[k].
/// A stride of 0 repeats: that is all there is to broadcasting.
[[nodiscard]] std::vector<std::size_t> element_offsets(const Shape& shape, const std::vector<std::size_t>& strides);

/// The same for an operand of shape `from` that broadcasts to `to`: axes of size 1, and missing ones, repeat.
[[nodiscard]] std::vector<std::size_t> broadcast_offsets(const Shape& from, const Shape& to);

/// The place of the element at `offset`: the way back from the flat list to an index.
[[nodiscard]] Index index_at(const Shape& shape, std::size_t offset);

/// A shape seen from one of its axes: [before, size, after], the axes on either side multiplied together.
/// Number k of the line (b, c) along the axis lies at (b * size + k) * after + c.
struct AlongAxis {
  std::size_t before = 1;
  std::size_t size = 1;
  std::size_t after = 1;
};

[[nodiscard]] AlongAxis along_axis(const Shape& shape, std::size_t axis);

}  // namespace attn
