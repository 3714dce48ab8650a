#pragma once

#include "attention/kinds/decoder_layer.hpp"
#include "attention/kinds/encoder_layer.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/random.hpp"

#include <cstddef>

namespace attn {

// Random weights for whole layers, biases and scales of norms included, so that a forgotten one shows.

inline TorchMultiheadWeights random_attention(Random& random, std::size_t d_model) {
  return {.W_Q = linear_weight(random, d_model, d_model),
          .W_K = linear_weight(random, d_model, d_model),
          .W_V = linear_weight(random, d_model, d_model),
          .b_Q = random.normal({d_model}),
          .b_K = random.normal({d_model}),
          .b_V = random.normal({d_model}),
          .W_O = linear_weight(random, d_model, d_model),
          .b_O = random.normal({d_model})};
}

inline LayerNormWeights random_norm(Random& random, std::size_t d_model) {
  return {.scale = add(random.normal({d_model}), Tensor(Shape{}, 1.0F)), .bias = random.normal({d_model})};
}

inline FeedForwardWeights random_feed_forward(Random& random, std::size_t d_model, std::size_t hidden_dim) {
  return {.W_1 = linear_weight(random, d_model, hidden_dim),
          .b_1 = random.normal({hidden_dim}),
          .W_2 = linear_weight(random, hidden_dim, d_model),
          .b_2 = random.normal({d_model})};
}

inline EncoderLayerWeights random_encoder_layer(Random& random, std::size_t d_model, std::size_t hidden_dim) {
  return {.self_attention = random_attention(random, d_model),
          .norm_1 = random_norm(random, d_model),
          .feed_forward = random_feed_forward(random, d_model, hidden_dim),
          .norm_2 = random_norm(random, d_model)};
}

inline DecoderLayerWeights random_decoder_layer(Random& random, std::size_t d_model, std::size_t hidden_dim) {
  return {.self_attention = random_attention(random, d_model),
          .norm_1 = random_norm(random, d_model),
          .cross_attention = random_attention(random, d_model),
          .norm_2 = random_norm(random, d_model),
          .feed_forward = random_feed_forward(random, d_model, hidden_dim),
          .norm_3 = random_norm(random, d_model)};
}

}  // namespace attn
