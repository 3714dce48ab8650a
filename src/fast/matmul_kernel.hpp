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

/// One thread's product. `packed` has room for block_depth * block_columns floats.
inline void multiply(const Product& p, float* packed) {
  // Packing B costs a pass over it. It pays where its rows lie so far apart that each is a page of memory of its own
  // and many rows of A will read the copy. It must be where B's rows are no vectors side by side, or end within one...
  const bool whole_vectors = p.columns % lanes == 0 || (p.columns > tile_columns && p.depth <= block_depth);
  const bool pack_b = p.b.column != 1 || !whole_vectors || (p.rows > 64 && p.b.row > 512);

  for (std::size_t j0 = 0; j0 < p.columns; j0 += block_columns) {
    const std::size_t end = smaller(j0 + block_columns, p.columns);
    for (std::size_t k0 = 0; k0 < p.depth || k0 == 0; k0 += block_depth) {
      const std::size_t depth = smaller(block_depth, p.depth - k0);
      for (std::size_t i0 = 0; i0 < p.rows; i0 += block_rows) {
        const std::size_t rows = smaller(block_rows, p.rows - i0);
        std::size_t width = 0;
        for (std::size_t j = j0; j < end; j += width) {
          // Panels of nearly equal width, each of whole vectors.
          const std::size_t panels = (end - j + tile_columns - 1) / tile_columns;
          const std::size_t vectors = ((end - j + lanes - 1) / lanes + panels - 1) / panels;
          width = smaller(vectors * lanes, end - j);
          // ... but a row that ends within a vector can do without: the last panel begins so much earlier that it ends
          // there too, and computes some columns a second time, to the same numbers.
          const std::size_t first = pack_b ? j : j + width - vectors * lanes;

          float* const panel = packed + (j - j0) * block_depth;
          if (pack_b && i0 == 0) pack(p.b.from(k0, j), depth, width, vectors * lanes, panel, vectors * lanes);
          const Matrix a = p.a.from(i0, k0);
          const Matrix b = pack_b ? Matrix{panel, vectors * lanes, 1} : p.b.from(k0, first);
          float* const c = p.c + i0 * p.c_row + first;
          if (!pack_b || width % lanes == 0) {
            multiply_strip(a, b, depth, rows, vectors, c, p.c_row, k0 > 0);
            continue;
          }
          // A packed row ends within a vector: multiply beside C, and keep what belongs to it.
          float sums[block_rows * tile_columns];
          multiply_strip(a, b, depth, rows, vectors, sums, tile_columns, false);
          for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t l = 0; l < width; ++l) {
              float& c_il = c[i * p.c_row + l];
              c_il = k0 > 0 ? c_il + sums[i * tile_columns + l] : sums[i * tile_columns + l];
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace attn::fast
