#pragma once

#include "fast/matmul.hpp"
#include "fast/pack.hpp"
#include "fast/tile.hpp"

#include <cstddef>

namespace attn::fast {
namespace {

inline constexpr std::size_t block_depth = 512;    // a panel of B, 512 x 64 floats (128 KiB), is read from the L2 cache
inline constexpr std::size_t block_rows = 192;     // 192 x 512 floats of A (384 KiB) stay in the L2 cache beside it
inline constexpr std::size_t block_columns = 384;  // 512 x 384 floats of B (768 KiB) are packed at a time

/// Where a row of C ends within a vector: multiplied beside C, and what belongs to it kept.
inline void multiply_beside(Matrix a, Matrix b, std::size_t depth, std::size_t rows, std::size_t width, float* c,
                            std::size_t c_row, bool add) {
  float sums[block_rows * tile_columns];
  multiply_strip(a, b, depth, rows, (width + lanes - 1) / lanes, sums, tile_columns, /*add=*/false);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < width; ++j) {
      const float sum = sums[i * tile_columns + j];
      c[i * c_row + j] = add ? c[i * c_row + j] + sum : sum;
    }
  }
}

/// One thread's product. `packed` has room for block_depth * block_columns floats.
inline void multiply(const Product& p, float* packed) {
  // Packing B costs a pass over it. It pays where B's rows lie so far apart that each is on a page of memory of its own
  // and many rows of A will read the copy: 1.4 times as fast at 2048 x 2048 x 64. And where a large B is read for
  // several blocks of A, 1.2 times at 512 x 512 x 512 on a processor whose caches are slow beyond the L2. It must be
  // where B's rows are no numbers side by side, or end within a vector...
  const bool far_apart = p.rows > 64 && p.b.row > 512;
  const bool large = p.rows > 2 * block_rows && p.depth * p.b.row >= block_depth * block_columns;
  const bool whole_vectors = p.columns % lanes == 0 || (p.columns > tile_columns && p.depth <= block_depth);
  const bool pack_b = p.b.column != 1 || !whole_vectors || far_apart || large;

  for (std::size_t j0 = 0; j0 < p.columns; j0 += block_columns) {
    const std::size_t end = smaller(j0 + block_columns, p.columns);
    for (std::size_t k0 = 0; k0 < p.depth || k0 == 0; k0 += block_depth) {
      const std::size_t depth = smaller(block_depth, p.depth - k0);
      for (std::size_t i0 = 0; i0 < p.rows; i0 += block_rows) {
        const std::size_t rows = smaller(block_rows, p.rows - i0);
        for (std::size_t j = j0, width = 0; j < end; j += width) {
          // Panels of B of nearly equal width, at most a tile's.
          const std::size_t panels = (end - j + tile_columns - 1) / tile_columns;
          const std::size_t vectors = ((end - j + lanes - 1) / lanes + panels - 1) / panels;
          width = smaller(vectors * lanes, end - j);
          // ... but a row that ends within a vector can do without: the last panel begins so much earlier that it ends
          // there too, and computes some columns a second time, to the same numbers. 1.1 times at 100 x 77 x 53.
          const std::size_t first = pack_b ? j : j + width - vectors * lanes;

          float* const panel = packed + (j - j0) * block_depth;
          if (pack_b && i0 == 0) pack(p.b.from(k0, j), depth, width, vectors * lanes, panel, vectors * lanes);
          const Matrix a = p.a.from(i0, k0);
          const Matrix b = pack_b ? Matrix{panel, vectors * lanes, 1} : p.b.from(k0, first);
          float* const c = p.c + i0 * p.c_row + first;
          if (pack_b && width % lanes != 0) {
            multiply_beside(a, b, depth, rows, width, c, p.c_row, k0 > 0);
          } else {
            multiply_strip(a, b, depth, rows, vectors, c, p.c_row, k0 > 0);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace attn::fast
