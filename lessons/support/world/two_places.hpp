#pragma once

#include "support/world/world.hpp"
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

/// "How far are \"cat\" and \"mat\" apart? By their ids: 54 and 80. By their rows, channel by channel:"
[[nodiscard]] std::string how_far_apart(const World& world, TwoPlaces words);

/// In which channels the rows of two words differ, and in which not; `apart` is the first row minus the second.
[[nodiscard]] std::string how_rows_differ(const World& world, const Tensor& apart, TwoPlaces words);

/// How far the rows of X differ of two places with the same word. Nothing where no word stands twice.
[[nodiscard]] std::vector<std::string> how_equal_words_differ(const World& world, const Tensor& X);

}  // namespace attn
