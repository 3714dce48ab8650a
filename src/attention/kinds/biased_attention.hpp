#pragma once

#include "attention/mask.hpp"
#include "attention/multi_head.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>

namespace attn {

/// The four maps of multi-head attention as the layers of PyTorch and BERT have them: all with a bias.
struct BiasedAttentionWeights {
  Tensor W_Q;  // [d_model, d_model]
  Tensor b_Q;  // [d_model]
  Tensor W_K;  // [d_model, d_model]
  Tensor b_K;  // [d_model]
  Tensor W_V;  // [d_model, d_model]
  Tensor b_V;  // [d_model]
  Tensor W_O;  // [d_model, d_model]
  Tensor b_O;  // [d_model]
};

/// PyTorch keeps W_Q, W_K and W_V as the rows of one matrix; this cuts it in three.
///   in_proj_weight  [3 d_model, d_model]   in_proj_bias [3 d_model]
///   out_proj_weight [d_model, d_model]     out_proj_bias [d_model]
/// Throws std::invalid_argument, naming the shapes, when they are others.
[[nodiscard]] BiasedAttentionWeights from_in_projection(const Tensor& in_proj_weight, const Tensor& in_proj_bias,
                                                        const Tensor& out_proj_weight, const Tensor& out_proj_bias);

/// multi_head_attention with a bias on each of its maps. Shapes, masks and errors as there.
/// Source: Vaswani et al. 2017, section 3.2.2; the biases are those of PyTorch's nn.MultiheadAttention and of BERT.
[[nodiscard]] MultiHeadSteps biased_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                              const BiasedAttentionWeights& weights, std::size_t num_heads,
                                              const Mask& mask = no_mask());

}  // namespace attn
