#pragma once

#include <cstddef>

namespace attn::fast {

/// A matrix in somebody's memory, to be read: element (i, j) is data[i * row + j * column].
struct Matrix {
  const float* data = nullptr;
  std::size_t row = 0;
  std::size_t column = 1;

  [[nodiscard]] const float* at(std::size_t i, std::size_t j) const { return data + i * row + j * column; }
  /// What remains from row i and column j on.
  [[nodiscard]] Matrix from(std::size_t i, std::size_t j) const { return {at(i, j), row, column}; }
  /// The same memory, read the other way.
  [[nodiscard]] Matrix transposed() const { return {data, column, row}; }
};

}  // namespace attn::fast
