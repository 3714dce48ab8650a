#include "tensor/rearrange.hpp"

#include "tensor/layout.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace attn {

Tensor reshape(const Tensor& a, const Shape& shape) {
  const std::size_t count = element_count(shape);
  if (count != a.size()) {
    throw std::invalid_argument(fmt::format(
        "reshape: {} holds {} numbers and {} holds {}: reshape keeps every number, so both products must be equal",
        to_string(a.shape()), a.size(), to_string(shape), count));
  }
  return Tensor(shape, a.values());
}

Tensor permute(const Tensor& a, const std::vector<int>& order) {
  std::vector<std::size_t> axes;
  std::string written;
  for (const int axis : order) {
    axes.push_back(axis_index("permute", a.shape(), axis));
    written += fmt::format("{}{}", written.empty() ? "" : ", ", axis);
  }
  std::vector<std::size_t> sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  const bool repeats = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
  if (repeats || axes.size() != a.rank()) {
    throw std::invalid_argument(
        fmt::format("permute: the order ({}) does not fit shape {}: name each of its {} axes once", written,
                    to_string(a.shape()), a.rank()));
  }

  const std::vector<std::size_t> a_strides = row_major_strides(a.shape());
  Shape shape;
  std::vector<std::size_t> strides;
  for (const std::size_t axis : axes) {
    shape.push_back(a.shape()[axis]);
    strides.push_back(a_strides[axis]);
  }
  std::vector<float> values;
  values.reserve(a.size());
  for (const std::size_t offset : element_offsets(shape, strides)) values.push_back(a.values()[offset]);
  return Tensor(std::move(shape), std::move(values));
}

Tensor transpose(const Tensor& a) {
  if (a.rank() < 2) {
    throw std::invalid_argument(
        fmt::format("transpose: a is {} and has no two axes to swap: reshape a vector to [n, 1] or [1, n] first",
                    to_string(a.shape())));
  }
  std::vector<int> order;
  for (std::size_t axis = 0; axis < a.rank(); ++axis) order.push_back(static_cast<int>(axis));
  std::swap(order[a.rank() - 2], order[a.rank() - 1]);
  return permute(a, order);
}

Tensor slice(const Tensor& a, int axis, std::size_t start, std::size_t stop) {
  const std::size_t which = axis_index("slice", a.shape(), axis);
  const AlongAxis lines = along_axis(a.shape(), which);
  if (start > stop || stop > lines.size) {
    const std::string hint = start > stop ? std::string("start is past stop, are they swapped?")
                                          : fmt::format("stop can be at most {}", lines.size);
    throw std::invalid_argument(fmt::format("slice: from {} to {} does not fit axis {} of {}: {}", start, stop, axis,
                                            to_string(a.shape()), hint));
  }

  Shape shape = a.shape();
  shape[which] = stop - start;
  Tensor part(shape);
  if (part.size() == 0) return part;
  auto to = part.values().begin();
  for (std::size_t b = 0; b < lines.before; ++b) {
    const float* line = a.values().data() + b * lines.size * lines.after;
    to = std::copy(line + start * lines.after, line + stop * lines.after, to);
  }
  return part;
}

Tensor concat(const std::vector<Tensor>& parts, int axis) {
  if (parts.empty()) {
    throw std::invalid_argument("concat: there is nothing to join: give at least one tensor");
  }
  const Shape& first = parts.front().shape();
  const std::size_t which = axis_index("concat", first, axis);

  Shape shape = first;
  shape[which] = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    Shape expected = parts[p].shape();
    if (expected.size() == first.size()) expected[which] = first[which];
    if (expected != first) {
      throw std::invalid_argument(
          fmt::format("concat: part 0 is {} and part {} is {}: only axis {} may differ, is it the axis that you meant?",
                      to_string(first), p, to_string(parts[p].shape()), axis));
    }
    shape[which] += parts[p].shape()[which];
  }

  Tensor joined(shape);
  if (joined.size() == 0) return joined;
  auto to = joined.values().begin();
  for (std::size_t b = 0; b < along_axis(shape, which).before; ++b) {
    for (const Tensor& part : parts) {
      const AlongAxis lines = along_axis(part.shape(), which);
      const float* line = part.values().data() + b * lines.size * lines.after;
      to = std::copy(line, line + lines.size * lines.after, to);
    }
  }
  return joined;
}

}  // namespace attn
