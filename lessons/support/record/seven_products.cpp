#include "support/record/seven_products.hpp"

#include "fast/matmul.hpp"

#include <algorithm>

namespace attn {

namespace {

/// 64 x 64 floats of B, 16 KiB: half of a small first cache. The other half is for A and C.
constexpr BlockSizes block = {.columns = 64, .depth = 64};

}  // namespace

const char* name_of(Way way) {
  constexpr std::array<const char*, seven_ways.size()> names = {"1 ijk",    "2 ikj",     "3 blocked", "4 tile",
                                                                "5 packed", "6 vectors", "7 threaded"};
  return names[static_cast<std::size_t>(way)];
}

void product_into(Way way, const ProductData& data, std::size_t threads, std::vector<float>& c) {
  const auto [rows, columns, depth] = data.sizes;
  if (c.empty() || depth == 0) return std::fill(c.begin(), c.end(), 0.0F);  // of numbers that lie nowhere
  if (way == Way::vectors || way == Way::threads) {
    const fast::Product whole = {.rows = rows,
                                 .columns = columns,
                                 .depth = depth,
                                 .a = {data.a.data(), depth},
                                 .b = {data.b.data(), columns},
                                 .c = c.data(),
                                 .c_row = columns};
    return fast::matmul(&whole, 1, way == Way::threads ? threads : 1);
  }
  std::fill(c.begin(), c.end(), 0.0F);
  const Grid<const float*> a = {data.a.data(), depth};
  const Grid<const float*> b = {data.b.data(), columns};
  const Grid<float*> to = {c.data(), columns};
  if (way == Way::ijk) return product_ijk(a, b, to, data.sizes);
  if (way == Way::ikj) return product_ikj(a, b, to, data.sizes);
  if (way == Way::blocked) return product_blocked(a, b, to, data.sizes, block);
  if (way == Way::tiled) return product_tiled(a, b, to, data.sizes, block);
  float copy[block.depth * small_tile_columns];
  product_packed(a, b, to, static_cast<float*>(copy), data.sizes, block);
}

std::vector<float> product(Way way, const ProductData& data, std::size_t threads) {
  std::vector<float> c(data.sizes.rows * data.sizes.columns);
  product_into(way, data, threads, c);
  return c;
}

}  // namespace attn
