#include "support/heads_in_words.hpp"

#include "board/digits.hpp"
#include "support/words.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace attn {

namespace {

constexpr std::size_t most_looks = 3;

std::string partner_name(const World& world, std::size_t i, std::size_t j) {
  return i == j ? "itself" : name_of(world, j);
}

}  // namespace

std::string head_in_words(const World& world, std::size_t head) {
  return world.head_names.empty() ? fmt::format("Head {}", head)
                                  : fmt::format("Head {} ({})", head, world.head_names[head - 1]);
}

std::string largest_weights(const World& world, const Tensor& weights) {
  std::vector<std::size_t> rows = first_columns(weights.dim(0));
  const auto largest = [&](std::size_t i) { return weights(i, largest_first(weights, i).front()); };
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return largest(a) > largest(b); });
  const auto look = [&](std::size_t i, const char* gives) {
    return fmt::format("{}{} {} to {}", name_of(world, i), gives, fixed(static_cast<double>(largest(i)), 2),
                       partner_name(world, i, largest_first(weights, i).front()));
  };
  std::vector<std::string> looks = {look(rows[0], " gives")};
  for (std::size_t k = 1; k < std::min(rows.size(), most_looks); ++k) looks.push_back(look(rows[k], ""));
  return listed(looks) + ".";
}

std::string looks_most_at(const AllHeads& all) {
  const World& world = all.followed.world;
  if (world.tokens.size() == 1) return "at itself, for there is no other word";
  std::vector<std::string> looks;
  for (std::size_t h = 0; h < std::min(all.num_heads, pictured_heads); ++h) {
    const std::size_t j = largest_first(all.heads[h].weights, all.followed.i).front();
    looks.push_back(fmt::format("at {} in head {}", partner_name(world, all.followed.i, j), h + 1));
  }
  return listed(looks);
}

std::string span(const std::string& what, std::size_t begin, std::size_t end) {
  return end - begin == 1 ? fmt::format("{} {}", what, begin) : fmt::format("{}s {} to {}", what, begin, end - 1);
}

std::vector<std::string> shared_value_names(const World& world) {
  if (!world.crafted()) return {};
  const std::size_t head_dim = world.d_model / world.num_heads;
  std::vector<std::string> names(world.value_names.begin(),
                                 world.value_names.begin() + static_cast<std::ptrdiff_t>(head_dim));
  for (std::size_t column = 0; column < world.d_model; ++column) {
    if (world.value_names[column] != names[column % head_dim]) names[column % head_dim] = "own";
  }
  return names;
}

std::size_t heads_heard(const AllHeads& all, std::size_t channel) {
  const Tensor& W_O = all.followed.world.weights.W_O;
  std::size_t count = 0;
  for (std::size_t h = 1; h <= all.num_heads; ++h) {
    bool heard = false;
    for (std::size_t column = all.begin(h); column < all.end(h); ++column)
      heard = heard || W_O(channel, column) != 0.0F;
    count += heard ? 1 : 0;
  }
  return count;
}

std::string possible_heads(std::size_t d_model) {
  std::vector<std::string> counts;
  for (std::size_t heads = 1; heads <= d_model; ++heads) {
    if (d_model % heads == 0) counts.push_back(std::to_string(heads));
  }
  std::string text = counts.back();
  for (std::size_t k = counts.size() - 1; k-- > 0;) text = counts[k] + (k + 2 == counts.size() ? " or " : ", ") + text;
  return text;
}

}  // namespace attn
