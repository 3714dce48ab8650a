#pragma once

#include "board/board.hpp"
#include "support/program/options.hpp"
#include "support/world/world.hpp"
#include "tensor/tensor.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace attn {

/// The sentences of a text side by side, as a module takes them: the short ones are filled up with padding.
struct Batch {
  World world;                                  // of the whole text
  std::vector<std::size_t> lengths;             // tokens of each sentence
  std::size_t seq_len = 0;                      // of all sentences, filled up
  std::vector<std::vector<std::string>> words;  // of each sentence, then <pad> for padding
  Tensor ids;                                   // [batch, seq_len]
  bool waves = true;                            // false: --positions none
  Tensor positions;                             // [seq_len, d_model]
  Tensor X;                                     // [batch, seq_len, d_model]
  std::size_t b = 0;                            // the sentence that pages follow: the first of the shortest

  [[nodiscard]] std::size_t size() const { return lengths.size(); }
  /// True where all sentences are equally long, and each got padding only to be seen.
  [[nodiscard]] bool filled_up() const { return seq_len > *std::max_element(lengths.begin(), lengths.end()); }
  /// How many words the followed sentence has, and how much padding.
  [[nodiscard]] std::size_t length() const { return lengths[b]; }
  [[nodiscard]] std::size_t padding() const { return seq_len - lengths[b]; }
};

/// A sentence ends with a full stop, a question mark or an exclamation mark. All are filled up to the longest; where
/// they are equally long, or there is only one, with two tokens more, so that there is padding to see.
/// Throws std::invalid_argument as make_world does.
[[nodiscard]] Batch make_batch(const Options& options);

/// Records all steps of a batch from its sentences to X, and the weights: W_Q, W_K, W_V, W_O and b_O.
void record_batch(Board& board, const Batch& batch);

}  // namespace attn
