#include "support/words/words.hpp"

#include "board/board.hpp"
#include "board/digits.hpp"
#include "support/program/quoted.hpp"
#include "tensor/close.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

constexpr std::size_t columns_of_a_wide_head = 4;
constexpr std::size_t channels_without_meaning = 7;
constexpr std::size_t most_words_listed = 6;
constexpr std::size_t longest_crafted_text = 40;  // tokens
constexpr std::size_t most_channels = 8;

/// What one row of a weight reads, in the channels' names: "4·verb", "2·prep - 2·one", "nothing".
std::string recipe(const Tensor& weight, std::size_t row, const std::vector<std::string>& channel_names) {
  std::string text;
  for (std::size_t d = 0; d < weight.dim(1); ++d) {
    const auto factor = static_cast<double>(weight(row, d));
    if (factor == 0.0) continue;
    const std::string joint = text.empty() ? (factor < 0 ? "-" : "") : (factor < 0 ? " - " : " + ");
    const double size = std::abs(factor);
    text += joint + (size == 1.0 ? "" : short_number(size, 3) + "·") + channel_names[d];
  }
  return text.empty() ? "nothing" : text;
}

}  // namespace

std::string name_of(const World& world, std::size_t token) {
  const std::string& text = world.tokens[token].text;
  std::size_t number = 1;
  for (std::size_t k = 0; k < token; ++k) number += world.tokens[k].text == text ? 1 : 0;
  return number == 1 ? fmt::format("\"{}\"", text) : fmt::format("\"{}\" (number {})", text, number);
}

std::string listed(const std::vector<std::string>& items) {
  std::string text;
  for (std::size_t k = 0; k < items.size(); ++k) {
    const bool last = k + 1 == items.size();
    text += (k == 0 ? "" : last ? " and " : ", ") + items[k];
  }
  return text;
}

std::string where_weights_come_from(const Options& options) {
  switch (options.weights) {
    case Options::Weights::crafted:
      return "The weights were made by hand, to be read. In a real model training finds them, and they are seldom so "
             "tidy.";
    case Options::Weights::torch:
      return fmt::format(
          "The weights are the random numbers that PyTorch starts from with seed {}, before any training. So no word "
          "means anything yet; the arithmetic is the same.",
          options.seed);
    case Options::Weights::file:
      return fmt::format("The weights stand in the file {}.", quoted(options.weights_file));
  }
  return {};
}

std::string how_channels_were_filled(const Options& options) {
  switch (options.weights) {
    case Options::Weights::crafted:
      return "They were filled in by hand. In a real model training fills them: it changes all numbers a little, many "
             "times, so that results get better.";
    case Options::Weights::torch:
      return "The numbers are random, as before any training, so they say nothing yet.";
    case Options::Weights::file:
      return fmt::format("The numbers stand in the file {}.", quoted(options.weights_file));
  }
  return {};
}

std::string channels_shown(std::size_t d_model) {
  const std::size_t shown = std::min(d_model, channels_without_meaning);
  return shown == d_model ? "All channels are shown."
                          : fmt::format("Shown are the first {} of {} channels.", shown, d_model);
}

std::string what_channels_tell(const World& world, const Tensor& embeddings) {
  if (!world.crafted()) return channels_shown(world.d_model);
  const bool others_are_0 = others_are_zero(embeddings, world.kind_channels);
  return fmt::format("These channels say what kind of word it is{}", others_are_0 ? "; all others are 0." : ".");
}

void notice_each(Board& board, const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) board.notice("{sentence}", {{"sentence", sentence}});
}

std::vector<std::string> remarks_on_text(const World& world) {
  std::vector<std::string> remarks;
  // New words that got the same treatment share a sentence.
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  for (std::size_t k = 0; k < world.encoding.new_words.size(); ++k) {
    const NewWord& added = world.encoding.new_words[k];
    const std::string own_row = added.id == unknown_id
                                    ? "without a row of its own: no spare one was left, so it shares row 0"
                                    : "given a spare row of the table";
    const std::string treatment = world.guesses.empty() ? own_row : world.guesses[k];
    auto group =
        std::find_if(groups.begin(), groups.end(), [&](const auto& known) { return known.first == treatment; });
    if (group == groups.end()) group = groups.insert(groups.end(), {treatment, {}});
    group->second.push_back(fmt::format("\"{}\"", added.word));
  }
  for (auto& [treatment, words] : groups) {
    if (words.size() > most_words_listed + 1) {
      const std::string more = fmt::format("{} others", words.size() - most_words_listed);
      words.resize(most_words_listed);
      words.push_back(more);
    }
    remarks.push_back(words.size() == 1
                          ? fmt::format("This program does not know {}. It is {}.", words[0], treatment)
                          : fmt::format("This program does not know {}. Each is {}.", listed(words), treatment));
  }
  if (world.crafted() && world.tokens.size() > longest_crafted_text) {
    remarks.push_back(
        fmt::format("The text has {} tokens. The hand-made weights are for short sentences, up to some {} words: far "
                    "from the start the slow waves have grown, and the kinds of words blur.",
                    world.tokens.size(), longest_crafted_text));
  }
  return remarks;
}

std::string recipes(const World& world, const Tensor& weight, std::size_t head) {
  const std::size_t head_dim = world.d_model / world.num_heads;
  std::string text;
  for (std::size_t row = (head - 1) * head_dim; row < head * head_dim; ++row) {
    text += (text.empty() ? "" : ", ") + recipe(weight, row, world.channel_names);
  }
  return text;
}

std::string what_Q_and_K_read(const World& world, std::size_t head) {
  return fmt::format("W_Q reads, column by column: {}. W_K reads: {}.", recipes(world, world.weights.W_Q, head),
                     recipes(world, world.weights.W_K, head));
}

std::string what_V_reads(const World& world, std::size_t head) {
  const std::string read = recipes(world, world.weights.W_V, head);
  const bool takes_one_away = read.find("·one") != std::string::npos || read.find(" one") != std::string::npos;
  return fmt::format("W_V reads, column by column: {}.{}", read,
                     takes_one_away ? " Channel 15, \"one\", has no kind of word, only the position." : "");
}

std::vector<std::string> head_labels(const World& world) {
  std::vector<std::string> labels;
  for (std::size_t h = 1; h <= world.num_heads; ++h) {
    labels.push_back(world.head_names.empty() ? fmt::format("head {}", h)
                                              : fmt::format("{} {}", h, world.head_names[h - 1]));
  }
  return labels;
}

std::string what_fits_best(const World& world, const Tensor& scores, std::size_t i) {
  const std::vector<std::size_t> order = largest_first(scores, i);
  const auto who = [&](std::size_t j) {
    return fmt::format("{} ({})", j == i ? "itself" : name_of(world, j), fixed(static_cast<double>(scores(i, j)), 3));
  };
  if (order.size() == 1) return fmt::format("{} meets only {}.", name_of(world, i), who(i));
  if (scores(i, order[0]) == scores(i, order[1])) {
    return fmt::format("What {} looks for fits {} and {} equally well.", name_of(world, i), who(order[0]),
                       who(order[1]));
  }
  return fmt::format("What {} looks for fits {} best, then {}.", name_of(world, i), who(order[0]), who(order[1]));
}

std::string where_it_looks(const World& world, const Tensor& weights, std::size_t i) {
  const std::vector<std::size_t> order = largest_first(weights, i);
  const float largest = weights(i, order[0]);
  if (std::isnan(largest)) return fmt::format("{} may look at no word at all.", name_of(world, i));
  if (order.size() == 1) return fmt::format("{} is alone: all of its attention stays with itself.", name_of(world, i));
  const float second = weights(i, order[1]);
  if (second == 0.0F) {
    return fmt::format("{} gives all of its attention to {}.", name_of(world, i),
                       order[0] == i ? "itself" : name_of(world, order[0]));
  }
  // As many decimals as it takes for the two to add up, as printed, to the whole percent.
  const auto percent = [](double share) { return fmt::format("{:.0f}", 100.0 * share); };
  const std::string both = percent(static_cast<double>(largest) + static_cast<double>(second));
  std::size_t decimals = 2;
  const auto printed = [&](float share) { return as_printed(static_cast<double>(share), decimals); };
  while (decimals < 6 && percent(printed(largest) + printed(second)) != both) ++decimals;
  const auto who = [&](std::size_t j) { return j == i ? std::string("itself") : name_of(world, j); };
  return fmt::format("{} gives {} to {} and {} to {}: {} % of it all.", name_of(world, i),
                     fixed(static_cast<double>(largest), decimals), who(order[0]),
                     fixed(static_cast<double>(second), decimals), who(order[1]), both);
}

std::string whom_it_gives_most(const World& asked, const Tensor& weights, std::size_t row,
                               std::optional<std::size_t> itself) {
  const std::vector<std::size_t> order = largest_first(weights, row);
  const float most = weights(row, order.front());
  if (has_nan(weights, row)) return "nan";
  const auto who = [&](std::size_t j) { return j == itself ? std::string("itself") : name_of(asked, j); };
  std::vector<std::string> names;
  for (const std::size_t j : order) {
    if (weights(row, j) == most) names.push_back(who(j));
  }
  const std::string share = fixed(static_cast<double>(most), 3);
  if (order.size() == 1) return fmt::format("all to {}", names.front());
  if (names.size() == order.size()) return fmt::format("as much to each word ({})", share);
  if (names.size() == 1) return fmt::format("most to {} ({})", names.front(), share);
  if (names.size() > most_words_listed) return fmt::format("most to {} words alike ({} each)", names.size(), share);
  return fmt::format("most to {} ({} each)", listed(names), share);
}

std::string weights_are_nan(const std::string& word) {
  return fmt::format("The weights of {} are nan: there is nothing to compare.", word);
}

bool has_nan(const Tensor& matrix, std::size_t i) {
  for (std::size_t j = 0; j < matrix.dim(1); ++j) {
    if (std::isnan(matrix(i, j))) return true;
  }
  return false;
}

std::string contents_of(const Step& step, std::size_t i, const std::vector<std::size_t>& columns) {
  const auto is_nan = [&](std::size_t j) { return std::isnan(step.value(i, j)); };
  if (std::any_of(columns.begin(), columns.end(), is_nan)) return "nan";
  std::vector<std::size_t> order = columns;
  const auto size = [&](std::size_t j) { return std::abs(step.value(i, j)); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
  std::vector<std::string> items;
  for (const std::size_t j : order) {
    if (items.size() == 3 || !(size(j) >= 0.05F)) break;
    items.push_back(fmt::format("{} {}", step.columns[j], fixed(static_cast<double>(step.value(i, j)), 2)));
  }
  return items.empty() ? "next to nothing" : listed(items);
}

std::vector<std::size_t> largest_first(const Tensor& matrix, std::size_t i) {
  std::vector<std::size_t> places = first_columns(matrix.dim(-1));
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    const float x = matrix(i, a);
    const float y = matrix(i, b);
    return std::isnan(y) ? !std::isnan(x) : x > y;
  });
  return places;
}

std::size_t largest_of(const Tensor& matrix, std::size_t i, const std::vector<std::size_t>& columns) {
  return *std::max_element(columns.begin(), columns.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(matrix(i, a)) < std::abs(matrix(i, b));
  });
}

float largest_size(const Tensor& a) {
  float largest = 0.0F;
  for (const float value : a.values()) largest = std::max(largest, std::abs(value));
  return largest;
}

std::vector<std::size_t> first_columns(std::size_t count) {
  std::vector<std::size_t> columns(count);
  for (std::size_t j = 0; j < count; ++j) columns[j] = j;
  return columns;
}

std::vector<std::size_t> channels_to_show(const World& world, const std::vector<std::size_t>& named) {
  return world.crafted() ? named : first_columns(std::min(world.d_model, channels_without_meaning));
}

std::vector<std::size_t> channels_read(const std::vector<Tensor>& weights) {
  std::vector<std::size_t> channels;
  const std::size_t d_model = weights.front().dim(1);
  for (std::size_t d = 0; d < d_model; ++d) {
    const bool read = std::any_of(weights.begin(), weights.end(), [d](const Tensor& weight) {
      for (std::size_t row = 0; row < weight.dim(0); ++row) {
        if (weight(row, d) != 0.0F) return true;
      }
      return false;
    });
    if (read) channels.push_back(d);
  }
  return channels.empty() || channels.size() > most_channels
             ? first_columns(std::min(d_model, channels_without_meaning))
             : channels;
}

std::vector<std::size_t> first_columns_of_head(const World& world, std::size_t head) {
  const std::size_t head_dim = world.d_model / world.num_heads;
  std::vector<std::size_t> columns = first_columns(std::min(head_dim, columns_of_a_wide_head));
  for (std::size_t& column : columns) column += (head - 1) * head_dim;
  return columns;
}

bool others_are_zero(const Tensor& matrix, const std::vector<std::size_t>& columns) {
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    const std::size_t column = k % matrix.dim(-1);
    const bool named = std::find(columns.begin(), columns.end(), column) != columns.end();
    if (!named && matrix.values()[k] != 0.0F) return false;
  }
  return true;
}

std::size_t count_of_ones(const Tensor& mask) {
  return count_of(mask, 1.0F);
}

std::size_t count_of(const Tensor& tensor, float number) {
  return static_cast<std::size_t>(std::count(tensor.values().begin(), tensor.values().end(), number));
}

Value difference_of(const Tensor& got, const Tensor& want) {
  std::size_t both = 0;  // places where both are nan
  std::size_t one = 0;   // where one is
  Tensor got_there = got;
  Tensor want_there = want;
  const std::size_t places = std::min(got.size(), want.size());  // largest_difference refuses other shapes
  for (std::size_t k = 0; k < places; ++k) {
    const bool got_nan = std::isnan(got.values()[k]);
    const bool want_nan = std::isnan(want.values()[k]);
    both += got_nan && want_nan ? 1 : 0;
    one += got_nan != want_nan ? 1 : 0;
    if (got_nan || want_nan) got_there.values()[k] = want_there.values()[k] = 0.0F;
  }
  const Value elsewhere = Value::difference(largest_difference(got_there, want_there).largest);
  if (one > 0) return fmt::format("nan (nan against a number in {} of {} places)", one, places);
  if (both == 0) return elsewhere;
  if (both == places) return "nan (both are nan)";
  return fmt::format("{} (both are nan in {} of {} places)", in_words(elsewhere), both, places);
}

std::string difference_in_words(const Tensor& got, const Tensor& want) {
  return in_words(difference_of(got, want));
}

std::string in_words(const Value& difference) {
  return difference.kind() == Value::Kind::difference ? difference_text(difference.number()) : difference.words();
}

bool is_none(const Value& difference) {
  return difference.kind() == Value::Kind::difference && difference.number() == 0.0;
}

}  // namespace attn
