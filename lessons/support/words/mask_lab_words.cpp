#include "support/words/mask_lab_words.hpp"

#include "board/digits.hpp"
#include "support/words/words.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"

#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace attn {

namespace {

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

/// What a row of weights gives to keys that a row of the mask hides.
double given_to_hidden(const Step& weights, const Step& hide, std::size_t i) {
  double given = 0.0;
  for (std::size_t j = 0; j < weights.value.dim(1); ++j) {
    if (hide.value(i, j) == 1.0F) given += static_cast<double>(weights.value(i, j));
  }
  return given;
}

std::size_t rows_of_nan(const Step& weights) {
  std::size_t rows = 0;
  for (std::size_t i = 0; i < weights.value.dim(0); ++i) rows += std::isnan(weights.value(i, 0)) ? 1U : 0U;
  return rows;
}

}  // namespace

std::string what_notations_give(const Tensor& by_hide, const Tensor& by_adding, const Tensor& masked) {
  return fmt::format(
      "One table comes out of all three: largest difference {} and {}. True keeps in PyTorch's "
      "F.scaled_dot_product_attention, and hides in its nn.MultiheadAttention.",
      difference_in_words(by_hide, masked), difference_in_words(by_adding, masked));
}

std::string what_wrong_readings_do(const World& world, const Trace& trace, std::size_t i) {
  const std::size_t seq_len = world.tokens.size();
  if (seq_len == 1) {
    return "With one word nothing is hidden, so 1 added to its only score changes nothing, and there is no -inf. "
           "Swapped, the word is hidden from itself: nan, which is 0 / 0.";
  }
  const Step& hide = trace.step("hide");
  const Step& swapped = trace.step("swapped");
  if (has_nan(trace.step("ones_added").value, i)) return weights_are_nan(name_of(world, i));
  return fmt::format(
      "{} gives hidden words {} swapped, and {} with 1 added: e^score grows only e times for the others. Both add up "
      "to "
      "1. Only nan is seen: of all {} rows, in {} swapped, in {} with M subtracted.",
      name_of(world, i), fixed(given_to_hidden(swapped, hide, i), 3),
      fixed(given_to_hidden(trace.step("ones_added"), hide, i), 3), seq_len, rows_of_nan(swapped),
      rows_of_nan(trace.step("flipped")));
}

std::string what_is_padding(std::size_t real, std::size_t seq_len) {
  return real < seq_len ? "Let the last word be padding, which no word may see."
                        : "A second mask may hide padding, but a single word has none.";
}

std::string what_two_masks_hide(const Trace& trace) {
  const Tensor& both = trace.step("both").value;
  const std::size_t hidden = count_of(both, 0.0F);
  const std::size_t hidden_by_product = count_of(trace.step("too_open").value, 0.0F);
  const std::size_t left_open = hidden - hidden_by_product;
  const std::string counts = fmt::format("In the three notations the two hide {}, {} and {} of {} {}.", hidden,
                                         count_of_ones(trace.step("either_hides").value),
                                         count_of(trace.step("both_to_add").value, minus_infinity), both.size(),
                                         both.size() == 1 ? "cell" : "cells");
  if (hidden == 0) return counts;
  return fmt::format("{} Where 1 hides, a · b hides only what both hide: {}. {} {} left open.", counts,
                     hidden_by_product, left_open, left_open == 1 ? "is" : "are");
}

std::string what_an_empty_row_collects(const World& world, const Trace& trace) {
  const Tensor& takes = trace.step("takes").value;
  const Tensor& V = trace.step("V").value;
  const std::size_t seq_len = world.tokens.size();
  const Tensor average = reshape(mean(V, 0), {1, V.dim(1)});
  const std::string who =
      seq_len == 1 ? ", here its own"
                   : fmt::format(", of {} later {} too: a leak", seq_len - 1, seq_len == 2 ? "word" : "words");
  return fmt::format(
      "nan is PyTorch's softmax: loud, and it spreads to all that it meets. Zeros are ONNX's Attention: nothing is "
      "collected. Uniform is a habit (part 5): {} collects the average of all values (largest difference {}){}.",
      name_of(world, 0), difference_in_words(slice(takes, 0, 2, 3), average), who);
}

std::string what_stand_ins_do_to_an_empty_row(const Trace& trace) {
  const Tensor& open = trace.step("first.open").value;
  const Tensor equal(open.shape(), 1.0F / static_cast<float>(open.dim(1)));
  if (has_nan(open, 0)) return "Its weights are nan without any mask, so no stand-in can be judged by them.";
  const Value uneven = difference_of(trace.step("first.1e9.weights").value, equal);
  const bool lost = uneven.kind() == Value::Kind::difference && uneven.number() < 1e-6;
  const std::string billion =
      lost ? fmt::format("the score is lost in rounding (floats there are 64 apart): equal weights (off by {})",
                         in_words(uneven))
           : fmt::format("rounding leaves only what is large in the scores: weights that differ from equal ones by {}",
                         in_words(uneven));
  return fmt::format(
      "With -1e4 all scores sink alike: as if there were no mask (off by {}). With -1e9 {}. The lowest float, added by "
      "two masks, overflows to -inf: nan after all.",
      difference_in_words(trace.step("first.1e4.weights").value, open), billion);
}

std::string what_stand_ins_let_through(const Trace& trace) {
  const Step& leaks = trace.step("leaks");
  const std::string too_large =
      "Where scores are too large for a float they are inf, and inf - inf in the softmax is nan, whatever is added.";
  if (std::isnan(leaks.value(leaks.rows.size() - 1, 0))) return too_large;
  std::vector<std::string> leaky;
  for (std::size_t row = 0; row < leaks.rows.size(); ++row) {
    for (std::size_t c = 0; c < leaks.columns.size(); ++c) {
      const float given = leaks.value(row, c);
      if (given == 0.0F || std::isnan(given)) continue;
      const std::string number = short_number(static_cast<double>(given), 3);
      const std::string share = given < 0.0005F ? "a trace" : number == "1" ? "all" : number;
      leaky.push_back(fmt::format("{} lets {} through at scores {}", leaks.rows[row], share, leaks.columns[c]));
      break;
    }
  }
  if (leaky.empty()) {
    return "Here none lets anything through: no hidden score is so much better than all that may be seen.";
  }
  const std::string told = fmt::format(
      "{}. The others hold here, but -3.4e38 failed above. Only -inf lies below every score.", listed(leaky));
  return has_nan(leaks.value, leaks.rows.size() - 1) ? fmt::format("{} {}", told, too_large) : told;
}

}  // namespace attn
