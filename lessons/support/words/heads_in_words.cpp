#include "support/words/heads_in_words.hpp"

#include "attention/multi_head.hpp"
#include "board/digits.hpp"
#include "support/record/places.hpp"
#include "support/record/record_head.hpp"
#include "support/words/words.hpp"
#include "tensor/close.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <utility>

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

std::string followed_head(const OneHead& head) {
  std::string words = head_in_words(head.world, head.head);
  words.front() = 'h';
  return words;
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
  std::vector<std::string> names = names_of_head(world, world.value_names, 1);
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

std::string what_of_heads_is_shown(const AllHeads& all, std::size_t most) {
  std::vector<std::string> parts;
  if (all.num_heads > most) parts.push_back(fmt::format("the first {} of {} heads", most, all.num_heads));
  if (all.head_dim > pictured_columns) {
    parts.push_back(fmt::format("the first {} of {} columns of each", pictured_columns, all.head_dim));
  }
  return parts.empty() ? "" : fmt::format(" Shown are {}.", listed(parts));
}

std::string what_reshape_misplaces(const Tensor& split, const Tensor& wrong, const Shape& shape_of_Q,
                                   std::size_t num_heads) {
  const Tensor at = places(shape_of_Q);
  const Tensor at_split = split_heads(at, num_heads);
  return fmt::format(
      "Both have one shape, so nobody complains. Yet {} of {} numbers differ: reshape alone keeps the order of the "
      "numbers, and hands words the numbers of others. Of this page's Q it would misplace {} of {}.",
      count_of_different(split, wrong), split.size(), count_of_different(at_split, reshape(at, at_split.shape())),
      at.size());
}

std::string what_heads_cost(const World& world) {
  const auto& [W_Q, W_K, W_V, W_O, b_O] = world.weights;
  const std::size_t count = W_Q.size() + W_K.size() + W_V.size() + W_O.size() + b_O.size();
  return fmt::format(
      "A head is {} wide in what it makes, but it reads all {} channels of X, of every word. And more heads bring no "
      "more weights: W_Q, W_K, W_V, W_O and b_O (lesson 12) hold {} numbers, whether for {} heads.",
      world.d_model / world.num_heads, world.d_model, count, possible_heads(world.d_model));
}

std::string where_a_head_lies(const AllHeads& all) {
  const std::size_t head = all.followed.head;
  const World& world = all.followed.world;
  std::string text = fmt::format("Head {} has {} of concat.", head, span("column", all.begin(head), all.end(head)));
  if (!world.crafted() || head == 1) return text;
  const auto first = world.value_names.begin() + static_cast<std::ptrdiff_t>(all.begin(head));
  switch (std::count(world.value_names.begin(), first, *first)) {
    case 1:
      return text + fmt::format(" {0}#2 is the second column called {0}.", *first);
    case 2:
      return text + fmt::format(" {0}#3 is the third column called {0}.", *first);
    case 3:
      return text + fmt::format(" {0}#4 is the fourth column called {0}.", *first);
    default:
      return text;
  }
}

std::string what_wrong_merging_misplaces(const Tensor& merged, const Tensor& wrong, const Tensor& joined,
                                         std::size_t num_heads) {
  const Tensor at = places({num_heads, joined.dim(0), joined.dim(1) / num_heads});
  return fmt::format(
      "\"merged\" is concat: largest difference {}. \"wrong\" has the same shape and the same numbers, but {} of {} "
      "in a wrong place; largest difference {}.",
      difference_text(largest_difference(merged, joined).largest),
      count_of_different(merge_heads(at), reshape(at, joined.shape())), joined.size(),
      difference_text(largest_difference(wrong, joined).largest));
}

std::string who_takes_colour(const Tensor& dyed, const Tensor& dyed_wrong) {
  const std::size_t before = dyed.size() - 1;
  const std::size_t earlier = before - count_of_zeros(slice(dyed_wrong, 0, 0, before));
  std::string text = fmt::format("Merged, all {} stay with their word. ", short_number(dyed(before), 0));
  if (earlier > 0) {
    return text +
           fmt::format(
               "Wrong, {} of the {} rows before it take colour. A causal mask would be in vain: these words would "
               "know of the last one.",
               earlier, before);
  }
  return text +
         (before == 0 ? "Wrong as well, for there is no other word." : "Wrong as well, for there is only one head.");
}

std::string what_an_average_forgets(const AllHeads& all) {
  std::vector<Tensor> exchanged = all.contexts;
  std::swap(exchanged.front(), exchanged.back());
  const auto average = [&](const std::vector<Tensor>& contexts) {
    return scale(sum(stack(contexts), 0), 1.0F / static_cast<float>(all.num_heads));
  };
  const auto apart = [](const Tensor& a, const Tensor& b) { return difference_text(largest_difference(a, b).largest); };
  const std::string of_concat = apart(concat(exchanged, -1), concat(all.contexts, -1));
  return fmt::format(
      "An average forgets who said what. Exchange the first and the last head: largest difference of the average {}, "
      "of concat {}.{}",
      apart(average(exchanged), average(all.contexts)), of_concat,
      of_concat == "0" ? " (Here they found the same.)" : "");
}

std::string what_W_O_is_for(const AllHeads& all, std::size_t channel) {
  const World& world = all.followed.world;
  const std::size_t lone_head = channel / all.head_dim + 1;
  std::string text =
      all.num_heads == 1
          ? fmt::format("Without W_O, channel {} would hold column {} of the context and no other.", channel, channel)
          : fmt::format(
                "Without W_O, channel {} would hold a number of head {} and of no other. With it, the "
                "channel hears {} of {} heads.",
                channel, lone_head, heads_heard(all, channel), all.num_heads);
  if (world.crafted() && world.channel_names[channel] != world.value_names[channel]) {
    text += fmt::format(" And it would be the wrong thing: the channel is called {}, but in concat it is head {}'s {}.",
                        world.channel_names[channel], lone_head, world.value_names[channel]);
  }
  return text;
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
