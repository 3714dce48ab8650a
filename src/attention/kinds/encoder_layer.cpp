#include "attention/kinds/encoder_layer.hpp"

#include "tensor/elementwise.hpp"

namespace attn {

EncoderLayerSteps encoder_layer(const Tensor& x, const EncoderLayerWeights& weights, const LayerOptions& options,
                                const LayerMask& mask) {
  const auto attend = [&](const Tensor& from) {
    return torch_multihead_attention(from, from, from, weights.self_attention,
                                     {.num_heads = options.num_heads,
                                      .attn_mask = mask.attention,
                                      .key_padding = mask.key_padding,
                                      .compute = options.compute});
  };
  const auto think = [&](const Tensor& from) {
    return feed_forward(from, weights.feed_forward, options.activation, options.compute);
  };
  const auto norm_1 = [&](const Tensor& from) {
    return layer_norm(from, weights.norm_1, {.epsilon = options.epsilon});
  };
  const auto norm_2 = [&](const Tensor& from) {
    return layer_norm(from, weights.norm_2, {.epsilon = options.epsilon});
  };

  EncoderLayerSteps steps;
  if (options.norm_order == NormOrder::post) {
    steps.self_attention = attend(x);
    steps.after_attention = add(x, steps.self_attention.output);
    steps.norm_1 = norm_1(steps.after_attention);

    steps.feed_forward = think(steps.norm_1.output);
    steps.after_feed_forward = add(steps.norm_1.output, steps.feed_forward.output);
    steps.norm_2 = norm_2(steps.after_feed_forward);
    steps.output = steps.norm_2.output;
  } else {
    steps.norm_1 = norm_1(x);
    steps.self_attention = attend(steps.norm_1.output);
    steps.after_attention = add(x, steps.self_attention.output);

    steps.norm_2 = norm_2(steps.after_attention);
    steps.feed_forward = think(steps.norm_2.output);
    steps.after_feed_forward = add(steps.after_attention, steps.feed_forward.output);
    steps.output = steps.after_feed_forward;
  }
  return steps;
}

}  // namespace attn
