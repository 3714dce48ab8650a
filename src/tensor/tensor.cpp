#include "tensor/tensor.hpp"

#include "tensor/layout.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace attn {

namespace {

// No machine has memory for more: a list of floats may take half of all addresses.
constexpr std::size_t most_elements = std::numeric_limits<std::size_t>::max() / 2 / sizeof(float);

[[nodiscard]] bool inside(const Shape& shape, const std::size_t* index, std::size_t rank) {
  if (rank != shape.size()) return false;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (index[axis] >= shape[axis]) return false;
  }
  return true;
}

// A negative index arrives as an enormous one; the message shows what was written.
[[nodiscard]] std::string written(const std::size_t* index, std::size_t rank) {
  std::string text;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (axis > 0) text += ", ";
    text += fmt::format("{}", static_cast<std::ptrdiff_t>(index[axis]));
  }
  return text;
}

[[nodiscard]] std::size_t checked_offset(const Shape& shape, const std::size_t* index, std::size_t rank) {
  if (!inside(shape, index, rank)) {
    const std::string hint = rank != shape.size()
                                 ? fmt::format("give one index per axis, {} here and not {}", shape.size(), rank)
                                 : std::string("indices start at 0 and stay below the axis' size");
    throw std::out_of_range(
        fmt::format("tensor: there is no element ({}) in shape {}: {}", written(index, rank), to_string(shape), hint));
  }
  std::size_t offset = 0;
  for (std::size_t axis = 0; axis < rank; ++axis) offset = offset * shape[axis] + index[axis];
  return offset;
}

}  // namespace

std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (axis > 0) text += ", ";
    text += std::to_string(shape[axis]);
  }
  return text + "]";
}

std::size_t element_count(const Shape& shape) {
  if (std::find(shape.begin(), shape.end(), std::size_t{0}) != shape.end()) return 0;
  std::size_t count = 1;
  for (const std::size_t size : shape) {
    if (size > most_elements / count) {
      throw std::invalid_argument(
          fmt::format("tensor: shape {} holds more numbers than any memory: look for a negative size or a wrong factor",
                      to_string(shape)));
    }
    count *= size;
  }
  return count;
}

Tensor::Tensor() : values_(1, 0.0F) {}

Tensor::Tensor(Shape shape, float fill) : shape_(std::move(shape)), values_(element_count(shape_), fill) {}

Tensor::Tensor(Shape shape, std::vector<float> values) : shape_(std::move(shape)), values_(std::move(values)) {
  const std::size_t count = element_count(shape_);
  if (values_.size() != count) {
    throw std::invalid_argument(fmt::format("tensor: shape {} holds {} numbers, but {} were given: {}",
                                            to_string(shape_), count, values_.size(),
                                            values_.size() < count ? "some are missing" : "some are left over"));
  }
}

Tensor Tensor::matrix(std::initializer_list<std::initializer_list<float>> rows) {
  const std::size_t columns = rows.size() == 0 ? 0 : rows.begin()->size();
  std::vector<float> values;
  values.reserve(rows.size() * columns);
  std::size_t row_number = 0;
  for (const std::initializer_list<float>& row : rows) {
    if (row.size() != columns) {
      throw std::invalid_argument(
          fmt::format("tensor: row {} of the matrix has {} numbers and row 0 has {}: every row needs the same length",
                      row_number, row.size(), columns));
    }
    values.insert(values.end(), row.begin(), row.end());
    ++row_number;
  }
  return Tensor({rows.size(), columns}, std::move(values));
}

Tensor Tensor::vector(std::initializer_list<float> values) {
  return Tensor({values.size()}, std::vector<float>(values));
}

std::size_t Tensor::dim(int axis) const {
  return shape_[axis_index("tensor", shape_, axis)];
}

float Tensor::at(const Index& index) const {
  return values_[checked_offset(shape_, index.data(), index.size())];
}

float& Tensor::at(const Index& index) {
  return values_[checked_offset(shape_, index.data(), index.size())];
}

std::size_t Tensor::offset(std::initializer_list<std::size_t> index) const {
  return checked_offset(shape_, index.begin(), index.size());
}

}  // namespace attn
