#pragma once

#include "fast/matmul.hpp"
#include "fast/pack.hpp"
#include "fast/tile.hpp"

#include <cstddef>

namespace attn::fast {
namespace {

inline constexpr std::size_t block_depth = 512;    // a panel of B, 512 x 64 floats, is read from the L2 cache
inline constexpr std::size_t block_rows = 96;      // 96 x 512 floats of A stay in the L2 cache beside it
inline constexpr std::size_t block_columns = 512;  // packed at a time: 512 x 512 floats, 1 MiB

/// One thread's product. `packed` has room for block_depth * block_columns floats.
inline void multiply(const Product& p, float* packed) {
  // Packing costs a pass over B. It pays when many rows of A will read the copy, and where B's rows are not whole
  // vectors side by side.
  const bool pack_b = p.rows > 64 || p.b.column != 1 || p.columns % lanes != 0;

  for (std::size_t j0 = 0; j0 < p.columns; j0 += block_columns) {
    for (std::size_t k0 = 0; k0 < p.depth || k0 == 0; k0 += block_depth) {
      const std::size_t depth = smaller(block_depth, p.depth - k0);
      for (std::size_t i0 = 0; i0 < p.rows; i0 += block_rows) {
        const std::size_t rows = smaller(block_rows, p.rows - i0);
        const std::size_t end = smaller(j0 + block_columns, p.columns);
        for (std::size_t j = j0; j < end; j += tile_columns) {
          const std::size_t width = smaller(tile_columns, end - j);
          const std::size_t vectors = (width + lanes - 1) / lanes;
          float* const panel = packed + (j - j0) * block_depth;
          if (pack_b && i0 == 0) pack(p.b.from(k0, j), depth, width, vectors * lanes, panel, tile_columns);

          const Matrix a = p.a.from(i0, k0);
          const Matrix b = pack_b ? Matrix{panel, tile_columns, 1} : p.b.from(k0, j);
          float* const c = p.c + i0 * p.c_row + j;
          if (width % lanes == 0) {
            multiply_strip(a, b, depth, rows, vectors, c, p.c_row, k0 > 0);
            continue;
          }
          // A row of C ends within a vector: multiply beside it, and keep what belongs to it.
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
