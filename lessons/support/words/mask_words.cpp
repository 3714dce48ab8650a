#include "support/words/mask_words.hpp"

#include "attention/mask.hpp"
#include "board/digits.hpp"
#include "support/words/words.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/softmax.hpp"

#include <fmt/core.h>

#include <cmath>
#include <vector>

namespace attn {

std::size_t worst_reader_ahead(const Tensor& weights) {
  std::size_t worst = 0;
  for (std::size_t i = 0; i + 1 < weights.dim(0); ++i) {
    if (weights(i, i + 1) > weights(worst, worst + 1)) worst = i;
  }
  return worst;
}

std::string what_is_read_ahead(const World& world, const Tensor& weights, std::size_t i) {
  double later = 0.0;
  for (std::size_t j = i + 1; j < weights.dim(1); ++j) later += static_cast<double>(weights(i, j));
  const std::string next = fmt::format("{} must guess {}, and gives it {} of its attention.", name_of(world, i),
                                       name_of(world, i + 1), fixed(static_cast<double>(weights(i, i + 1)), 3));
  if (i + 2 == weights.dim(1)) return next;
  return fmt::format("{} All later words together get {}.", next, fixed(later, 3));
}

std::string what_erasing_leaves(const World& world, const Tensor& erased, std::size_t i) {
  if (erased.dim(0) == 1) return "One word has none after it, so nothing is erased.";
  std::size_t below = 0;
  double left = 0.0;
  for (std::size_t row = 0; row < erased.dim(0); ++row) {
    double total = 0.0;
    for (std::size_t j = 0; j < erased.dim(1); ++j) total += static_cast<double>(erased(row, j));
    below += total < 1.0 - 1e-6 ? 1 : 0;
    if (row == i) left = total;
  }
  return fmt::format(
      "{} of {} rows fall below 1. {} hands on {} of what it should: softmax had given the hidden words their part.",
      below, erased.dim(0), name_of(world, i), fixed(left, 3));
}

std::string what_zeros_get(const World& world, const Tensor& weights, const Tensor& mask, std::size_t i) {
  if (weights.dim(0) == 1) return "e^0 is 1, and not 0. But nothing is hidden from a word that is alone.";
  double hidden = 0.0;
  for (std::size_t j = 0; j < weights.dim(1); ++j) {
    if (mask(i, j) == 0.0F) hidden += static_cast<double>(weights(i, j));
  }
  return fmt::format("e^0 is 1, and not 0. {} still gives {} to words that it may not see.", name_of(world, i),
                     fixed(hidden, 3));
}

std::string what_the_probe_finds(const World& world, const Tensor& moved, const Step& ways) {
  std::vector<std::string> tight;
  std::vector<std::string> broken;
  const std::size_t last = ways.columns.size() - 1;
  for (std::size_t way = 0; way < ways.rows.size(); ++way) {
    bool leaks = false;
    bool lost = std::isnan(ways.value(way, last));
    for (std::size_t j = 0; j < last; ++j) {
      leaks = leaks || ways.value(way, j) > 0.0F;
      lost = lost || std::isnan(ways.value(way, j));
    }
    if (lost) broken.push_back(fmt::format("\"{}\"", ways.rows[way]));
    if (!leaks && !lost) tight.push_back(fmt::format("\"{}\"", ways.rows[way]));
  }
  std::string text = fmt::format(
      "With our mask {} moves by up to {}, words before it by {}. A bare 0 is exactly 0, and 0.000 a small number: a "
      "leak. {} of {} ways {} no earlier word: {}.",
      name_of(world, last), short_number(static_cast<double>(moved(last)), 3),
      short_number(static_cast<double>(largest_size(slice(moved, 0, 0, last))), 3), tight.size(), ways.rows.size(),
      tight.size() == 1 ? "moves" : "move", tight.empty() ? "none" : listed(tight));
  if (!broken.empty()) {
    text += fmt::format(" nan, 0 / 0: {} {} a word nobody to look at.", listed(broken),
                        broken.size() == 1 ? "leaves" : "leave");
  }
  return text;
}

std::string what_padding_gets(const World& world, const Tensor& scaled, std::size_t i) {
  const std::size_t seq_len = scaled.dim(0);
  const std::size_t last = seq_len - 1;
  if (seq_len == 1) return "Its column, so that nobody looks at it. With one word there is nothing to show.";
  Tensor keep({seq_len}, 1.0F);
  keep(last) = 0.0F;
  const Tensor as_column = softmax(mask_fill(scaled, reshape(keep, {1, seq_len})), -1, world.compute);
  const Tensor as_row = softmax(mask_fill(scaled, reshape(keep, {seq_len, 1})), -1, world.compute);
  const auto number = [](float weight) { return short_number(static_cast<double>(weight), 3); };
  return fmt::format(
      "Its column: nobody looks at it. Say the last word is padding, and no other mask is there. As a column it gets "
      "{} from {}. As a row it still gets {}, and its own row is {}: 0 / 0.",
      number(as_column(i, last)), name_of(world, i), number(as_row(i, last)), number(as_row(last, last)));
}

}  // namespace attn
