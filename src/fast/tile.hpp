#pragma once

#include "fast/matrix.hpp"
#include "fast/vectors.hpp"

#include <cstddef>

namespace attn::fast {
namespace {

/// What fits in the registers: with 4 vectors of 16 floats the sums fill 24 of 32; 4 hold B, 1 holds a number of A.
inline constexpr std::size_t tile_rows = 6;
inline constexpr std::size_t tile_columns = tile_vectors * lanes;

/// B is asked for so many rows before its numbers are multiplied, while there is still time to fetch them: 1.08 times
/// as fast at 256 x 256 x 256. Not where a vector is less than a line of the cache (64 bytes): 0.82 times with AVX2.
inline constexpr std::size_t rows_ahead = lanes * sizeof(float) == 64 ? 4 : 0;

/// A narrower tile is taller: as many sums, so that the processor always has one to go on with while others wait. With
/// panels of equal width 1.15 times as fast at 100 x 77 x 53.
constexpr std::size_t rows_of_tile(std::size_t vectors) {
  return vectors < 2 ? 2 * tile_rows : tile_rows * tile_vectors / vectors;
}

/// C[rows x (vectors * lanes)] = A B, or C += A B where `add`: of all ideas here the one that gains most (lesson 25
/// measures it). Every sum stays in its register from the first k to the last, and each number that is read is used
/// `rows` or `vectors` times.
template <std::size_t rows, std::size_t vectors>
[[gnu::always_inline]] inline void multiply_tile(Matrix a, Matrix b, std::size_t depth, float* c, std::size_t c_row,
                                                 bool add) {
  Vector sums[rows][vectors] = {};
  for (std::size_t k = 0; k < depth; ++k, a.data += a.column, b.data += b.row) {
    if constexpr (rows_ahead > 0) {
      const float* const ahead = k + rows_ahead < depth ? b.data + rows_ahead * b.row : b.data;
      for (std::size_t v = 0; v < vectors; ++v) __builtin_prefetch(ahead + v * lanes);
    }
    Vector b_k[vectors];
    for (std::size_t v = 0; v < vectors; ++v) b_k[v] = load(b.data + v * lanes);
    //> vectors
    for (std::size_t i = 0; i < rows; ++i) {
      const float a_ik = *a.at(i, 0);
      for (std::size_t v = 0; v < vectors; ++v) sums[i][v] += a_ik * b_k[v];
    }
    //< vectors
  }
  // Unrolled, or the compiler would keep the sums in memory, to walk through them here.
  if (add) {
    const float* before = c;
#pragma GCC unroll 12
    for (std::size_t i = 0; i < rows; ++i, before += c_row) {
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors; ++v) sums[i][v] += load(before + v * lanes);
    }
  }
#pragma GCC unroll 12
  for (std::size_t i = 0; i < rows; ++i, c += c_row) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) store(c + v * lanes, sums[i][v]);
  }
}

/// A tile of `height` rows, at most `rows`. Always inline: a call costs up to 80 cycles, a tenth of a tile that is 64
/// deep.
template <std::size_t rows, std::size_t vectors>
[[gnu::always_inline]] inline void multiply_rows(std::size_t height, Matrix a, Matrix b, std::size_t depth, float* c,
                                                 std::size_t c_row, bool add) {
  if constexpr (rows > 1) {
    if (height < rows) return multiply_rows<rows - 1, vectors>(height, a, b, depth, c, c_row, add);
  }
  multiply_tile<rows, vectors>(a, b, depth, c, c_row, add);
}

/// Some rows of C by `width` vectors, at most `vectors`: tile below tile, of nearly equal height.
template <std::size_t vectors = tile_vectors>
void multiply_strip(Matrix a, Matrix b, std::size_t depth, std::size_t rows, std::size_t width, float* c,
                    std::size_t c_row, bool add) {
  if constexpr (vectors > 1) {
    if (width < vectors) return multiply_strip<vectors - 1>(a, b, depth, rows, width, c, c_row, add);
  }
  constexpr std::size_t tallest = rows_of_tile(vectors);
  for (std::size_t tiles = (rows + tallest - 1) / tallest; tiles > 0; --tiles) {
    const std::size_t height = rows / tiles;
    multiply_rows<tallest, vectors>(height, a, b, depth, c, c_row, add);
    a = a.from(height, 0);
    c += height * c_row;
    rows -= height;
  }
}

}  // namespace
}  // namespace attn::fast
