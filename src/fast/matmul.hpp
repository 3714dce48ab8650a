#pragma once

#include "fast/level.hpp"
#include "fast/matrix.hpp"

#include <cstddef>

namespace attn::fast {

/// C = A B for A [rows, depth], B [depth, columns], C [rows, columns]. Row i of C begins at c + i * c_row, and its
/// numbers lie side by side. Any size may be 0; with depth 0 every sum is 0. C must not overlap A or B.
struct Product {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t depth = 0;
  Matrix a;
  Matrix b;
  float* c = nullptr;
  std::size_t c_row = 0;
};

/// A part of a product's result: these rows and columns of it.
struct Piece {
  std::size_t first_row = 0;
  std::size_t rows = 0;
  std::size_t first_column = 0;
  std::size_t columns = 0;
};

/// Piece `index` of `count`: some rows of the result, or some columns, whichever are more (of a large result the
/// columns, unless it has twice as many rows), in whole tiles. The pieces hold each number once. Where there are more
/// pieces than tiles some are empty.
[[nodiscard]] Piece piece_of(std::size_t rows, std::size_t columns, std::size_t tile_rows, std::size_t tile_columns,
                             std::size_t index, std::size_t count);

/// Computes the products, such as those of all heads, on `threads` threads (at least 1). Every sum is a float's, added
/// up in an order that does not depend on the number of threads: the results are the same, bit for bit (of a NaN only
/// that it is one).
void matmul(const Product* products, std::size_t count, std::size_t threads, const Kernels& kernels = best_kernels());

}  // namespace attn::fast
