#pragma once

#include "attention/multi_head.hpp"
#include "board/board.hpp"
#include "support/world/batch.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

class Random;

// The lesson on the module and its batch: what it records, and sentences computed from its numbers.

/// Records what the module computes from `x` under a name of its own: "alone." makes alone.Q, alone.Q_heads, ...,
/// alone.scores, alone.scaled, alone.masked (where there is a mask), alone.weights, alone.context, alone.concat and
/// alone.output.
void record_module(Board& board, const Batch& batch, const MultiHeadSteps& steps, const std::string& prefix,
                   const std::string& x, const std::string& mask);

/// Records the matrix [seq_len, seq_len] that the followed sentence has in this head (from 1) of a step
/// [batch, heads, seq_len, seq_len], with its words. Of a mask [batch, 1, 1, seq_len], its one row.
void record_matrix(Board& board, const Batch& batch, const std::string& name, const std::string& of, std::size_t head);

/// Records of such a matrix the rows of words, without those of padding: step.words.
void record_words(Board& board, const Batch& batch, const std::string& step);

/// The followed sentence's word that gives most to padding, in this head (from 1).
[[nodiscard]] std::size_t looks_most_at_padding(const Batch& batch, const Tensor& weights, std::size_t head);

/// All that word i of the followed sentence gives to padding.
[[nodiscard]] double given_to_padding(const Batch& batch, const Tensor& weights, std::size_t head, std::size_t i);

/// The followed sentence's output without its padding: [length, d_model].
[[nodiscard]] Tensor output_of_words(const Batch& batch, const Tensor& output);

/// "2 sentences, 4 heads in each, 7 words in each, 4 channels for each".
[[nodiscard]] std::string read_aloud(const Batch& batch, std::size_t head_dim);

/// What the module says to sizes that do not go together.
[[nodiscard]] std::string refusal(std::size_t d_model, std::size_t num_heads);

/// What comes of a mask [batch, 1, seq_len] without an axis for the heads: refused, or hiding the wrong words.
[[nodiscard]] std::string what_a_mask_without_heads_does(const Batch& batch, const Tensor& scaled, const Tensor& mask);

/// How far two draws of dropout move the output of the followed sentence's words apart: the largest difference.
[[nodiscard]] double between_two_draws(const Batch& batch, const MultiHeadSteps& steps, Random& random, float rate);

/// Of [batch, num_heads, seq_len, seq_len] the rows of words, not of padding: [rows, seq_len].
[[nodiscard]] Tensor rows_of_words(const Batch& batch, const Tensor& of_heads);

/// The smallest and the largest sum of the rows: "from 0.320 to 1.940".
[[nodiscard]] std::string spread_of_row_sums(const Tensor& rows);

/// What a row of weights adds up to after dropout, on average over so many draws.
[[nodiscard]] double mean_sum_of_draws(const Tensor& row, std::size_t draws, Random& random, float rate);

/// How prose names word i of the followed sentence: "dog" in quotes, or "the" (number 2).
[[nodiscard]] std::string name_in(const Batch& batch, std::size_t i);

/// How much padding the followed sentence has, and that its rows of X are seldom 0.
[[nodiscard]] std::string what_padding_holds(const Batch& batch);

/// PyTorch lines of the whole module in evaluation mode. For weights made by hand they set those of this head (from 1),
/// and print its weights [batch, 1, seq_len, seq_len]; else they print the output for the batch.
[[nodiscard]] std::vector<std::string> pytorch_lines_of_module(const Batch& batch, const Options& options,
                                                               std::size_t head);

}  // namespace attn
