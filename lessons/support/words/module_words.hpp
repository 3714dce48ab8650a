#pragma once

#include "attention/kinds/dropout.hpp"
#include "attention/multi_head.hpp"
#include "board/board.hpp"
#include "support/world/batch.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
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

/// The mask that hides padding in its rows, [batch, 1, seq_len, 1], and what comes of it; and the followed sentence
/// without padding, [1, length, d_model], and what comes of that.
struct HiddenRows {
  Tensor row_mask;
  MultiHeadSteps by_rows;
  Tensor alone_X;
  MultiHeadSteps alone;
};
/// Records them as row_mask, by_rows.Q, ..., alone.X, alone.Q, ...; and of this head (from 1) the matrices
/// hidden_columns (of `weights`) and hidden_rows.
void record_hidden_rows(Board& board, const Batch& batch, std::size_t head, const HiddenRows& steps);

/// Records a draw as `kept`, the weights that it leaves as `dropped`, and of this head (from 1) the matrices kept_here
/// and dropped_here. After record_hidden_rows, with the rows of words of all three: hidden_columns.words and so on.
void record_dropped(Board& board, const Batch& batch, std::size_t head, const Dropout& draw, const Tensor& dropped);

/// Random numbers from a seed. Held by a pointer, so that a lesson can do without the header of the engine, which
/// takes the compiler as long as a third of the lesson.
[[nodiscard]] std::shared_ptr<Random> random_numbers(std::uint64_t seed);

/// What padding does here: "The shorter ones are filled up", and so on.
[[nodiscard]] std::string how_it_is_filled_up(const Batch& batch);

/// The followed sentence's word that gives most to padding, in this head (from 1).
[[nodiscard]] std::size_t looks_most_at_padding(const Batch& batch, const Tensor& weights, std::size_t head);

/// All that word i of the followed sentence gives to padding.
[[nodiscard]] double given_to_padding(const Batch& batch, const Tensor& weights, std::size_t head, std::size_t i);

/// The followed sentence's output without its padding: [length, d_model].
[[nodiscard]] Tensor output_of_words(const Batch& batch, const Tensor& output);

/// How far the followed sentence's output in the batch is from what it is alone, with padding hidden in its columns,
/// and in its rows.
[[nodiscard]] std::string how_alone_differs(const Batch& batch, const MultiHeadSteps& by_columns,
                                            const MultiHeadSteps& by_rows, const MultiHeadSteps& alone);

/// "2 sentences, 4 heads in each, 7 words in each, 4 channels for each".
[[nodiscard]] std::string read_aloud(const Batch& batch, std::size_t head_dim);

/// What the module says to sizes that do not go together.
[[nodiscard]] std::string refusal(std::size_t d_model, std::size_t num_heads);

/// What comes of a mask [batch, 1, seq_len] without an axis for the heads: refused, or hiding the wrong words.
[[nodiscard]] std::string what_a_mask_without_heads_does(const Batch& batch, const Tensor& scaled, const Tensor& mask);

/// How far two draws of dropout move the output of the followed sentence's words apart: the largest difference.
[[nodiscard]] Value between_two_draws(const Batch& batch, const MultiHeadSteps& steps, Random& random, float rate);

/// Of [batch, num_heads, seq_len, seq_len] the rows of words, not of padding: [rows, seq_len].
[[nodiscard]] Tensor rows_of_words(const Batch& batch, const Tensor& of_heads);

/// The smallest and the largest sum of the rows: "from 0.320 to 1.940".
[[nodiscard]] std::string spread_of_row_sums(const Tensor& rows);

/// What a row of weights adds up to after dropout, on average over so many draws.
[[nodiscard]] double mean_sum_of_draws(const Tensor& row, std::size_t draws, Random& random, float rate);

/// What rows add up to after dropout at a rate of a half, the weights being `dropped` [batch, num_heads, seq_len,
/// seq_len]; and what the row of a word does on average over so many draws.
struct AverageSum {
  std::string word;
  std::size_t draws;
  double mean;
};
[[nodiscard]] std::string what_dropout_leaves(const Batch& batch, const Tensor& dropped, const AverageSum& average);

/// How prose names word i of the followed sentence: "dog" in quotes, or "the" (number 2).
[[nodiscard]] std::string name_in(const Batch& batch, std::size_t i);

/// The words of the followed sentence, how much padding it has, and that its rows of X are seldom 0.
[[nodiscard]] std::string what_padding_holds(const Batch& batch);

/// PyTorch lines of the whole module in evaluation mode. For weights made by hand they set those of this head (from 1),
/// and print its weights [batch, 1, seq_len, seq_len]; else they print the output for the batch.
[[nodiscard]] std::vector<std::string> pytorch_lines_of_module(const Batch& batch, const Options& options,
                                                               std::size_t head);

}  // namespace attn
