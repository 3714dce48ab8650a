#include "tensor/layout.hpp"

#include <fmt/core.h>

#include <stdexcept>

namespace attn {

std::size_t axis_index(const char* operation, const Shape& shape, int axis) {
  const auto rank = static_cast<long long>(shape.size());
  if (rank == 0) {
    throw std::invalid_argument(fmt::format(
        "{}: there is no axis {} in shape []: a single number has no axes, reshape it to [1] first", operation, axis));
  }
  const long long index = axis < 0 ? axis + rank : axis;
  if (index < 0 || index >= rank) {
    throw std::invalid_argument(
        fmt::format("{}: there is no axis {} in shape {}: axes go from 0 to {}, or from -1 to {}", operation, axis,
                    to_string(shape), rank - 1, -rank));
  }
  return static_cast<std::size_t>(index);
}

std::vector<std::size_t> row_major_strides(const Shape& shape) {
  std::vector<std::size_t> strides(shape.size());
  std::size_t stride = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = stride;
    stride *= shape[axis];
  }
  return strides;
}

std::vector<std::size_t> element_offsets(const Shape& shape, const std::vector<std::size_t>& strides) {
  if (element_count(shape) == 0) return {};
  std::vector<std::size_t> offsets{0};
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    std::vector<std::size_t> longer;
    longer.reserve(offsets.size() * shape[axis]);
    for (const std::size_t offset : offsets) {
      for (std::size_t i = 0; i < shape[axis]; ++i) longer.push_back(offset + i * strides[axis]);
    }
    offsets = std::move(longer);
  }
  return offsets;
}

std::vector<std::size_t> broadcast_offsets(const Shape& from, const Shape& to) {
  const std::vector<std::size_t> from_strides = row_major_strides(from);
  const std::size_t missing = to.size() - from.size();
  std::vector<std::size_t> strides(to.size(), 0);
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    if (from[axis] != 1) strides[missing + axis] = from_strides[axis];
  }
  return element_offsets(to, strides);
}

Index index_at(const Shape& shape, std::size_t offset) {
  Index index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = offset % shape[axis];
    offset /= shape[axis];
  }
  return index;
}

AlongAxis along_axis(const Shape& shape, std::size_t axis) {
  AlongAxis lines;
  for (std::size_t k = 0; k < axis; ++k) lines.before *= shape[k];
  lines.size = shape[axis];
  for (std::size_t k = axis + 1; k < shape.size(); ++k) lines.after *= shape[k];
  return lines;
}

}  // namespace attn
