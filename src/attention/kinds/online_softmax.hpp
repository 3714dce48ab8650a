#pragma once

#include "tensor/tensor.hpp"

#include <cstddef>

namespace attn {

/// What is known of some queries after some blocks of keys: all that is needed to go on without their scores.
struct OnlineSoftmax {
  Tensor largest;    // the largest score that the query has met               [seq_len_q, 1]
  Tensor total;      // Σ e^(score - largest) over the keys that it has met    [seq_len_q, 1]
  Tensor collected;  // Σ e^(score - largest) value over the same keys         [seq_len_q, value_dim]
};

/// Before the first block: no score, so the largest is minus infinity; sums of nothing.
[[nodiscard]] OnlineSoftmax nothing_seen(std::size_t seq_len_q, std::size_t value_dim);

/// One block of keys, with the steps that take it in.
struct OnlineBlock {
  Tensor factor;        // e^(largest before - largest now): 0 at first, 1 where no larger score came  [seq_len_q, 1]
  Tensor powers;        // e^(score - largest now)                                                     [seq_len_q, keys]
  OnlineSoftmax after;  // what is known with this block
};

/// Takes in one more block of keys. What was added up before, relative to a smaller maximum, is scaled down to the new.
///
///   scores   [seq_len_q, keys], -inf at hidden keys; a block may be hidden as a whole, the first one too
///   value    [keys, value_dim]
///
/// After the last block the context is collected / total; NaN for a query that saw no key, as softmax has it.
/// Sources: Milakov and Gimelshein 2018, "Online normalizer calculation for softmax", algorithm 3; Dao et al. 2022,
/// "FlashAttention", algorithm 1. There the output is divided at each block; here once, as in FlashAttention-2.
[[nodiscard]] OnlineBlock take_block(const OnlineSoftmax& before, const Tensor& scores, const Tensor& value);

/// softmax(scores) value, from blocks of `block` keys: at least 1, and more than there are keys is all at once.
///
///   scores   [seq_len_q, seq_len_kv], at least one key
///   value    [seq_len_kv, value_dim]
///   returns  context [seq_len_q, value_dim]
///
/// Throws std::invalid_argument when `block` is 0 or the shapes do not fit.
[[nodiscard]] Tensor online_context(const Tensor& scores, const Tensor& value, std::size_t block);

}  // namespace attn
