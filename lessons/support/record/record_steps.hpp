#pragma once

#include "attention/scaled_dot_product.hpp"
#include "board/board.hpp"
#include "support/program/options.hpp"
#include "support/world/world.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

// The steps from the tokens to the output, recorded in the trace with where each came from: a lesson computes them, and
// says by one of these calls that they are the steps which every lesson knows by these names.

/// What stands before the names of a head's steps (heads count from 1): "head2.", or nothing where there is one head.
[[nodiscard]] std::string head_prefix(const World& world, std::size_t head);

/// tokens, embedding_table, embeddings [seq_len, d_model]
void record_embeddings(Board& board, const World& world, const Tensor& embeddings);

/// After that: positions and X [seq_len, d_model]
void record_X(Board& board, const Options& options, const Tensor& positions, const Tensor& X);

/// After that: W_Q, W_K, W_V [d_model, d_model]; Q, K, V [seq_len, d_model], the columns of all heads side by side
void record_Q_K_V(Board& board, const World& world, const Tensor& Q, const Tensor& K, const Tensor& V);

/// After that: mask [seq_len, seq_len], and each head's steps, to its context
void record_heads(Board& board, const World& world, const Tensor& mask, const std::vector<AttentionSteps>& heads);

/// After that: W_O, b_O, concat and output [seq_len, d_model]
void record_output(Board& board, const World& world, const Tensor& all_contexts, const Tensor& output);

}  // namespace attn
