#pragma once

#include "attention/scaled_dot_product.hpp"
#include "board/board.hpp"
#include "board/look.hpp"
#include "support/program/options.hpp"
#include "support/world/one_head.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

/// So many heads are shown beside each other, where there are more.
inline constexpr std::size_t pictured_heads = 4;
/// And so many columns of each.
inline constexpr std::size_t pictured_columns = 4;

/// What the lessons about several heads start from: one sentence, and every head of the world.
struct AllHeads {
  OneHead followed;  // the head of lessons 04 to 09, and what all share: X, the mask, the word that is followed
  std::size_t num_heads = 1;
  std::size_t head_dim = 0;
  Tensor Q, K, V;                     // [seq_len, d_model], the columns of all heads side by side
  std::vector<AttentionSteps> heads;  // what each head computes with its own columns
  std::vector<Tensor> weights;        // of each head, [seq_len, seq_len]
  std::vector<Tensor> contexts;       // of each head, [seq_len, head_dim]

  /// What stands before the names of a head's steps (heads count from 1): "head2.", or nothing where there is one head.
  [[nodiscard]] std::string prefix(std::size_t head) const;
  /// That step of each head: "head1.context", "head2.context", ...
  [[nodiscard]] std::vector<std::string> names(const std::string& step) const;
  /// The first column of Q, K, V and concat that belongs to a head, and the one after its last.
  [[nodiscard]] std::size_t begin(std::size_t head) const { return (head - 1) * head_dim; }
  [[nodiscard]] std::size_t end(std::size_t head) const { return head * head_dim; }
};

/// Throws std::invalid_argument as make_world does.
[[nodiscard]] AllHeads all_heads(const Options& options);

/// One tensor of what each head has, all of one shape: [num_heads, rows, columns], as torch.stack gives.
[[nodiscard]] Tensor stack(const std::vector<Tensor>& of_each_head);

/// Records all steps from the tokens to Q, K and V of all heads.
void record_Q_K_V(Board& board, const AllHeads& all);

/// After record_Q_K_V: records the mask and each head's steps, to its context.
void record_heads(Board& board, const AllHeads& all);

/// That step of the first heads, no more than `most`, to stand side by side: the first `columns` columns of each, where
/// it has more (0: all).
[[nodiscard]] std::vector<TableEntry> of_first_heads(const AllHeads& all, const std::string& step, std::size_t columns,
                                                     std::size_t most = pictured_heads);

/// After record_heads: records `concat`, [seq_len, d_model], each word's contexts end to end.
void record_concat(Board& board, const AllHeads& all);

/// After record_concat: shows the step `found`, what each head found for the word that is followed, a row for each.
void show_found(Board& board, const AllHeads& all);

/// The same with one more row, the average of the heads' contexts, [seq_len, head_dim]. Needs the step `stacked`: the
/// contexts, [num_heads, seq_len, head_dim].
void show_found_and_average(Board& board, const AllHeads& all, const Tensor& average);

/// After the steps `part` of each head, what it writes into the output: records `sum_of_parts` and, with b_O,
/// `added_up`.
void record_sum_of_parts(Board& board, const AllHeads& all, const std::vector<Tensor>& parts, const Tensor& added_up);

/// After that and `output`: shows the step `account`, for the word that is followed what each head writes into these
/// channels, b_O, and the output.
void show_account(Board& board, const AllHeads& all, const std::vector<std::size_t>& channels);

/// Shows the weights of the first heads as pictures, and says what is largest in each.
void show_weights_of_heads(Board& board, const AllHeads& all);

}  // namespace attn
