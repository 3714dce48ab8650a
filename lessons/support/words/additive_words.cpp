#include "support/words/additive_words.hpp"

#include "board/digits.hpp"
#include "support/record/additive_records.hpp"
#include "support/words/words.hpp"
#include "tensor/matmul.hpp"
#include "tensor/rearrange.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

std::string three_decimals(double number) {
  return fixed(number, 3);
}

std::string share(const OneHead& memory, const Tensor& weights, std::size_t j) {
  return fmt::format("{} to {}", three_decimals(static_cast<double>(weights(0, j))), name_of(memory.world, j));
}

}  // namespace

std::vector<std::string> remarks_on_both(const OneHead& text, const OneHead& memory) {
  std::vector<std::string> remarks = remarks_on_text(text.world);
  for (const std::string& remark : remarks_on_text(memory.world)) {
    if (std::find(remarks.begin(), remarks.end(), remark) == remarks.end()) remarks.push_back(remark);
  }
  return remarks;
}

std::vector<std::size_t> clear_channels(const World& world) {
  std::vector<std::size_t> channels;
  for (const std::size_t d : world.kind_channels) {
    if (d % 2 == 0) channels.push_back(d);  // the sines: what the waves add there is next to 0
  }
  return channels;
}

std::size_t largest_in(const Tensor& list, const std::vector<std::size_t>& places) {
  return largest_of(reshape(list, {1, list.size()}), 0, places);
}

std::string what_fixed_keeps(const OneHead& memory) {
  const World& world = memory.world;
  const std::size_t seq_len_kv = world.tokens.size();
  if (seq_len_kv == 1) return "With a single word it is that word's own row.";
  const auto n = static_cast<double>(seq_len_kv);
  const std::string shares = fmt::format("Each of {} words is {} of it (of {}, {}) at every step.", seq_len_kv,
                                         three_decimals(1.0 / n), 10 * seq_len_kv, three_decimals(0.1 / n));
  // In the crafted world a pronoun is half a noun (text/lexicon.cpp), which a reader may wonder about.
  const auto noun = std::find(world.channel_names.begin(), world.channel_names.end(), "noun");
  if (!world.crafted() || noun == world.channel_names.end()) return shares;
  const auto channel = static_cast<std::size_t>(noun - world.channel_names.begin());
  for (std::size_t j = 0; j < seq_len_kv; ++j) {
    if (memory.embeddings(j, channel) == 0.5F) {
      return fmt::format("{} ({}, a pronoun, is 0.500 of a noun.)", shares, name_of(world, j));
    }
  }
  return shares;
}

std::string units_in_words(const Tensor& row) {
  std::vector<std::string> numbers;
  for (const float number : row.values()) numbers.push_back(three_decimals(static_cast<double>(number)));
  return listed(numbers);
}

std::string what_is_found(const OneHead& text, const OneHead& memory, const Tensor& weights) {
  const std::vector<std::size_t> order = largest_first(weights, 0);
  if (order.size() == 1) return fmt::format("{} finds a single word, which gets it all.", text.word);
  if (has_nan(weights, 0)) return weights_are_nan(text.word);
  return fmt::format("{} gives {} and {}.", text.word, share(memory, weights, order[0]),
                     share(memory, weights, order[1]));
}

std::string what_tanh_is_for(const Tensor& straight, const Tensor& k_alone, const Tensor& weights,
                             const Tensor& unasked) {
  return fmt::format(
      "Without tanh a score is v · q + v · k[j]. The first part is the same for every word, and softmax takes it out: "
      "with or without a query, largest difference {}. With tanh it is {}.",
      difference_in_words(straight, k_alone), difference_in_words(weights, unasked));
}

std::string where_tanh_is_steep(const Tensor& asked) {
  std::size_t near = 0;
  std::size_t far = 0;
  for (std::size_t d = 0; d < asked.dim(1); ++d) {
    if (std::abs(asked(0, d)) < std::abs(asked(0, near))) near = d;
    if (std::abs(asked(0, d)) > std::abs(asked(0, far))) far = d;
  }
  const auto move = [&](std::size_t d) {
    const auto at = static_cast<double>(asked(0, d));
    return std::tanh(at + 2.0) - std::tanh(at);
  };
  const auto place = [&](std::size_t d) { return three_decimals(static_cast<double>(asked(0, d))); };
  const std::string first =
      fmt::format("tanh is steep near 0 and flat far from it. Where the query puts {}, a key of 2 moves tanh by {}",
                  place(near), three_decimals(move(near)));
  if (near == far) return first + ".";
  return first + fmt::format("; where it puts {}, by {}.", place(far), three_decimals(move(far)));
}

std::string what_all_pairs_repeat(const OneHead& text, const OneHead& memory, const AdditiveSteps& additive,
                                  const Tensor& weights, const MultiplicativeSteps& general) {
  return fmt::format(
      "Row {} of additive is part 3: largest difference {}. With W_a = W_Qᵀ W_K general has lesson 05's scores: off by "
      "{}.",
      text.word, difference_in_words(slice(additive.weights, 0, text.i, text.i + 1), weights),
      difference_in_words(general.scores, matmul_transposed(text.Q, memory.K, text.world.compute)));
}

std::string what_decides(const Board& board, const WorkOfBoth& counted) {
  const bool more = counted.dot.multiplications > counted.additive.multiplications;
  return fmt::format(
      "{} Dot takes {} products, and won: all dots are one matrix product, which machines are built for; tanhs fit "
      "into none (Vaswani et al. 2017, 3.2.1).",
      how_counts_compare(board, counted), more ? "more" : "as many");
}

}  // namespace attn
