#pragma once

#include "board/board.hpp"
#include "support/world/one_head.hpp"
#include "tensor/compute.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

// Steps and tables of the lesson that tries masks out. `mask` is the causal one, and 1 keeps; the steps of one head up
// to `weights` are recorded before.

/// The word whose best score for a later word is farthest above all that it may see; the first where there is one word.
[[nodiscard]] std::size_t most_tempted_row(const Tensor& scaled);

/// Records the same mask in other notations, hide and to_add, and what each makes of the scores: by_hide, by_adding.
void record_notations(Board& board);

/// After record_notations: shows row i of the mask in each notation, `rule`, and of the scores that it leaves, `row`.
void show_notations(Board& board, std::size_t i);

/// Records the weights that three wrong readings of the mask lead to: swapped, ones_added, flipped.
void record_wrong_readings(Board& board, const Compute& compute);

/// After record_notations: records the mask and a padding, [1, seq_len] where 1 keeps, at once. As 1 keeps: both; as 1
/// hides: either_hides; as numbers to add: both_to_add. And keys that are left when only those are hidden that both
/// masks hide: too_open.
void record_two_masks(Board& board, const Tensor& padding);

/// Records a mask of j < i, the scores that it leaves, past, and their weights where an empty row is nan, zeros or
/// uniform: as_nan, as_zeros, as_uniform. And `nobody`, the first word's row of each, [3, seq_len], with what it
/// collects by them, `takes` [3, head_dim].
///   zeros, uniform   the weights by two of the conventions, [seq_len, seq_len]
void record_empty_row(Board& board, const Tensor& strict, const Tensor& zeros, const Tensor& uniform,
                      const Compute& compute);

/// After record_empty_row: shows the step `stand_ins`, the first word's weights where a stand-in is added in place of
/// -inf to each of its scores. Records `habit` besides, [seq_len, seq_len], where that is -1e9 for all words.
void show_empty_row_by_stand_in(Board& board, const Compute& compute);

/// Shows the step `leaks`: what word i gives to words that the mask hides from it. One row for each stand-in,
/// one column for each factor that the scores grow by.
void show_growing_scores(Board& board, std::size_t i, const Compute& compute);

/// PyTorch lines that print masked, by_adding, as_nan and habit.
[[nodiscard]] std::vector<std::string> pytorch_lines_of_notations(const OneHead& head, const Options& options);

}  // namespace attn
