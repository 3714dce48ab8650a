#pragma once

#include "attention/kinds/feed_forward.hpp"
#include "attention/kinds/layer_norm.hpp"
#include "attention/kinds/torch_multihead.hpp"
#include "attention/mask.hpp"
#include "tensor/compute.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>

namespace attn {

/// Where a layer normalizes.
enum class NormOrder {
  post,  // after each part, what was added included: norm(x + part(x))     the paper, BERT
  pre,   // before each part, and the sum stays as it is: x + part(norm(x)) GPT-2 and later; PyTorch's norm_first
};

struct LayerOptions {
  std::size_t num_heads = 1;
  NormOrder norm_order = NormOrder::post;
  Activation activation = Activation::relu;
  double epsilon = 1e-05;  // of the normalizations
  Compute compute = {};    // how products are computed
};

/// What is hidden from an attention of a layer, in the two forms that PyTorch's layers take.
struct LayerMask {
  Mask attention = no_mask();    // [seq_len_q, seq_len_kv], or one for each sentence and head: a causal mask
  Mask key_padding = no_mask();  // [batch, seq_len_kv]; [seq_len_kv] without a batch
};

/// What one encoder layer learns.
struct EncoderLayerWeights {
  TorchMultiheadWeights self_attention;
  LayerNormWeights norm_1;  // scale and bias [d_model]: of the attention
  FeedForwardWeights feed_forward;
  LayerNormWeights norm_2;  // scale and bias [d_model]: of the feed-forward network
};

/// Every step of one encoder layer. All are [.., seq_len, d_model] but what attention and network have inside.
///
///   post: attention reads x;               norm_1 reads after_attention;  network reads norm_1's output;
///         norm_2 reads after_feed_forward; output is norm_2's output
///   pre:  norm_1 reads x;                  attention reads norm_1's output;
///         norm_2 reads after_attention;    network reads norm_2's output;  output is after_feed_forward
struct EncoderLayerSteps {
  TorchMultiheadSteps self_attention;
  Tensor after_attention;  // what attention read is added back: the residual connection
  LayerNormSteps norm_1;
  FeedForwardSteps feed_forward;
  Tensor after_feed_forward;  // likewise
  LayerNormSteps norm_2;
  Tensor output;
};

/// One layer of a Transformer's encoder: tokens look at each other, then each thinks by itself.
///
///   post-norm   y = norm_1(x + attention(x)),   output = norm_2(y + network(y))
///   pre-norm    y = x + attention(norm_1(x)),   output = y + network(norm_2(y))
///
///   x        [.., seq_len, d_model]
///   mask     nothing is hidden unless it is said. PyTorch's True and False become a mask with hide_where
///   returns  all steps
///
/// There is no dropout: this is a layer in evaluation. A row whose every key is hidden becomes NaN, as in PyTorch.
/// Throws std::invalid_argument, with the values, when num_heads does not divide d_model or shapes disagree.
/// Source: Vaswani et al. 2017, section 3.1; pre-norm: Xiong et al. 2020, "On Layer Normalization in the Transformer
/// Architecture", figure 1; PyTorch nn.TransformerEncoderLayer.
[[nodiscard]] EncoderLayerSteps encoder_layer(const Tensor& x, const EncoderLayerWeights& weights,
                                              const LayerOptions& options, const LayerMask& mask = {});

}  // namespace attn
