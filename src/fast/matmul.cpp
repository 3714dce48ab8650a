#include "fast/matmul.hpp"

#include "fast/pool.hpp"
#include "fast/workspace.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace attn::fast {

namespace {

/// Below this, waking another thread costs more than it saves.
constexpr double worth_a_thread = 250e3;  // floating-point operations

/// Piece `index` of `count`: some rows of the product, or some columns, whichever are more. A piece begins at a
/// multiple of a tile, so each number is added up in the order in which the whole product would.
Product piece_of(Product product, std::size_t index, std::size_t count, const Kernels& kernels) {
  const auto part = [&](std::size_t size, std::size_t tile) {
    const std::size_t tiles = (size + tile - 1) / tile;
    const std::size_t begin = std::min(size, tiles * index / count * tile);
    return std::pair(begin, std::min(size, tiles * (index + 1) / count * tile) - begin);
  };
  if (product.rows >= product.columns) {
    const auto [begin, size] = part(product.rows, kernels.tile_rows);
    product.a = product.a.from(begin, 0);
    product.c += begin * product.c_row;
    product.rows = size;
  } else {
    const auto [begin, size] = part(product.columns, kernels.tile_columns);
    product.b = product.b.from(0, begin);
    product.c += begin;
    product.columns = size;
  }
  return product;
}

}  // namespace

void matmul(const Product* products, std::size_t count, std::size_t threads, const Kernels& kernels) {
  double operations = 0.0;
  for (const Product* p = products; p != products + count; ++p) {
    operations += 2.0 * static_cast<double>(p->rows) * static_cast<double>(p->columns) * static_cast<double>(p->depth);
  }
  if (operations < worth_a_thread) threads = 1;
  // With fewer products than threads, each is cut into pieces.
  const std::size_t pieces = count == 0 ? 0 : (threads + count - 1) / count;
  const auto work = [&](std::size_t item) {
    kernels.multiply(piece_of(products[item / pieces], item % pieces, pieces, kernels), workspace(kernels.packed_size));
  };
  for_each_item(count * pieces, threads, std::cref(work));  // by reference: a copy would ask for memory
}

}  // namespace attn::fast
