#include "support/words/weighted_sum_words.hpp"

#include "board/digits.hpp"
#include "support/words/words.hpp"
#include "tensor/close.hpp"
#include "tensor/matmul.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

/// The number of row i that is farthest from 0, without its sign.
double size_of_row(const Tensor& matrix, std::size_t i) {
  double size = 0.0;
  for (std::size_t d = 0; d < matrix.dim(1); ++d) size = std::max(size, std::abs(static_cast<double>(matrix(i, d))));
  return size;
}

std::string share_text(double number) {
  return number > 0.0 && number < 0.0005 ? "less than 0.001" : short_number(number, 3);
}

/// Why a column of W_V takes channel "one" off another: "In X, thing stands on a slow wave, 0.998 to 1 here. ..."
std::string why_one_is_taken_off(const OneHead& head) {
  const std::size_t one = head.world.d_model - 1;
  std::size_t column = 0;
  while (column < head.head_dim && head.W_V(column, one) >= 0.0F) ++column;
  if (column == head.head_dim) return "";
  if (!head.waves) return " Channel 15, \"one\", holds a wave alone, and there are none: it is 0.";
  std::size_t channel = 0;
  while (head.W_V(column, channel) == 0.0F) ++channel;
  double least = 1.0;
  double most = -1.0;
  double apart = 0.0;
  for (std::size_t i = 0; i < head.X.dim(0); ++i) {
    const auto wave = static_cast<double>(head.positions(i, channel));
    least = std::min(least, wave);
    most = std::max(most, wave);
    apart = std::max(apart, std::abs(static_cast<double>(head.V(i, column) - head.embeddings(i, channel))));
  }
  const std::string& name = head.world.channel_names[channel];
  return fmt::format(
      " In X, {} stands on a slow wave, {} here. Channel 15, \"one\", holds such a wave and nothing else. Taken off, "
      "it leaves what the embedding says: largest difference {}.",
      name, fixed(least, 3) == fixed(most, 3) ? fixed(most, 3) : fixed(least, 3) + " to " + fixed(most, 3),
      difference_text(apart));
}

}  // namespace

std::string what_orange_collects(const World& world, const Step& rows, const Step& taken,
                                 const std::vector<std::size_t>& columns) {
  if (!world.crafted()) return channels_shown(world.d_model);
  const auto is_half = [&](std::size_t channel) { return rows.value(1, channel) == 0.5F; };
  const auto half = std::find_if(columns.begin(), columns.end(), is_half);
  return fmt::format(
      "\"Orange\" came in as {} and has collected {}.{}", contents_of(rows, 0, columns), contents_of(taken, 0, columns),
      half == columns.end() ? std::string()
                            : fmt::format(" (\"is\" has 0.500 of a {}: it helps, and says little by itself.)",
                                          world.channel_names[*half]));
}

void notice_what_is_collected(Board& board, const OneHead& head, const std::vector<std::size_t>& columns) {
  const Tensor& weights = head.steps.weights;
  const std::vector<std::size_t> order = largest_first(weights, head.i);
  std::string looks = where_it_looks(head.world, weights, head.i);
  if (order.size() > 1 && weights(head.i, order[1]) >= 0.4F) {
    looks +=
        fmt::format(" That is about half {}, half {}.", name_of(head.world, order[0]), name_of(head.world, order[1]));
  }
  board.notice("{sentence}", {{"sentence", looks}});
  if (head.world.crafted()) {
    board.notice("{word} has collected {contents}. W_V reads, column by column: {recipes}.{one}",
                 {{"word", head.word},
                  {"contents", contents_of(board.trace().step("context"), head.i, columns)},
                  {"recipes", recipes(head.world, head.world.weights.W_V, head.head)},
                  {"one", why_one_is_taken_off(head)}});
  } else if (columns.size() < head.head_dim) {
    board.notice("Shown are the first {shown} of {all} columns.", {{"shown", columns.size()}, {"all", head.head_dim}});
  }
}

std::size_t most_misleading_row(const Tensor& weights, const Tensor& V, std::size_t otherwise) {
  std::size_t row = otherwise;
  double most = 0.0;
  for (std::size_t i = 0; i < weights.dim(0); ++i) {
    const std::size_t largest = largest_first(weights, i)[0];
    const double brought = static_cast<double>(weights(i, largest)) * size_of_row(V, largest);
    for (std::size_t j = 0; j < weights.dim(1); ++j) {
      const double more = static_cast<double>(weights(i, j)) * size_of_row(V, j) - brought;
      if (more > most) {
        most = more;
        row = i;
      }
    }
  }
  return row;
}

std::string who_brings_most(const World& world, const Tensor& weights, const Tensor& brought, std::size_t row) {
  if (brought.dim(0) == 1) return "A word that is alone brings itself all that there is.";
  const std::size_t largest = largest_first(weights, row)[0];
  std::size_t most = largest;
  for (std::size_t j = 0; j < brought.dim(0); ++j) {
    if (size_of_row(brought, j) > size_of_row(brought, most)) most = j;
  }
  const auto share = [&](std::size_t j) { return share_text(static_cast<double>(weights(row, j))); };
  const auto who = [&](std::size_t j) { return j == row ? std::string("itself") : name_of(world, j); };
  if (most == largest) {
    return fmt::format(
        "Here the largest share, {}, goes to {}, and brings most. It need not be so: a share tells how much of a value "
        "is taken, not what is in it.",
        share(largest), who(largest));
  }
  const double little = size_of_row(brought, largest);
  return fmt::format(
      "{} gives its largest share, {}, to {}, and that brings {}. {} has {} and brings up to {}. A share tells how "
      "much of a value is taken, not what is in it.",
      name_of(world, row), share(largest), who(largest),
      little == 0.0 ? "nothing" : fmt::format("no more than {}", share_text(little)), name_of(world, most), share(most),
      share_text(size_of_row(brought, most)));
}

std::string what_one_number_hides(const World& world, const Tensor& V, const Tensor& sums) {
  std::size_t first = 0;
  std::size_t second = 0;
  double most = 0.0;
  double apart = 0.0;
  for (std::size_t a = 0; a < V.dim(0); ++a) {
    for (std::size_t b = a + 1; b < V.dim(0); ++b) {
      double distance = 0.0;
      for (std::size_t d = 0; d < V.dim(1); ++d) {
        distance = std::max(distance, std::abs(static_cast<double>(V(a, d)) - static_cast<double>(V(b, d))));
      }
      const double gap = std::abs(static_cast<double>(sums(a, 0)) - static_cast<double>(sums(b, 0)));
      if (distance - 2.0 * gap <= most) continue;
      most = distance - 2.0 * gap;
      apart = distance;
      first = a;
      second = b;
    }
  }
  if (first == second) return "What each channel said can no longer be told.";
  const auto number = [&](std::size_t i) { return short_number(static_cast<double>(sums(i, 0)), 3); };
  return fmt::format("The sums of {} ({}) and {} ({}) lie close, though their values differ by up to {} in a column.",
                     name_of(world, first), number(first), name_of(world, second), number(second),
                     difference_text(apart));
}

double difference_in_reverse(const Tensor& weights, const Tensor& V, const Compute& compute) {
  Tensor weights_reversed = weights;
  Tensor V_reversed = V;
  const std::size_t seq_len = V.dim(0);
  for (std::size_t j = 0; j < seq_len; ++j) {
    for (std::size_t i = 0; i < seq_len; ++i) weights_reversed(i, j) = weights(i, seq_len - 1 - j);
    for (std::size_t d = 0; d < V.dim(1); ++d) V_reversed(j, d) = V(seq_len - 1 - j, d);
  }
  return largest_difference(matmul(weights_reversed, V_reversed, compute), matmul(weights, V, compute)).largest;
}

}  // namespace attn
