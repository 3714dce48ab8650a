#pragma once

#include "attention/kinds/attention.hpp"
#include "attention/kinds/cache.hpp"
#include "board/board.hpp"
#include "support/program/options.hpp"
#include "support/world/one_head.hpp"
#include "tensor/compute.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

// Steps and tables of the lesson on the cache. The causal steps of one head, of all words at once, are recorded before.

/// The first word that is written by itself: 0, or in a long text the one from which on a page has room.
[[nodiscard]] std::size_t first_written(std::size_t seq_len);

/// What stands before the names of word t's own steps: "step1." for the first.
[[nodiscard]] std::string step_prefix(std::size_t t);

/// Records the keys and values that are there before the first word is written; nothing when there are none.
void record_start(Board& board, const KeyValueCache& cache);

/// Records the step of word t, in order: x, query, key, value, K, V, scores, scaled, weights and context.
///   cache   the keys and values with the new ones, [t + 1, head_dim] each
void record_step(Board& board, std::size_t t, const KeyValueCache& cache, const FamilySteps& step,
                 const Compute& compute);

/// After all steps: records their rows below each other, written.weights (0 where a key was not there yet) and
/// written.context, and the same rows of what was computed at once, weights.last and context.last.
void record_written(Board& board, std::size_t seq_len);

/// Records how far the last word moves the context of each word before it, [1, seq_len - 1], with nothing hidden
/// (open.moved) and with the causal mask (causal.moved). Needs two words.
void record_old_words(Board& board, std::size_t seq_len, const Compute& compute);

/// Records `work`, [6, seq_len], counts for each word's step: how often its query is read, and its key; how many rows
/// of K the step makes, and how many without a cache; how many scores, and how many without. And their sums,
/// `work_sum`.
void record_work(Board& board, std::size_t seq_len);

/// Records what the last words find when they come together, with each mask and with none: corner.left, corner.right
/// and corner.open, [chunk, seq_len], and their contexts, corner.left_context and so on. And the last word alone,
/// alone.left and alone.right, [1, seq_len].
///   top_left, bottom_right   the causal masks, [chunk, seq_len]
void record_corners(Board& board, const Tensor& top_left, const Tensor& bottom_right, const Compute& compute);

/// PyTorch lines that print the context word by word and all at once.
[[nodiscard]] std::vector<std::string> pytorch_lines_of_cache(const OneHead& head, const Options& options);

}  // namespace attn
