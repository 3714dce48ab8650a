#pragma once

#include "attention/kinds/additive.hpp"
#include "attention/mask.hpp"
#include "tensor/compute.hpp"
#include "tensor/tensor.hpp"

namespace attn {

// Luong's three ways to score a query (the decoder's state) against a key (a state of the encoder). None divides by
// sqrt(head_dim): that came with the Transformer.

/// Every step of multiplicative attention.
struct MultiplicativeSteps {
  Tensor projected_query;  // general: query W; dot: the query itself  [.., seq_len_q, key_dim]
  Tensor scores;           // projected_query key^T                    [.., seq_len_q, seq_len_kv]
  Tensor masked;           // scores, -inf at hidden keys              [.., seq_len_q, seq_len_kv]
  Tensor weights;          // softmax(masked), row by row              [.., seq_len_q, seq_len_kv]
  Tensor context;          // weights value                            [.., seq_len_q, value_dim]
};

/// score_ij = query_i . key_j
///
///   query    [.., seq_len_q,  key_dim]
///   key      [.., seq_len_kv, key_dim], leading axes as in query
///   value    [.., seq_len_kv, value_dim]; Luong's encoder states are key and value at once
///   mask     broadcasts to [.., seq_len_q, seq_len_kv]
///   returns  all steps; a query whose every key is hidden gets NaN weights
///
/// Throws std::invalid_argument, naming both shapes, when two of them disagree.
/// Source: Luong et al. 2015, "Effective Approaches to Attention-based Neural Machine Translation", section 3.1, "dot".
[[nodiscard]] MultiplicativeSteps luong_dot(const Tensor& query, const Tensor& key, const Tensor& value,
                                            const Mask& mask = no_mask(), const Compute& compute = {});
/// The same with nothing hidden.
[[nodiscard]] MultiplicativeSteps luong_dot(const Tensor& query, const Tensor& key, const Tensor& value,
                                            const Compute& compute);

/// score_ij = query_i W key_j: a learned matrix in between, so widths may differ. Shapes and errors as luong_dot, but
///   query  [.., seq_len_q, query_dim]
///   W      [query_dim, key_dim]
/// Source: Luong et al. 2015, section 3.1, "general" (W_a).
[[nodiscard]] MultiplicativeSteps luong_general(const Tensor& query, const Tensor& key, const Tensor& value,
                                                const Tensor& W, const Mask& mask = no_mask(),
                                                const Compute& compute = {});

/// score_ij = v . tanh(W [query_i; key_j]), the two laid end to end. W's first query_dim columns only meet the query
/// and the others only the key, so this is additive attention with W cut in two, and is computed as that.
///   query  [.., seq_len_q, query_dim]
///   W      [attention_dim, query_dim + key_dim]
///   v      [attention_dim]
/// Source: Luong et al. 2015, section 3.1, "concat" (W_a, v_a).
[[nodiscard]] AdditiveSteps luong_concat(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& W,
                                         const Tensor& v, const Mask& mask = no_mask(), const Compute& compute = {});

}  // namespace attn
