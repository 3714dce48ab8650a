#include "attention/kinds/online_softmax.hpp"

#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace attn {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// One number for each row, standing so that it meets every number of its row.
Tensor column(const Tensor& rows) {
  return reshape(rows, {rows.size(), 1});
}

/// 0 for a query that has met no key yet: -inf - -inf would be NaN, and -inf - 0 leaves its powers 0.
Tensor finite(Tensor largest) {
  std::replace(largest.values().begin(), largest.values().end(), -infinity, 0.0F);
  return largest;
}

}  // namespace

OnlineSoftmax nothing_seen(std::size_t seq_len_q, std::size_t value_dim) {
  return {.largest = Tensor({seq_len_q, 1}, -infinity),
          .total = Tensor({seq_len_q, 1}),
          .collected = Tensor({seq_len_q, value_dim})};
}

OnlineBlock take_block(const OnlineSoftmax& before, const Tensor& scores, const Tensor& value) {
  //> block
  const Tensor largest = column(max(concat({before.largest, scores}, -1), -1));
  const Tensor factor = exp(subtract(before.largest, finite(largest)));
  const Tensor powers = exp(subtract(scores, finite(largest)));
  const Tensor total = add(multiply(before.total, factor), column(sum(powers, -1)));
  const Tensor collected = add(multiply(before.collected, factor), matmul(powers, value));
  //< block
  return {.factor = factor, .powers = powers, .after = {.largest = largest, .total = total, .collected = collected}};
}

Tensor online_context(const Tensor& scores, const Tensor& value, std::size_t block) {
  if (block == 0) throw std::invalid_argument("online softmax: a block has 0 keys, but must have at least 1");
  if (scores.rank() != 2 || value.rank() != 2 || value.dim(0) != scores.dim(1)) {
    throw std::invalid_argument(
        fmt::format("online softmax: scores are [seq_len_q, seq_len_kv] and value is [seq_len_kv, value_dim], but they "
                    "are {} and {}: give each key one value",
                    to_string(scores.shape()), to_string(value.shape())));
  }
  const std::size_t seq_len_kv = scores.dim(1);
  OnlineSoftmax seen = nothing_seen(scores.dim(0), value.dim(1));
  for (std::size_t j = 0; j < seq_len_kv; j += block) {
    const std::size_t end = std::min(j + block, seq_len_kv);
    seen = take_block(seen, slice(scores, 1, j, end), slice(value, 0, j, end)).after;
  }
  return divide(seen.collected, seen.total);
}

}  // namespace attn
