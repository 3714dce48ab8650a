#pragma once

#include "board/board.hpp"
#include "support/world/layer_world.hpp"
#include "support/world/one_head.hpp"
#include "support/world/world.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

// The parts of a layer, recorded in the trace with where each step came from. A part reads earlier steps by their
// names.

/// Both texts, from their tokens to X and memory.X, and all weights of the layer.
void record_inputs(Board& board, const OneHead& text, const OneHead& memory, const LayerWorld& layer);

/// The steps that attention is given: queries of one, keys and values of the other.
struct Attended {
  std::string query;
  std::string memory;
  std::string mask = {};  // nothing: none
};

/// All heads at once under a name of their own: "cross." makes cross.Q, cross.K, cross.V, cross.scores to
/// cross.weights, cross.context, cross.concat and cross.attention.
void record_attend(Board& board, const World& world, const std::string& prefix, const Attended& attended);

/// `name`, the step `from` normalized.
void record_norm(Board& board, const std::string& name, const std::string& from);

/// The network: prefix.hidden, prefix.activated, prefix.network.
void record_think(Board& board, const LayerWorld& layer, const std::string& prefix, const std::string& from);

/// The first sum: the attention of X under no name, `attention`, and after_attention, X + attention.
void record_first_sum(Board& board, const World& world, const Tensor& after_attention);

/// From norm_1 through the network to after_network and `output`.
void record_to_output(Board& board, const LayerWorld& layer);

/// A list as a column, [n] to [n, 1].
[[nodiscard]] Tensor column(const Tensor& list);

/// row_mean, centered and variance of the step after_attention, [seq_len], [seq_len, d_model], [seq_len].
void record_moments(Board& board, const Tensor& row_mean, const Tensor& centered, const Tensor& variance);

/// The pre-norm layer, under "pre.": to pre.after_attention and pre.output.
void record_pre_norm(Board& board, const World& world, const LayerWorld& layer, const Tensor& after_attention,
                     const Tensor& output);

/// What a decoder's layer computes.
struct Decoded {
  Tensor memory;   // [source_len, d_model]
  Tensor y, z;     // after self-attention and after cross-attention, [seq_len, d_model]
  Tensor decoded;  // [seq_len, d_model]
};
/// memory under "source.", then y under "self.", z under "cross." and decoded under "last.".
void record_decoder(Board& board, const OneHead& text, const LayerWorld& layer, const Decoded& steps);

/// Records `cross_weights`, of the head that is followed, [seq_len, source_len], and shows the row of the word that is
/// followed.
void show_cross_weights(Board& board, const OneHead& text);

/// Shows how many numbers each part of an encoder's and a decoder's layer learns, and all together: `learned`.
void show_parameters(Board& board, const LayerWorld& layer);

}  // namespace attn
