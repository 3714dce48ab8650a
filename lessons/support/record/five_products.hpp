#pragma once

// The product C = A B in five ways. Each changes one thing in the way before: the order of the loops, blocks, sums in
// registers, a copy of the block. The sixth and the seventh are src/fast, with vectors and threads.
//
// What a matrix is read through is a template argument, so that the very loops that are timed on floats are counted on
// numbers that note each access (watched_floats.hpp). All ways add to C, which is 0 when they begin.
//
// Sources: Goto and van de Geijn 2008, "Anatomy of High-Performance Matrix Multiplication"; Van Zee and van de Geijn
// 2015, "BLIS: A Framework for Rapidly Instantiating BLAS Functionality".

#include <algorithm>
#include <cstddef>

namespace attn {

/// A matrix in memory, row after row: number (i, j) is cells[i * row + j].
template <typename Cells>
struct Grid {
  Cells cells;
  std::size_t row = 0;

  decltype(auto) operator()(std::size_t i, std::size_t j) const { return cells[i * row + j]; }
  /// What remains from row i and column j on.
  [[nodiscard]] Grid from(std::size_t i, std::size_t j) const { return {cells + (i * row + j), row}; }
};

/// A [rows, depth], B [depth, columns], C [rows, columns].
struct ProductSizes {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t depth = 0;
};

/// How much of B is multiplied before the next part of it is read.
struct BlockSizes {
  std::size_t columns = 0;
  std::size_t depth = 0;
};

/// 1. As the formula says it: number by number of C, each a row of A times a column of B.
template <typename In, typename Out>
void product_ijk(Grid<In> a, Grid<In> b, Grid<Out> c, const ProductSizes& sizes) {
  const auto [rows, columns, depth] = sizes;
  //> ijk
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t k = 0; k < depth; ++k) {
        const float a_ik = a(i, k);
        c(i, j) += a_ik * b(k, j);
      }
  //< ijk
}

/// 2. The two inner loops change places: B and C are read along their rows.
/// Blocks call it too, so it stays a function: compiled into their loops it would be another one.
template <typename In, typename Out>
[[gnu::noinline]] void product_ikj(Grid<In> a, Grid<In> b, Grid<Out> c, const ProductSizes& sizes) {
  const auto [rows, columns, depth] = sizes;
  //> ikj
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < depth; ++k)
      for (std::size_t j = 0; j < columns; ++j) {
        const float a_ik = a(i, k);
        c(i, j) += a_ik * b(k, j);
      }
  //< ikj
}

/// Calls multiply(j0, k0, width, height) for each block of B, which begins at row k0 and column j0.
template <typename Multiply>
void for_each_block(const ProductSizes& sizes, const BlockSizes& block, const Multiply& multiply) {
  const auto [rows, columns, depth] = sizes;
  for (std::size_t j0 = 0; j0 < columns; j0 += block.columns) {
    for (std::size_t k0 = 0; k0 < depth; k0 += block.depth) {
      multiply(j0, k0, std::min(block.columns, columns - j0), std::min(block.depth, depth - k0));
    }
  }
}

/// 3. Way 2 for one block of B after the other: a block is small enough to stay in the cache for all rows of A.
template <typename In, typename Out>
void product_blocked(Grid<In> a, Grid<In> b, Grid<Out> c, const ProductSizes& sizes, const BlockSizes& block) {
  for_each_block(sizes, block, [&](std::size_t j0, std::size_t k0, std::size_t width, std::size_t height) {
    product_ikj(a.from(0, k0), b.from(k0, j0), c.from(0, j0), {.rows = sizes.rows, .columns = width, .depth = height});
  });
}

/// A tile of C: its sums stay in registers from the first k to the last.
template <std::size_t rows, std::size_t columns, typename In, typename Panel, typename Out>
inline void multiply_small_tile(Grid<In> a, Grid<Panel> b, Grid<Out> c, std::size_t depth) {
  //> tile
  float sums[rows][columns] = {};  // in registers
  for (std::size_t k = 0; k < depth; ++k) {
    float b_k[columns];
    for (std::size_t j = 0; j < columns; ++j) b_k[j] = b(k, j);
    for (std::size_t i = 0; i < rows; ++i) {
      const float a_ik = a(i, k);
      for (std::size_t j = 0; j < columns; ++j) sums[i][j] += a_ik * b_k[j];
    }
  }
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) c(i, j) += sums[i][j];
  }
  //< tile
}

// What fits in 16 registers of one number each: 8 sums, 4 numbers of B, 1 of A.
inline constexpr std::size_t small_tile_rows = 2;
inline constexpr std::size_t small_tile_columns = 4;

/// C tile by tile; what is left at an edge number by number.
template <typename In, typename Panel, typename Out>
void product_by_tiles(Grid<In> a, Grid<Panel> b, Grid<Out> c, const ProductSizes& sizes) {
  for (std::size_t i = 0; i < sizes.rows; i += small_tile_rows) {
    for (std::size_t j = 0; j < sizes.columns; j += small_tile_columns) {
      const std::size_t height = std::min(small_tile_rows, sizes.rows - i);
      const std::size_t width = std::min(small_tile_columns, sizes.columns - j);
      if (height == small_tile_rows && width == small_tile_columns) {
        multiply_small_tile<small_tile_rows, small_tile_columns>(a.from(i, 0), b.from(0, j), c.from(i, j), sizes.depth);
        continue;
      }
      for (std::size_t r = i; r < i + height; ++r) {
        for (std::size_t s = j; s < j + width; ++s) {
          multiply_small_tile<1, 1>(a.from(r, 0), b.from(0, s), c.from(r, s), sizes.depth);
        }
      }
    }
  }
}

/// 4. Way 3 with tiles.
template <typename In, typename Out>
void product_tiled(Grid<In> a, Grid<In> b, Grid<Out> c, const ProductSizes& sizes, const BlockSizes& block) {
  for_each_block(sizes, block, [&](std::size_t j0, std::size_t k0, std::size_t width, std::size_t height) {
    product_by_tiles(a.from(0, k0), b.from(k0, j0), c.from(0, j0),
                     {.rows = sizes.rows, .columns = width, .depth = height});
  });
}

/// 5. Way 4 on a copy: what a tile reads of the block lies in one piece.
///   copy   room for block.depth * small_tile_columns numbers
template <typename In, typename Out>
void product_packed(Grid<In> a, Grid<In> b, Grid<Out> c, Out copy, const ProductSizes& sizes, const BlockSizes& block) {
  for_each_block(sizes, block, [&](std::size_t j0, std::size_t k0, std::size_t block_width, std::size_t height) {
    for (std::size_t j = j0; j < j0 + block_width; j += small_tile_columns) {
      const std::size_t width = std::min(small_tile_columns, j0 + block_width - j);
      //> pack
      const Grid<Out> panel = {copy, small_tile_columns};
      for (std::size_t k = 0; k < height; ++k) {
        for (std::size_t s = 0; s < width; ++s) panel(k, s) = b(k0 + k, j + s);
      }
      //< pack
      product_by_tiles(a.from(0, k0), panel, c.from(0, j), {.rows = sizes.rows, .columns = width, .depth = height});
    }
  });
}

}  // namespace attn
