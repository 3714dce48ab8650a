#pragma once

#include "attention/kinds/attention.hpp"
#include "board/board.hpp"
#include "support/program/options.hpp"
#include "support/world/all_heads.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

/// The heads of a world, where several query heads share a head of keys and values.
struct SharedHeads {
  std::size_t num_kv_heads = 0;
  Tensor W_K, W_V;    // [num_kv_heads * head_dim, d_model]
  Tensor K, V;        // [num_kv_heads, seq_len, head_dim]
  FamilySteps steps;  // scores to weights [num_heads, seq_len, seq_len]; context [num_heads, seq_len, head_dim]
};

/// The same sentence and queries, with keys and values of so many heads: of each group of heads the mean of W_K and of
/// W_V. Throws std::invalid_argument when num_kv_heads does not divide num_heads.
/// Source: Ainslie et al. 2023, "GQA", section 2.1.
[[nodiscard]] SharedHeads shared_heads(const AllHeads& all, std::size_t num_kv_heads);

/// The smallest number above 1 that divides num_heads; 1 for one head.
[[nodiscard]] std::size_t smallest_group(std::size_t num_heads);

/// Heads one after the other, again and again: 1 2 1 2, which is the wrong order.
///   x [num_kv_heads, seq_len, head_dim]   returns [num_heads, seq_len, head_dim]
[[nodiscard]] Tensor tile_heads(const Tensor& x, std::size_t num_heads);

/// After record_Q_K_V: the mask, and `Q_heads`, the queries by heads.
void record_queries(Board& board, const AllHeads& all);

/// Then shared heads under a name of their own: "gqa." makes gqa.W_K, gqa.K, gqa.K_repeated (only gqa.K where each
/// query head has its own), gqa.scores, gqa.scaled, gqa.masked, gqa.weights, gqa.context; the same for V; and
/// gqa.looks, the weights of the head that the page follows, [seq_len, seq_len].
void record_shared_heads(Board& board, const AllHeads& all, const SharedHeads& shared, const std::string& prefix);

/// The ways that a page compares: heads of K and V for each query head, for each group, and one for all.
struct WaysToShare {
  SharedHeads mha, gqa, mqa;
};
/// All of that for the three, under "mha.", "gqa." and "mqa.".
void record_ways_to_share(Board& board, const AllHeads& all, const WaysToShare& ways);

/// The steps `tiled.K` and `tiled.weights`: keys of gqa in the wrong order.
void record_tiled(Board& board, const AllHeads& all, const SharedHeads& gqa, const Tensor& K_tiled,
                  const Tensor& weights);

/// The steps `copies.W_K`, with rows for every head, `copies.K` and `copies.weights`.
void record_copies(Board& board, const AllHeads& all, const Tensor& W_K_copies, const Tensor& weights);

/// The table of what is kept: heads of keys for MHA, GQA and MQA, bytes of one token and of the text.
void show_bytes(Board& board, const AllHeads& all, std::size_t num_kv_heads);

/// One number of the shared W_K by hand, of the group of the head that the page follows.
void by_hand_of_mean(Board& board, const AllHeads& all, const SharedHeads& gqa);

/// The table `asks`: the key head of each query head, both counted from 1, when heads are repeated, and tiled.
void show_whose_keys(Board& board, std::size_t num_heads, std::size_t num_kv_heads);

/// PyTorch lines that print the weights and the contexts of all heads, with keys and values of so many.
[[nodiscard]] std::vector<std::string> pytorch_lines_of_shared_heads(const AllHeads& all, const Options& options,
                                                                     std::size_t num_kv_heads);

}  // namespace attn
