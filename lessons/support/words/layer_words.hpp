#pragma once

#include "board/board.hpp"
#include "support/world/layer_world.hpp"
#include "support/world/one_head.hpp"
#include "tensor/tensor.hpp"

#include <string>
#include <vector>

namespace attn {

// Sentences of the lesson on layers, computed from its numbers.

/// What the followed word's row came in with, what attention brought, and that the sum has both. `channels` are those
/// that a page shows; after record_attend.
[[nodiscard]] std::string what_the_sum_keeps(const Board& board, const OneHead& text,
                                             const std::vector<std::size_t>& channels);

/// How near the rows of a norm come to mean 0 and variance 1, [seq_len, d_model].
[[nodiscard]] std::string what_the_norm_reaches(const Tensor& normalized);

/// What the network does with a row, before its code.
[[nodiscard]] std::string what_the_network_is(const LayerWorld& layer);

/// What a decoder's layer has besides, before its code; `source_text` is what its memory was made of.
[[nodiscard]] std::string what_a_decoder_adds(const std::string& source_text);

/// How many hidden numbers of the followed word stay, and that its row alone gives the same; `read` and `network` are
/// what the network read and gave, [seq_len, d_model].
[[nodiscard]] std::string what_the_network_does(const OneHead& text, const LayerWorld& layer, const Tensor& activated,
                                                const Tensor& read, const Tensor& network);

/// How far the output of a layer that was made step by step is from that of one call, encoder_layer().
[[nodiscard]] std::string same_in_one_call(const Tensor& output, const OneHead& text, const LayerWorld& layer,
                                           NormOrder order);
/// The same for a decoder's layer, decoder_layer().
[[nodiscard]] std::string same_in_one_call(const Tensor& decoded, const Tensor& memory, const OneHead& text,
                                           const LayerWorld& layer);

/// What a layer adds to X, and how far its rows spread, with the norm before and after.
struct NormOrders {
  Tensor X, attention, network, pre_output, post_output;  // [seq_len, d_model]
};
[[nodiscard]] std::string what_pre_norm_leaves(const NormOrders& orders);

/// To whom in the memory the followed word gives most; after show_cross_weights.
[[nodiscard]] std::string where_it_looks_in_the_memory(const Board& board, const OneHead& text, const OneHead& source);

/// How many numbers layers learn, and which part has most; after show_parameters.
[[nodiscard]] std::string what_parameters_cost(const Board& board, const World& world);

/// What a layer gives whose parts write nothing, with the norm before and after.
[[nodiscard]] std::string what_silent_parts_leave(const OneHead& text, const LayerWorld& layer);

}  // namespace attn
