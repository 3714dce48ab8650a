#include "support/words/three_kinds_words.hpp"

#include "attention/kinds/masks.hpp"
#include "attention/mask.hpp"
#include "attention/scaled_dot_product.hpp"
#include "board/digits.hpp"
#include "support/words/words.hpp"
#include "tensor/reduce.hpp"

#include <fmt/core.h>

#include <stdexcept>
#include <vector>

namespace attn {

namespace {

std::string three_decimals(double number) {
  return fixed(number, 3);
}

std::string counted_words(std::size_t count) {
  return count == 1 ? "1 word" : fmt::format("{} words", count);
}

}  // namespace

std::string what_it_gives_each_way(const World& world, const Tensor& weights, std::size_t i) {
  const std::size_t seq_len = weights.dim(1);
  if (seq_len == 1) return fmt::format("{} is alone, and sees itself only.", name_of(world, i));
  if (has_nan(weights, i)) return weights_are_nan(name_of(world, i));
  double before = 0.0;
  double after = 0.0;
  double printed_before = 0.0;
  double printed_after = 0.0;
  for (std::size_t j = 0; j < seq_len; ++j) {
    const auto weight = static_cast<double>(weights(i, j));
    const double printed = std::stod(three_decimals(weight));
    if (j < i) before += weight;
    if (j < i) printed_before += printed;
    if (j > i) after += weight;
    if (j > i) printed_after += printed;
  }
  std::vector<std::string> shares;
  const auto share = [&](double part, const std::string& whose) {
    shares.push_back(fmt::format("{} {}", three_decimals(part), whose));
  };
  if (i > 0) share(before, fmt::format("goes to {} before it", counted_words(i)));
  share(static_cast<double>(weights(i, i)), i > 0 ? "to itself" : "goes to itself");
  if (i + 1 < seq_len) share(after, fmt::format("to {} after it", counted_words(seq_len - 1 - i)));
  const bool adds_up = three_decimals(printed_before) == three_decimals(before) &&
                       three_decimals(printed_after) == three_decimals(after);
  return fmt::format("{} sees every word: {}.{}", name_of(world, i), listed(shares),
                     adds_up ? "" : " (Added, then rounded.)");
}

std::string what_the_next_word_gets(const World& world, const Tensor& weights, const Tensor& open, std::size_t i) {
  if (i + 1 == weights.dim(1)) {
    return fmt::format("{} is the last word here: nothing comes after it, so nothing is hidden from it.",
                       name_of(world, i));
  }
  if (has_nan(weights, i)) return weights_are_nan(name_of(world, i));
  return fmt::format(
      "The row of {} sees {} of {} words and must produce {}. That gets {} of its attention; without the mask, {}.",
      name_of(world, i), i + 1, weights.dim(1), name_of(world, i + 1),
      short_number(static_cast<double>(weights(i, i + 1)), 3), three_decimals(static_cast<double>(open(i, i + 1))));
}

std::string what_it_finds_in_the_memory(const OneHead& asking, const OneHead& memory, const Tensor& weights) {
  const std::vector<std::size_t> order = largest_first(weights, asking.i);
  const auto who = [&](std::size_t j) {
    return fmt::format("{} ({})", name_of(memory.world, j), three_decimals(static_cast<double>(weights(asking.i, j))));
  };
  if (order.size() == 1) {
    return fmt::format("{} has one word to look at, and gives it all: {}.", asking.word, who(0));
  }
  if (has_nan(weights, asking.i)) return weights_are_nan(asking.word);
  const bool alike = weights(asking.i, order.front()) == weights(asking.i, order.back());
  const std::string looks =
      alike ? fmt::format("{} gives {}.", asking.word, whom_it_gives_most(memory.world, weights, asking.i))
            : fmt::format("{} gives {} and least to {}.", asking.word,
                          whom_it_gives_most(memory.world, weights, asking.i), who(order.back()));
  return asking.world.crafted() ? fmt::format("{} These weights know nothing of translation.", looks) : looks;
}

std::string what_a_rectangle_is(const Tensor& weights) {
  const Tensor ones({weights.dim(0)}, 1.0F);
  return fmt::format(
      "A rectangle: a row for each of {} that ask, a column for each of {} that are asked. Rows add up to 1: the "
      "farthest is off by {}.",
      weights.dim(0), weights.dim(1), difference_in_words(sum(weights, -1), ones));
}

std::string what_a_causal_mask_hides(const OneHead& asking, const OneHead& memory) {
  const std::size_t seq_len_q = asking.world.tokens.size();
  const std::size_t seq_len_kv = memory.world.tokens.size();
  const Tensor mask = causal_mask({.seq_len_q = seq_len_q, .seq_len_kv = seq_len_kv});
  const std::size_t hidden = count_of(mask, 0.0F);
  if (hidden == 0) return "The memory has one word, so even a causal mask would hide nothing.";
  return fmt::format(
      "No causal mask: the memory is whole before the first word is written. It would hide {} of {} weights, and leave "
      "{} nothing but {}.",
      hidden, mask.size(), name_of(asking.world, 0), name_of(memory.world, 0));
}

std::string what_swapped_queries_give(const OneHead& asking, const OneHead& memory, const Tensor& weights,
                                      const Tensor& swapped_weights) {
  const std::size_t needed = asking.world.tokens.size();
  const std::size_t got = memory.world.tokens.size();
  if (needed != got) {
    return fmt::format(
        "Rows follow the queries: {} here, one for each word of the memory. The decoder has {} and needs a row for "
        "each. The shape tells.",
        got, counted_words(needed));
  }
  const Value difference = difference_of(swapped_weights, weights);
  return fmt::format(
      "Both texts have {}, so the shape is as it should be, and nobody complains. {}", counted_words(needed),
      is_none(difference) ? std::string("Here even the weights are the same.")
                          : fmt::format("Yet the weights are others: largest difference {}.", in_words(difference)));
}

std::string what_the_wrong_mask_does(const OneHead& asking, const OneHead& memory) {
  const std::size_t seq_len_q = asking.world.tokens.size();
  const Tensor mask = causal_mask(seq_len_q);
  try {
    static_cast<void>(
        scaled_dot_product_attention(asking.Q, memory.K, memory.V, keep_where(mask), asking.world.compute));
  } catch (const std::invalid_argument& refused) {
    return fmt::format("The decoder's own mask is refused: \"{}\".", refused.what());
  }
  const std::size_t hidden = count_of(mask, 0.0F);
  if (hidden == 0) {
    return "The decoder's own mask [1, 1] fits any memory and hides nothing of it: a mistake that shows only with more "
           "words.";
  }
  return fmt::format(
      "The decoder's own mask [{0}, {0}] fits, because both texts are equally long: it would hide {1} of {2} words "
      "from {3}, and nobody would notice.",
      seq_len_q, seq_len_q - 1, seq_len_q, name_of(asking.world, 0));
}

Tensor keep_all_but_last(const OneHead& sentence) {
  Tensor keep({1, sentence.world.tokens.size() + 1}, 1.0F);
  keep.values().back() = 0.0F;
  return keep;
}

void record_masks(Board& board, const OneHead& asking, const OneHead& memory, const Tensor& decoder_mask,
                  const Tensor& cross_mask) {
  const auto padded = [](const OneHead& sentence) {
    std::vector<std::string> words = sentence.world.token_texts();
    words.emplace_back("<pad>");
    return words;
  };
  const std::vector<std::string> text = padded(asking);
  const std::vector<std::string> source = padded(memory);
  const std::size_t n = text.size();
  const std::size_t m = source.size();
  board.record("text_keep", keep_all_but_last(asking), given().with_columns(text));
  board.record("memory_keep", keep_all_but_last(memory), given().with_columns(source));
  board.record("later_hidden", causal_mask(n), given().with_rows(text).with_columns(text));
  board.record("ones", full_mask(n, m), given().with_rows(text).with_columns(source));
  board.record("decoder_mask", decoder_mask, multiply("later_hidden", "text_keep"));
  board.record("cross_mask", cross_mask, multiply("ones", "memory_keep"));
}

}  // namespace attn
