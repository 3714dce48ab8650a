#pragma once

#include "support/world.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

/// Two places in a text, for a page that compares two words. Where a text has no such two, both are the same place.
struct TwoPlaces {
  std::size_t first = 0;
  std::size_t second = 0;

  [[nodiscard]] bool differ() const { return first != second; }
};

/// The first word that stands twice, and where.
[[nodiscard]] TwoPlaces first_repetition(const World& world);

/// Two different words: the first two nouns, else the first two tokens that differ. The same in every world.
[[nodiscard]] TwoPlaces two_words(const World& world);

/// 0, 1, 2, ... with two places exchanged: [seq_len]. To gather by it once exchanges their rows, twice undoes it.
[[nodiscard]] Tensor order_with_swap(std::size_t seq_len, TwoPlaces places);

/// The tokens in such an order.
[[nodiscard]] std::vector<std::string> texts_in_order(const World& world, const Tensor& order);

/// In which channels the rows of two words differ, and in which not; `apart` is one row minus the other.
[[nodiscard]] std::string how_rows_differ(const World& world, const Tensor& apart, const std::string& one,
                                          const std::string& other);

}  // namespace attn
