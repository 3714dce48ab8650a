#pragma once

#include "attention/kinds/additive.hpp"
#include "attention/kinds/luong.hpp"
#include "board/board.hpp"
#include "support/program/options.hpp"
#include "support/record/counted_work.hpp"
#include "support/world/one_head.hpp"
#include "tensor/compute.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

// Steps of the lesson about additive attention, each as it follows from earlier ones.

/// What the lesson starts from: the text's steps (X, Q, ...), those of the memory (memory.X, ...), and `state`.
void record_two_texts(Board& board, const Options& options, const std::vector<OneHead>& all);

/// The steps of one state to its `scores` [1, seq_len_kv]: q, k, sums, hidden. W, U and v are there before.
void record_scores(Board& board, const Tensor& scores, const Compute& compute);

/// The table `row` of what a decoder gets: fixed, and the context.
void show_beside_fixed(Board& board, const Tensor& context, const std::vector<std::size_t>& channels);

/// How one state looks when something is left out, rows of weights [1, seq_len_kv]: `straight` (no tanh),
/// `k_alone` (nor a query), `unasked` (tanh, and no query). Their table has the right weights too.
void show_without_tanh(Board& board, const Tensor& straight, const Tensor& k_alone, const Tensor& unasked,
                       const Compute& compute);

/// Every query with every key at once, in the three ways: all.scores and all.weights (additive), dot.weights,
/// general.weights, and the steps to them. The general one's W_a is W_Q^T W_K and is never built, for s W_a is (s
/// W_Q^T) W_K: a query times W_K. As a matrix of its own it would take d_model^2 head_dim products, half a minute at
/// 2048.
void record_all_pairs(Board& board, const std::vector<OneHead>& all, const AdditiveSteps& additive,
                      const MultiplicativeSteps& dot, const MultiplicativeSteps& general);

/// What the work depends on: additive attention's hidden units, the width of the rows that meet in a dot product, and
/// how many pairs of a query and a key there are.
struct SizesOfWork {
  std::size_t units = 0;
  std::size_t d_model = 0;
  std::size_t pairs = 0;
};

/// The work by formula, rows additive and dot: `per_pair` for one pair, and `work` for all, with a sentence before
/// their table.
void show_work(Board& board, const SizesOfWork& sizes);

/// The work of both, counted while the scores of all pairs were computed.
struct WorkOfBoth {
  CountedWork additive, dot;
};

/// Whether what was counted is what the step `work` says, as a sentence with the numbers.
[[nodiscard]] std::string how_counts_compare(const Board& board, const WorkOfBoth& counted);

}  // namespace attn
