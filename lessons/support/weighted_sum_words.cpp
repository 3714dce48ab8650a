#include "support/weighted_sum_words.hpp"

#include "board/digits.hpp"
#include "support/words.hpp"
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

std::string three_decimals(double number) {
  return number > 0.0 && number < 0.0005 ? "less than 0.001" : short_number(number, 3);
}

}  // namespace

std::string half_and_half(const World& world, const Tensor& weights, std::size_t i) {
  const std::vector<std::size_t> order = largest_first(weights, i);
  if (order.size() < 2 || weights(i, order[1]) < 0.4F) return "";
  return fmt::format(" That is about half {}, half {}.", name_of(world, order[0]), name_of(world, order[1]));
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
  const auto share = [&](std::size_t j) { return three_decimals(static_cast<double>(weights(row, j))); };
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
      little == 0.0 ? "nothing" : fmt::format("no more than {}", three_decimals(little)), name_of(world, most),
      share(most), three_decimals(size_of_row(brought, most)));
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
                     short_number(apart, 3));
}

double difference_in_reverse(const Tensor& weights, const Tensor& V) {
  Tensor weights_reversed = weights;
  Tensor V_reversed = V;
  const std::size_t seq_len = V.dim(0);
  for (std::size_t j = 0; j < seq_len; ++j) {
    for (std::size_t i = 0; i < seq_len; ++i) weights_reversed(i, j) = weights(i, seq_len - 1 - j);
    for (std::size_t d = 0; d < V.dim(1); ++d) V_reversed(j, d) = V(seq_len - 1 - j, d);
  }
  return largest_difference(matmul(weights_reversed, V_reversed), matmul(weights, V)).largest;
}

}  // namespace attn
