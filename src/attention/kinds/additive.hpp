#pragma once

#include "attention/mask.hpp"
#include "tensor/compute.hpp"
#include "tensor/tensor.hpp"

namespace attn {

/// What additive attention learns: a small network with one hidden layer that scores a query against a key.
struct AdditiveWeights {
  Tensor W_query;  // [attention_dim, query_dim]
  Tensor W_key;    // [attention_dim, key_dim]
  Tensor v;        // [attention_dim]
};

/// Every step of additive attention.
struct AdditiveSteps {
  Tensor projected_query;  // query W_query^T                      [.., seq_len_q, attention_dim]
  Tensor projected_key;    // key W_key^T                          [.., seq_len_kv, attention_dim]
  Tensor sums;             // every query with every key, added    [.., seq_len_q, seq_len_kv, attention_dim]
  Tensor hidden;           // tanh(sums)                           [.., seq_len_q, seq_len_kv, attention_dim]
  Tensor scores;           // hidden v (Bahdanau: energies e_ij)   [.., seq_len_q, seq_len_kv]
  Tensor masked;           // scores, -inf at hidden keys          [.., seq_len_q, seq_len_kv]
  Tensor weights;          // softmax(masked), row by row          [.., seq_len_q, seq_len_kv]
  Tensor context;          // weights value                        [.., seq_len_q, value_dim]
};

/// Additive attention with every step kept: score_ij = v . tanh(W_query query_i + W_key key_j). Query and key may have
/// different widths, and nothing is divided by sqrt(head_dim).
///
///   query    [.., seq_len_q, query_dim]; the decoder's state of one step is seq_len_q = 1
///   key      [.., seq_len_kv, key_dim], leading axes as in query
///   value    [.., seq_len_kv, value_dim]; Bahdanau's encoder states are key and value at once
///   mask     broadcasts to [.., seq_len_q, seq_len_kv]
///   returns  all steps; a query whose every key is hidden gets NaN weights
///
/// Throws std::invalid_argument, naming both shapes, when two of them disagree.
/// Source: Bahdanau et al. 2015, "Neural Machine Translation by Jointly Learning to Align and Translate", section 3.1
/// and appendix A.1.2 (there W_query is W_a, W_key is U_a, v is v_a).
[[nodiscard]] AdditiveSteps additive_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                               const AdditiveWeights& weights, const Mask& mask = no_mask(),
                                               const Compute& compute = {});
/// The same with nothing hidden.
[[nodiscard]] AdditiveSteps additive_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                               const AdditiveWeights& weights, const Compute& compute);

}  // namespace attn
