#pragma once

#include "fast/matrix.hpp"
#include "fast/vectors.hpp"

#include <cstddef>
#include <utility>

namespace attn::fast {
namespace {

/// Row k of the square becomes column k: each round interleaves row i with row i + lanes / 2, and after log2(lanes)
/// rounds rows and columns have changed places.
inline void transpose_square(const Matrix& from, float* to, std::size_t to_row) {
  constexpr auto all = std::make_integer_sequence<int, static_cast<int>(lanes)>();
  Vector rows[lanes];
  for (std::size_t i = 0; i < lanes; ++i) rows[i] = load(from.at(i, 0));
  for (std::size_t round = 1; round < lanes; round *= 2) {
    Vector mixed[lanes];
    for (std::size_t i = 0; i < lanes / 2; ++i) {
      mixed[2 * i] = interleave<0>(rows[i], rows[i + lanes / 2], all);
      mixed[2 * i + 1] = interleave<1>(rows[i], rows[i + lanes / 2], all);
    }
    for (std::size_t i = 0; i < lanes; ++i) rows[i] = mixed[i];
  }
  for (std::size_t i = 0; i < lanes; ++i) store(to + i * to_row, rows[i]);
}

/// Copies a matrix so that the numbers of a row lie side by side and rows are to_row apart; each row is filled up with
/// zeros to `width` numbers. What reads the copy goes through memory from one end to the other.
inline void pack(const Matrix& from, std::size_t rows, std::size_t columns, std::size_t width, float* to,
                 std::size_t to_row) {
  std::size_t whole = 0;  // columns that are copied a vector at a time
  for (; whole + lanes <= columns && (from.column == 1 || from.row == 1); whole += lanes) {
    std::size_t i = 0;
    if (from.column == 1) {
      for (; i < rows; ++i) store(to + i * to_row + whole, load(from.at(i, whole)));
    }
    for (; i + lanes <= rows; i += lanes) {  // columns lie side by side: square by square
      transpose_square(from.from(i, whole).transposed(), to + i * to_row + whole, to_row);
    }
    for (; i < rows; ++i) {
      for (std::size_t j = whole; j < whole + lanes; ++j) to[i * to_row + j] = *from.at(i, j);
    }
  }
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = whole; j < width; ++j) to[i * to_row + j] = j < columns ? *from.at(i, j) : 0.0F;
  }
}

}  // namespace
}  // namespace attn::fast
