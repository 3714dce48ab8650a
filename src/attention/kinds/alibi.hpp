#pragma once

#include "attention/mask.hpp"
#include "attention/scaled_dot_product.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>

namespace attn {

/// How strongly each head dislikes distance. For a power of two, head h = 1, 2, .. of num_heads has slope
/// 2^(-8 h / num_heads): for 8 heads 1/2, 1/4, .. 1/256. For other numbers: all slopes of the power of two below, then
/// every second slope (the 1st, 3rd, ..) of the power of two above, until there are enough.
///
///   returns  [num_heads]
///
/// Throws std::invalid_argument when num_heads is 0.
/// Source: Press et al. 2022, "Train Short, Test Long", section 3; the rule for other numbers is get_slopes of the
/// authors' code (github.com/ofirpress/attention_with_linear_biases).
[[nodiscard]] Tensor alibi_slopes(std::size_t num_heads);

/// How far each key lies from each query: j - i, so 0 for the token itself, -1 for the one before it.
///
///   first    the place of the first query among the keys (the length of a cache's past)
///   returns  [seq_len_q, seq_len_kv]
[[nodiscard]] Tensor alibi_distances(std::size_t seq_len_q, std::size_t seq_len_kv, std::size_t first = 0);

/// What ALiBi adds to the scaled scores: slope_h * (j - i), zero for the token itself and lower the further back.
///
///   slopes     [num_heads]
///   distances  [seq_len_q, seq_len_kv]
///   returns    [num_heads, seq_len_q, seq_len_kv]
///
/// Throws std::invalid_argument, naming the shape, when slopes is no list.
/// Source: Press et al. 2022, section 3.
[[nodiscard]] Tensor alibi_bias(const Tensor& slopes, const Tensor& distances);

/// Every step of attention with linear biases.
struct AlibiSteps {
  Tensor distances;          // j - i                       [seq_len_q, seq_len_kv]
  Tensor bias;               // slope_h * (j - i)           [num_heads, seq_len_q, seq_len_kv]
  Tensor mask;               // 1 where j <= i + first      [seq_len_q, seq_len_kv]
  AttentionSteps attention;  // masked = scaled + bias, -inf where the mask is 0
};

/// Causal attention with linear biases (ALiBi): softmax(Q K^T / sqrt(head_dim) + slope_h * (j - i)) V. Nothing is added
/// to the embeddings: the order of the words comes in here alone.
///
///   query   [.., num_heads, seq_len_q,  head_dim]
///   key     [.., num_heads, seq_len_kv, head_dim]
///   value   [.., num_heads, seq_len_kv, value_dim]
///   slopes  [num_heads], mostly alibi_slopes(num_heads); zeros give plain causal attention
///   first   the place of the first query among the keys (the length of a cache's past)
///
/// Throws std::invalid_argument, naming both shapes, when there is not one slope per head or shapes disagree.
/// Source: Press et al. 2022, section 3.
[[nodiscard]] AlibiSteps alibi_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                         const Tensor& slopes, std::size_t first = 0);

}  // namespace attn
