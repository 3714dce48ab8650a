#pragma once

#include "attention/kinds/attention.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>

namespace attn {

/// Each key (or value) head stands for a group of query heads: head h of the result is head h / group of x, where
/// group = num_heads / num_kv_heads. Neighbours share a head: 0 0 0 1 1 1, not 0 1 0 1 0 1.
///
///   x        [.., num_kv_heads, seq_len_kv, dim]
///   returns  [.., num_heads, seq_len_kv, dim]
///
/// One key head for all (num_kv_heads 1) is multi-query attention; as many as query heads is plain multi-head
/// attention. Throws std::invalid_argument, with the values, when x has no head axis or num_kv_heads does not divide
/// num_heads. Source: Ainslie et al. 2023, "GQA", section 2.2; Shazeer 2019, "Fast Transformer Decoding", section 3.
[[nodiscard]] Tensor repeat_heads(const Tensor& x, std::size_t num_heads);

/// Throws std::invalid_argument, naming both shapes, unless key and value have equally many heads.
void check_key_value_heads(const Tensor& key, const Tensor& value);

/// Grouped-query attention: the key and value heads are repeated, and then it is attention as ever.
///
///   query    [.., num_heads,    seq_len_q,  head_dim]
///   key      [.., num_kv_heads, seq_len_kv, head_dim]
///   value    [.., num_kv_heads, seq_len_kv, value_dim]
///
/// Throws as repeat_heads, check_key_value_heads and attention do.
[[nodiscard]] FamilySteps grouped_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                            const AttentionOptions& options = {});

}  // namespace attn
