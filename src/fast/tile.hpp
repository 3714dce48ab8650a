#pragma once

#include "fast/matrix.hpp"
#include "fast/vectors.hpp"

#include <cstddef>

namespace attn::fast {
namespace {

/// What fits in the registers: with 4 vectors of 16 floats the sums fill 24 of 32; 4 hold B, 1 holds a number of A.
inline constexpr std::size_t tile_rows = 6;
inline constexpr std::size_t tile_columns = tile_vectors * lanes;

/// A narrower tile is taller: as many sums, so that the processor always has one to go on with while others wait.
constexpr std::size_t rows_of_tile(std::size_t vectors) {
  return vectors < 2 ? 2 * tile_rows : tile_rows * tile_vectors / vectors;
}

/// C[rows x (vectors * lanes)] = A B, or C += A B where `add`. Every sum stays in its register from the first k to the
/// last, and each number that is read is used `rows` or `vectors` times.
template <std::size_t rows, std::size_t vectors>
void multiply_tile(Matrix a, Matrix b, std::size_t depth, float* c, std::size_t c_row, bool add) {
  Vector sums[rows][vectors] = {};
  for (std::size_t k = 0; k < depth; ++k, a.data += a.column, b.data += b.row) {
    Vector b_k[vectors];
    for (std::size_t v = 0; v < vectors; ++v) b_k[v] = load(b.data + v * lanes);
    //> vectors
    for (std::size_t i = 0; i < rows; ++i) {
      const float a_ik = *a.at(i, 0);
      for (std::size_t v = 0; v < vectors; ++v) sums[i][v] += a_ik * b_k[v];
    }
    //< vectors
  }
#pragma GCC unroll 12  // or the compiler keeps the sums in memory, to walk through them here
  for (std::size_t i = 0; i < rows; ++i) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) {
      float* const c_iv = c + i * c_row + v * lanes;
      store(c_iv, add ? load(c_iv) + sums[i][v] : sums[i][v]);
    }
  }
}

using Tile = void (*)(Matrix a, Matrix b, std::size_t depth, float* c, std::size_t c_row, bool add);

/// multiply_tile for every size of a tile: what is left at an edge gets a smaller one.
template <std::size_t rows, std::size_t vectors>
Tile tile_for(std::size_t wanted_rows, std::size_t wanted_vectors) {
  if constexpr (vectors > 1) {
    if (wanted_vectors < vectors) {
      return tile_for<rows_of_tile(vectors - 1), vectors - 1>(wanted_rows, wanted_vectors);
    }
  }
  if constexpr (rows > 1) {
    if (wanted_rows < rows) return tile_for<rows - 1, vectors>(wanted_rows, wanted_vectors);
  }
  return multiply_tile<rows, vectors>;
}

/// Some rows of C by one tile's width, or less: tile below tile, of nearly equal height.
inline void multiply_strip(Matrix a, Matrix b, std::size_t depth, std::size_t rows, std::size_t vectors, float* c,
                           std::size_t c_row, bool add) {
  const std::size_t tallest = rows_of_tile(vectors);
  for (std::size_t tiles = (rows + tallest - 1) / tallest; tiles > 0; --tiles) {
    const std::size_t height = rows / tiles;
    tile_for<tile_rows, tile_vectors>(height, vectors)(a, b, depth, c, c_row, add);
    a = a.from(height, 0);
    c += height * c_row;
    rows -= height;
  }
}

}  // namespace
}  // namespace attn::fast
