#pragma once

#include "attention/scaled_dot_product.hpp"
#include "board/board.hpp"
#include "support/program/options.hpp"
#include "support/world/one_head.hpp"

#include <string>
#include <vector>

namespace attn {

/// The text that attention looks into where a lesson has two: what --memory says, else `otherwise`. It is also told to
/// the board, and so to the trace.
/// Throws std::invalid_argument, one clear line, when --memory has no words.
[[nodiscard]] std::string memory_text(Board& board, const Options& options, const std::string& otherwise);

/// Several sentences in one world: one table of embeddings and one set of weights. A new word has the same row in each
/// sentence, and two new words have two rows.
///   returns  for each text, in order, the head that the options name (else the one that the world chooses)
/// Throws std::invalid_argument as make_world does.
[[nodiscard]] std::vector<OneHead> sentences(const Options& options, const std::vector<std::string>& texts);

/// Records what all sentences share: embedding_table, and the head's rows of W_Q, W_K and W_V.
void record_weights_of(Board& board, const std::vector<OneHead>& all);

/// Records a sentence from its tokens to its Q, K and V under a name of its own: "memory." makes memory.tokens,
/// memory.embeddings, memory.positions, memory.X, memory.Q, memory.K and memory.V.
void record_sentence(Board& board, const OneHead& sentence, const std::string& prefix);

/// All of that: what they share, and each sentence under its own name.
void record_sentences(Board& board, const std::vector<OneHead>& all, const std::vector<std::string>& prefixes);

/// The names of the steps that an attention was given.
struct AttentionInputs {
  std::string query;
  std::string key;
  std::string value;
  std::string mask = {};  // nothing: none
};

/// Records the steps of an attention under a name of its own: "cross." makes cross.scores, cross.scaled, cross.masked
/// (where there is a mask), cross.weights and cross.context.
void record_attention(Board& board, const AttentionSteps& steps, const std::string& prefix,
                      const AttentionInputs& inputs);

}  // namespace attn
