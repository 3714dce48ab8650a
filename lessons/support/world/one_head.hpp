#pragma once

#include "attention/scaled_dot_product.hpp"
#include "board/board.hpp"
#include "support/program/options.hpp"
#include "support/record/record_head.hpp"
#include "support/world/world.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

/// What the lessons about a single head start from: one sentence, and one head of the world with its own rows of W_Q,
/// W_K and W_V. In lesson 10 it turns out to be one of several.
struct OneHead {
  World world;
  std::size_t head = 1;      // its number, from 1
  std::size_t head_dim = 0;  // rows of W_Q, W_K and W_V; columns of Q, K and V
  bool waves = true;         // false: --positions none, and positions are zeros
  std::size_t i = 0;         // the token that pages follow, and how prose names it
  std::string word;
  Tensor embeddings, positions, X;   // [seq_len, d_model]
  Tensor W_Q, W_K, W_V;              // [head_dim, d_model]
  Tensor Q, K, V;                    // [seq_len, head_dim]
  Tensor mask;                       // [seq_len, seq_len], 1 keeps
  std::vector<std::size_t> columns;  // those of Q, K and V that a page has room for: the first four
  AttentionSteps steps;              // scores, scaled, masked, weights, context
};

/// Throws std::invalid_argument as make_world does.
[[nodiscard]] OneHead one_head(const Options& options);
/// The same for a world that was built already, with its own sentence.
[[nodiscard]] OneHead one_head(World made, const Options& options);

/// Computes every step of the head anew, embeddings to context: for one whose text or weights were changed.
void compute_steps(OneHead& head);

/// The option that follows the next head instead, for an experiment: "--head 3". Empty where there is no other.
[[nodiscard]] std::string another_head(const OneHead& head);

/// Records the head's rows of W_Q, W_K and W_V, with their names.
void record_head_weights(Board& board, const OneHead& head);

/// Records every step of the head from the tokens on, up to and with `until`, under its name in the trace.
void record_until(Board& board, const OneHead& head, Until until);

}  // namespace attn
