#pragma once

#include "fast/level.hpp"
#include "fast/matrix.hpp"

#include <cstddef>

namespace attn::fast {

/// One head: context = softmax(cap(Q K^T * scale) + bias, hidden keys left out) V.
struct AttentionHead {
  std::size_t seq_len_q = 0;
  std::size_t seq_len_kv = 0;
  std::size_t head_dim = 0;
  std::size_t value_dim = 0;
  // [seq_len_q, head_dim], [seq_len_kv, head_dim], [seq_len_kv, value_dim]; the numbers of a row lie side by side.
  Matrix query, key, value;
  float* context = nullptr;  // [seq_len_q, value_dim]: row i at context + i * context_row
  std::size_t context_row = 0;

  float scale = 1.0F;
  float soft_cap = 0.0F;  // soft_cap * tanh(score / soft_cap); 0: none
  Matrix bias = {};       // [seq_len_q, seq_len_kv]: added to the scores, hides where it is -inf. No data: none
  // Query i sees the keys from i + first_visible to i + last_visible, each from -2^30 to 2^30. Causal: last_visible is
  // the offset.
  std::ptrdiff_t first_visible = -(std::ptrdiff_t{1} << 30);
  std::ptrdiff_t last_visible = std::ptrdiff_t{1} << 30;
  const float* empty_row = nullptr;  // [value_dim]: the context of a query that sees no key. Null: NaN
};

/// Fused attention: of the scores only a block is ever held, [128 keys, 64 queries] for each thread. Keys that the
/// window or the causal rule hides are skipped in whole blocks; a NaN in their values does then not show.
/// Sources: Milakov and Gimelshein 2018, "Online normalizer calculation for softmax" (the running maximum); Dao et al.
/// 2022, "FlashAttention".
void attend(const AttentionHead* heads, std::size_t count, std::size_t threads,
            const Kernels& kernels = best_kernels());

}  // namespace attn::fast
