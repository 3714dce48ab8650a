#pragma once

#include "support/record/five_products.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace attn {

/// The ways to compute one product, each one idea further than the one before.
enum class Way { ijk, ikj, blocked, tiled, packed, vectors, threads };

inline constexpr std::array<Way, 7> seven_ways = {Way::ijk,    Way::ikj,     Way::blocked, Way::tiled,
                                                  Way::packed, Way::vectors, Way::threads};

/// "2 ikj"
[[nodiscard]] const char* name_of(Way way);

/// Matrices as plain numbers, row after row.
struct ProductData {
  ProductSizes sizes;
  std::vector<float> a;  // [rows, depth]
  std::vector<float> b;  // [depth, columns]
};

/// C = A B, [rows, columns].
///   threads   how many the last way uses
[[nodiscard]] std::vector<float> product(Way way, const ProductData& data, std::size_t threads);

/// The same into memory that is there already, and from the sizes of block that suit the numbers on a real machine.
void product_into(Way way, const ProductData& data, std::size_t threads, std::vector<float>& c);

}  // namespace attn
