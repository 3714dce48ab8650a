#pragma once

#include "attention/kinds/decoder_layer.hpp"
#include "attention/kinds/encoder_layer.hpp"
#include "attention/kinds/feed_forward.hpp"
#include "attention/kinds/layer_norm.hpp"
#include "support/program/options.hpp"
#include "support/world/one_head.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attn {

/// What a layer has besides attention. The attention's own weights are the world's, wherever a layer attends; the
/// network is drawn as PyTorch draws it, in every world; the norm has learned nothing yet.
struct LayerWorld {
  std::size_t hidden_dim = 0;   // of the network: 4 * d_model, as in the paper
  std::uint64_t seed = 0;       // of the network: one more than that of the options
  FeedForwardWeights network;   // [hidden_dim, d_model], [hidden_dim], [d_model, hidden_dim], [d_model]
  LayerNormWeights norm;        // ones and zeros, [d_model]
  EncoderLayerWeights encoder;  // the same weights, as the library's layers take them
  DecoderLayerWeights decoder;  // likewise
  LayerOptions options;         // post-norm, relu
};

/// The layer for sentences of one world.
/// Throws std::invalid_argument, with the sizes, when they together would take minutes.
[[nodiscard]] LayerWorld layer_world(const std::vector<OneHead>& sentences, const Options& options);

/// Lines that print norm_1 of a word and the layer's output, by PyTorch's own layer. In the crafted world they start
/// from `after_attention`, the word's row before the norm, [1, d_model]; in others from the text, and print the outputs
/// of all words, with norm_first False and True.
[[nodiscard]] std::vector<std::string> pytorch_lines_of_layer(const World& world, const Options& options,
                                                              const LayerWorld& layer, const Tensor& after_attention);

}  // namespace attn
