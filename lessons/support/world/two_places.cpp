#include "support/world/two_places.hpp"

#include "board/digits.hpp"
#include "support/words/words.hpp"
#include "tensor/close.hpp"
#include "tensor/rearrange.hpp"
#include "text/lexicon.hpp"

#include <fmt/core.h>

#include <utility>

namespace attn {

namespace {

bool is_noun(const Token& token) {
  const KnownWord* const known = find_known_word(token.word);
  return (known != nullptr ? known->kinds : guess_kinds(token.word).kinds).noun == 1.0F;
}

}  // namespace

TwoPlaces first_repetition(const World& world) {
  const std::vector<Token>& tokens = world.tokens;
  for (std::size_t second = 1; second < tokens.size(); ++second) {
    for (std::size_t first = 0; first < second; ++first) {
      if (tokens[first].word == tokens[second].word) return {first, second};
    }
  }
  return {};
}

TwoPlaces two_words(const World& world) {
  const std::vector<Token>& tokens = world.tokens;
  for (const bool only_nouns : {true, false}) {
    std::size_t first = 0;
    while (only_nouns && first < tokens.size() && !is_noun(tokens[first])) ++first;
    for (std::size_t second = first + 1; second < tokens.size(); ++second) {
      if (only_nouns && !is_noun(tokens[second])) continue;
      if (tokens[second].word != tokens[first].word) return {first, second};
    }
  }
  return {};
}

Tensor order_with_swap(std::size_t seq_len, TwoPlaces places) {
  Tensor order({seq_len});
  for (std::size_t p = 0; p < seq_len; ++p) order(p) = static_cast<float>(p);
  std::swap(order(places.first), order(places.second));
  return order;
}

std::vector<std::string> texts_in_order(const World& world, const Tensor& order) {
  std::vector<std::string> texts;
  for (const float place : order.values()) texts.push_back(world.tokens[static_cast<std::size_t>(place)].text);
  return texts;
}

std::string how_far_apart(const World& world, TwoPlaces words) {
  return fmt::format("How far are {} and {} apart? By their ids: {} and {}. By their rows, channel by channel:",
                     name_of(world, words.first), name_of(world, words.second), world.encoding.ids[words.first],
                     world.encoding.ids[words.second]);
}

std::string how_rows_differ(const World& world, const Tensor& apart, TwoPlaces words) {
  const std::string one = name_of(world, words.first);
  const std::string other = name_of(world, words.second);
  std::vector<std::string> only_one, only_other;
  std::size_t equal = 0;
  for (std::size_t d = 0; d < apart.dim(1); ++d) {
    if (apart(0, d) == 0.0F) ++equal;
    const std::string name = world.crafted() ? world.channel_names[d] : std::to_string(d);
    if (apart(0, d) > 0.0F) only_one.push_back(name);
    if (apart(0, d) < 0.0F) only_other.push_back(name);
  }
  if (equal == apart.dim(1)) return fmt::format("No channel differs: for the model, {} and {} are one.", one, other);
  if (!world.crafted()) {
    return fmt::format("Of {} channels {} are equal. It takes training to give similar words similar rows.",
                       apart.dim(1), equal);
  }
  std::string text = "What both have cancels.";
  if (!only_one.empty()) text += fmt::format(" {} is more {}.", one, listed(only_one));
  if (!only_other.empty()) text += fmt::format(" {} is more {}.", other, listed(only_other));
  return text;
}

std::vector<std::string> how_equal_words_differ(const World& world, const Tensor& X) {
  const TwoPlaces same = first_repetition(world);
  if (!same.differ()) return {};
  const auto row = [&](std::size_t place) { return slice(X, 0, place, place + 1); };
  const double difference = largest_difference(row(same.first), row(same.second)).largest;
  return {fmt::format(
      "{} and {} have equal embeddings. Their rows of X {}.", name_of(world, same.first), name_of(world, same.second),
      difference == 0.0 ? "are equal too" : fmt::format("differ by up to {}", difference_text(difference)))};
}

}  // namespace attn
