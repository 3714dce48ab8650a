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
  // Whole vectors go first: row by row, or where columns lie side by side, square by square.
  const std::size_t whole = columns / lanes * lanes;
  std::size_t done = 0;
  for (; done < rows && from.column == 1; ++done) {
    for (std::size_t j = 0; j < whole; j += lanes) store(to + done * to_row + j, load(from.at(done, j)));
  }
  for (; done + lanes <= rows && from.row == 1; done += lanes) {
    for (std::size_t j = 0; j < whole; j += lanes) {
      transpose_square(from.from(done, j).transposed(), to + done * to_row + j, to_row);
    }
  }
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = i < done ? whole : 0; j < width; ++j) to[i * to_row + j] = j < columns ? *from.at(i, j) : 0.0F;
  }
}

}  // namespace
}  // namespace attn::fast
