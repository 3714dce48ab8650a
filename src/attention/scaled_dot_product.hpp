#pragma once

#include "attention/mask.hpp"
#include "tensor/compute.hpp"
#include "tensor/tensor.hpp"

namespace attn {

/// Every step of one attention, in the order in which they are computed.
struct AttentionSteps {
  Tensor scores;   // Q K^T                           [.., seq_len_q, seq_len_kv]
  Tensor scaled;   // scores / sqrt(head_dim)         [.., seq_len_q, seq_len_kv]
  Tensor masked;   // scaled, -inf at hidden keys     [.., seq_len_q, seq_len_kv]
  Tensor weights;  // softmax(masked), row by row     [.., seq_len_q, seq_len_kv]
  Tensor context;  // weights V                       [.., seq_len_q, value_dim]
};

/// Scaled dot-product attention with every step kept: context = softmax(Q K^T / sqrt(head_dim)) V.
///
///   query    [.., seq_len_q,  head_dim]
///   key      [.., seq_len_kv, head_dim]
///   value    [.., seq_len_kv, value_dim]
///   mask     broadcasts to [.., seq_len_q, seq_len_kv]
///   returns  all steps; a query whose every key is hidden gets NaN weights, as in PyTorch; where there are no keys at
///            all, its context is 0, the sum of nothing
///
/// NaN in a hidden value still shows, because a weight of 0 times NaN is NaN.
/// Throws std::invalid_argument, naming both shapes, when two of them disagree.
/// Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.2.1, eq. (1).
[[nodiscard]] AttentionSteps scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                                          const Mask& mask = no_mask(), const Compute& compute = {});
/// The same with nothing hidden.
[[nodiscard]] AttentionSteps scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                                          const Compute& compute);

/// Throws std::invalid_argument, naming both shapes, unless these are the shapes of query, key and value as above.
void check_attention_shapes(const Shape& query, const Shape& key, const Shape& value);

}  // namespace attn
