#include "attention/kinds/decoder_layer.hpp"

#include "tensor/elementwise.hpp"

namespace attn {

DecoderLayerSteps decoder_layer(const Tensor& x, const Tensor& memory, const DecoderLayerWeights& weights,
                                const LayerOptions& options, const DecoderMasks& masks) {
  const auto with = [&](const LayerMask& mask) {
    return TorchMultiheadOptions{.num_heads = options.num_heads,
                                 .attn_mask = mask.attention,
                                 .key_padding = mask.key_padding,
                                 .compute = options.compute};
  };
  const auto attend = [&](const Tensor& from) {
    return torch_multihead_attention(from, from, from, weights.self_attention, with(masks.target));
  };
  const auto attend_to_memory = [&](const Tensor& from) {
    return torch_multihead_attention(from, memory, memory, weights.cross_attention, with(masks.memory));
  };
  const auto think = [&](const Tensor& from) {
    return feed_forward(from, weights.feed_forward, options.activation, options.compute);
  };
  const auto norm = [&](const Tensor& from, const LayerNormWeights& learned) {
    return layer_norm(from, learned, {.epsilon = options.epsilon});
  };

  DecoderLayerSteps steps;
  if (options.norm_order == NormOrder::post) {
    steps.self_attention = attend(x);
    steps.after_self_attention = add(x, steps.self_attention.output);
    steps.norm_1 = norm(steps.after_self_attention, weights.norm_1);

    steps.cross_attention = attend_to_memory(steps.norm_1.output);
    steps.after_cross_attention = add(steps.norm_1.output, steps.cross_attention.output);
    steps.norm_2 = norm(steps.after_cross_attention, weights.norm_2);

    steps.feed_forward = think(steps.norm_2.output);
    steps.after_feed_forward = add(steps.norm_2.output, steps.feed_forward.output);
    steps.norm_3 = norm(steps.after_feed_forward, weights.norm_3);
    steps.output = steps.norm_3.output;
  } else {
    steps.norm_1 = norm(x, weights.norm_1);
    steps.self_attention = attend(steps.norm_1.output);
    steps.after_self_attention = add(x, steps.self_attention.output);

    steps.norm_2 = norm(steps.after_self_attention, weights.norm_2);
    steps.cross_attention = attend_to_memory(steps.norm_2.output);
    steps.after_cross_attention = add(steps.after_self_attention, steps.cross_attention.output);

    steps.norm_3 = norm(steps.after_cross_attention, weights.norm_3);
    steps.feed_forward = think(steps.norm_3.output);
    steps.after_feed_forward = add(steps.after_cross_attention, steps.feed_forward.output);
    steps.output = steps.after_feed_forward;
  }
  return steps;
}

}  // namespace attn
