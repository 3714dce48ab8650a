#include "support/record/wave_tables.hpp"

#include "attention/embedding.hpp"
#include "board/digits.hpp"
#include "support/words/token_lists.hpp"
#include "support/words/words.hpp"
#include "tensor/rearrange.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace attn {

std::vector<std::size_t> channels_to_draw(std::size_t d_model) {
  constexpr std::size_t most_pairs = 8;
  if (d_model <= 2 * most_pairs) return first_columns(d_model);
  const std::size_t last_pair = d_model / 2 - 1;
  std::vector<std::size_t> channels;
  for (std::size_t k = 0; k < most_pairs; ++k) {
    const std::size_t pair = k * last_pair / (most_pairs - 1);
    channels.push_back(2 * pair);
    channels.push_back(2 * pair + 1);
  }
  return channels;
}

void draw_waves(Board& board, const std::string& table, const std::string& caption) {
  const Tensor turned = transpose(board.trace().step(table).value);  // [d_model, places]
  const std::vector<std::size_t> channels = channels_to_draw(turned.dim(0));
  std::vector<std::string> names;
  for (const std::size_t c : channels) names.push_back((c % 2 == 0 ? "sin " : "cos ") + std::to_string(c));
  board.record(table + "_turned", turned, transpose(table));
  board.record(table + "_drawn", as_tensor(channels), given().with_rows(names));
  board.record(table + "_picture", gather(turned, channels), gather(table + "_turned", table + "_drawn"));
  board.panels({{table + "_picture", caption}}, {.cell = 1, .top = 1.0});
}

std::vector<std::size_t> sines_first(std::size_t d_model) {
  std::vector<std::size_t> columns;
  for (std::size_t start = 0; start < 2; ++start) {
    for (std::size_t c = start; c < d_model; c += 2) columns.push_back(c);
  }
  return columns;
}

std::vector<std::size_t> a_frequency_each(std::size_t d_model) {
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < d_model; ++c) columns.push_back(2 * c + c % 2);
  return columns;
}

Tensor record_columns(Board& board, const std::string& name, const std::string& from,
                      const std::vector<std::size_t>& columns) {
  const Tensor turned = transpose(board.trace().step(from).value);
  const Tensor picked = gather(turned, columns);
  Tensor result = transpose(picked);
  board.record(name + "_order", as_tensor(columns), given());
  board.record(name + "_from", turned, transpose(from));
  board.record(name + "_turned", picked, gather(name + "_from", name + "_order"));
  board.record(name, result, transpose(name + "_turned"));
  return result;
}

ClosestRows closest_rows(const Tensor& table) {
  ClosestRows closest;
  bool found = false;
  for (std::size_t a = 0; a < table.dim(0); ++a) {
    for (std::size_t b = a + 1; b < table.dim(0); ++b) {
      float difference = 0.0F;
      for (std::size_t d = 0; d < table.dim(1); ++d) {
        difference = std::max(difference, std::abs(table(a, d) - table(b, d)));
      }
      if (!found || difference < closest.difference) closest = {a, b, difference};
      found = true;
    }
  }
  return closest;
}

float movement(const Tensor& table, std::size_t channel) {
  float smallest = table(0, channel);
  float largest = smallest;
  for (std::size_t p = 0; p < table.dim(0); ++p) {
    smallest = std::min(smallest, table(p, channel));
    largest = std::max(largest, table(p, channel));
  }
  return largest - smallest;
}

std::size_t count_still(const Tensor& table, float less_than) {
  std::size_t count = 0;
  for (std::size_t d = 0; d < table.dim(1); ++d) count += movement(table, d) < less_than ? 1 : 0;
  return count;
}

double sum_of_squares(const Tensor& table, std::size_t row) {
  double sum = 0.0;
  for (std::size_t d = 0; d < table.dim(1); ++d) sum += std::pow(static_cast<double>(table(row, d)), 2);
  return sum;
}

float farthest_movement(const Tensor& table, const std::vector<std::size_t>& channels) {
  float farthest = 0.0F;
  for (const std::size_t d : channels) farthest = std::max(farthest, movement(table, d));
  return farthest;
}

std::string wavelength(std::size_t channel, std::size_t d_model) {
  const auto even = static_cast<double>(channel - channel % 2);
  const double places = 2.0 * std::acos(-1.0) * std::pow(10000.0, even / static_cast<double>(d_model));
  return fixed(places, places < 100.0 ? 1 : 0);
}

std::vector<std::string> what_waves_tell(const Tensor& waves) {
  const std::size_t d_model = waves.dim(1);
  const std::size_t last = (d_model - 1) / 2 * 2;
  std::vector<std::string> sentences;
  if (last > 0) {
    sentences.push_back(fmt::format("Channel 0 turns once in {} places, channel {} once in {}.", wavelength(0, d_model),
                                    last, wavelength(last, d_model)));
  }
  const ClosestRows closest = closest_rows(waves);
  if (closest.difference > 0.0F) {
    sentences.push_back(
        fmt::format("No two columns are equal. Places {} and {} are most alike, and they differ by up to {}.",
                    closest.first, closest.second, short_number(static_cast<double>(closest.difference), 3)));
  }
  return sentences;
}

std::vector<std::string> how_word_and_place_share(const World& world, const Tensor& positions) {
  if (positions.dim(0) == 1) return {};
  if (!world.crafted()) {
    return {fmt::format("Can word and place still be told apart in the sum? Training has {} channels to see to that.",
                        world.d_model)};
  }
  const float slow = farthest_movement(positions, world.kind_channels);
  const float fast = farthest_movement(positions, {2, 3});
  std::string text = fmt::format(
      "Do word and place get mixed up in the sum? The kinds of word stand in channels 8 to 14, where the waves of this "
      "text move by {} at most. In channels 2 and 3, which tell the place, they move by {}.",
      short_number(static_cast<double>(slow), 3), short_number(static_cast<double>(fast), 3));
  if (slow > 0.3F) text += " In a text this long, the slow waves begin to look like kinds.";
  return {text};
}

}  // namespace attn
