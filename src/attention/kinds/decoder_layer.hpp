#pragma once

#include "attention/kinds/encoder_layer.hpp"
#include "attention/kinds/feed_forward.hpp"
#include "attention/kinds/layer_norm.hpp"
#include "attention/kinds/torch_multihead.hpp"
#include "tensor/tensor.hpp"

namespace attn {

/// What one decoder layer learns.
struct DecoderLayerWeights {
  TorchMultiheadWeights self_attention;
  LayerNormWeights norm_1;  // scale and bias [d_model]: of the self-attention
  TorchMultiheadWeights cross_attention;
  LayerNormWeights norm_2;  // of the cross-attention
  FeedForwardWeights feed_forward;
  LayerNormWeights norm_3;  // of the feed-forward network
};

/// Every step of one decoder layer; where each norm stands is said at EncoderLayerSteps.
struct DecoderLayerSteps {
  TorchMultiheadSteps self_attention;
  Tensor after_self_attention;  // [.., seq_len, d_model]
  LayerNormSteps norm_1;
  TorchMultiheadSteps cross_attention;
  Tensor after_cross_attention;  // [.., seq_len, d_model]
  LayerNormSteps norm_2;
  FeedForwardSteps feed_forward;
  Tensor after_feed_forward;  // [.., seq_len, d_model]
  LayerNormSteps norm_3;
  Tensor output;  // [.., seq_len, d_model]
};

struct DecoderMasks {
  LayerMask target;  // of the self-attention: here the causal mask belongs
  LayerMask memory;  // of the cross-attention: the source's padding; never causal
};

/// One layer of a Transformer's decoder: tokens look at each other (at earlier ones, with a causal mask), then at the
/// encoder's output, then each thinks by itself.
///
///   post-norm   y = norm_1(x + self_attention(x)),       z = norm_2(y + cross_attention(y, memory)),
///               output = norm_3(z + network(z))
///   pre-norm    y = x + self_attention(norm_1(x)),       z = y + cross_attention(norm_2(y), memory),
///               output = z + network(norm_3(z))
///
///   x        [.., seq_len, d_model]
///   memory   [.., source_len, d_model]: the encoder's output. Keys and values of the cross-attention come from it, the
///            queries from the decoder; it is not normalized here
///   masks    nothing is hidden unless it is said; the causal mask is {.target = {.attention = keep_where(mask)}}
///   returns  all steps
///
/// There is no dropout: this is a layer in evaluation.
/// Throws std::invalid_argument, with the values, when num_heads does not divide d_model or shapes disagree.
/// Source: Vaswani et al. 2017, sections 3.1 and 3.2.3; PyTorch nn.TransformerDecoderLayer.
[[nodiscard]] DecoderLayerSteps decoder_layer(const Tensor& x, const Tensor& memory, const DecoderLayerWeights& weights,
                                              const LayerOptions& options, const DecoderMasks& masks);

}  // namespace attn
