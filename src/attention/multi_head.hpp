#pragma once

#include "attention/mask.hpp"
#include "attention/scaled_dot_product.hpp"
#include "tensor/compute.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>

namespace attn {

class Random;

/// Throws std::invalid_argument, with divisors to try, unless num_heads divides d_model and both are at least 1.
void check_num_heads(std::size_t d_model, std::size_t num_heads);

/// [.., seq_len, d_model] -> [.., num_heads, seq_len, head_dim]: head h takes channels h * head_dim and the next
/// head_dim - 1 of every token. Throws std::invalid_argument when num_heads does not divide d_model.
[[nodiscard]] Tensor split_heads(const Tensor& x, std::size_t num_heads);

/// The way back: [.., num_heads, seq_len, head_dim] -> [.., seq_len, num_heads * head_dim].
[[nodiscard]] Tensor merge_heads(const Tensor& x);

/// The four learned maps of multi-head attention. Weights are [out, in], as PyTorch's nn.Linear keeps them.
struct MultiHeadWeights {
  Tensor W_Q;  // [d_model, d_model], no bias; rows h * head_dim and the next head_dim - 1 belong to head h
  Tensor W_K;  // [d_model, d_model], no bias; likewise
  Tensor W_V;  // [d_model, d_model], no bias; likewise
  Tensor W_O;  // [d_model, d_model]
  Tensor b_O;  // [d_model]
};

/// Every step of multi-head attention. Leading axes (a batch) stand before those shown.
struct MultiHeadSteps {
  Tensor Q;              // query W_Q^T                      [.., seq_len_q,  d_model]
  Tensor K;              // key W_K^T                        [.., seq_len_kv, d_model]
  Tensor V;              // value W_V^T                      [.., seq_len_kv, d_model]
  AttentionSteps heads;  // all heads at once, scores etc.   [.., num_heads, seq_len_q, seq_len_kv]
  Tensor concat;         // the heads' contexts side by side [.., seq_len_q, d_model]
  Tensor output;         // concat W_O^T + b_O               [.., seq_len_q, d_model]
};

/// Multi-head attention with every step kept: output = Concat(head_1, ..., head_h) W_O.
///
///   query    [seq_len_q, d_model]  or [batch, seq_len_q, d_model]
///   key      [seq_len_kv, d_model] or [batch, seq_len_kv, d_model]
///   value    as key
///   mask     [1 or seq_len_q, seq_len_kv], with a batch axis in front where the inputs have one: the same for every
///   head;
///            or with one axis more than the inputs, [.., num_heads or 1, seq_len_q, seq_len_kv]: each head has its own
///
/// Throws std::invalid_argument, with the values, when num_heads does not divide d_model or shapes disagree.
/// Source: Vaswani et al. 2017, section 3.2.2.
[[nodiscard]] MultiHeadSteps multi_head_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                                  const MultiHeadWeights& weights, std::size_t num_heads,
                                                  const Mask& mask = no_mask(), const Compute& compute = {});

/// The module of many PyTorch tutorials: query, key and value maps without bias, an output map with bias, drawn as
/// PyTorch draws them (query, key, value, output in this order).
class MultiHeadAttention {
 public:
  /// Throws std::invalid_argument, with a divisor to try, when num_heads does not divide d_model.
  MultiHeadAttention(std::size_t d_model, std::size_t num_heads, Random& random);
  MultiHeadAttention(std::size_t num_heads, MultiHeadWeights weights);

  [[nodiscard]] MultiHeadSteps forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                       const Mask& mask = no_mask(), const Compute& compute = {}) const;

  [[nodiscard]] std::size_t d_model() const { return weights_.W_Q.dim(0); }
  [[nodiscard]] std::size_t num_heads() const { return num_heads_; }
  [[nodiscard]] std::size_t head_dim() const { return d_model() / num_heads_; }
  [[nodiscard]] const MultiHeadWeights& weights() const { return weights_; }

 private:
  std::size_t num_heads_;
  MultiHeadWeights weights_;
};

}  // namespace attn
