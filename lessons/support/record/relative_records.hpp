#pragma once

#include "attention/kinds/rotary.hpp"
#include "board/board.hpp"
#include "support/world/one_head.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>

namespace attn {

// The longer steps of the lesson on relative positions, each recorded with where it came from. `more` is how many
// places later the text stands the second time; `turning` how many channels turn.

/// Channels turn in pairs: all of a head, or all but the last.
[[nodiscard]] std::size_t channels_that_turn(const OneHead& head);

/// x turned by its places from `first` on.
[[nodiscard]] Tensor turned_at(const Tensor& x, std::size_t first, std::size_t turning, RotaryLayout layout);

/// The scores of the head when waves are added to the embeddings, for a text whose first word stands at place `first`:
/// [seq_len, seq_len].
[[nodiscard]] Tensor scores_with_waves(const OneHead& head, std::size_t first);

/// Row i of a matrix, as a list.
[[nodiscard]] Tensor row_of(const Tensor& matrix, std::size_t i);

/// The row that has the largest difference.
[[nodiscard]] std::size_t row_that_differs_most(const Tensor& a, const Tensor& b);

/// The places of the words, the same later, and `distances`, j - i.
void record_places(Board& board, const OneHead& head, std::size_t more, const Tensor& distances);

/// The scores of X with waves added for both places, and all that they are made of.
void record_added(Board& board, const OneHead& head, std::size_t more, const Tensor& added, const Tensor& added_later);

/// Shows the first pair of a query at each place, and its squared length. `query` is row i of Q again and again.
void show_clock(Board& board, const Tensor& clock, const Tensor& query, const Tensor& turned, std::size_t turning,
                std::size_t i);

/// Scores of turned queries and keys.
struct RotaryScores {
  Tensor rotary, moved;  // [seq_len, seq_len]
  Tensor alone;          // [1, seq_len], of a query that does not turn
};
void record_rotary(Board& board, const OneHead& head, std::size_t more, const RotaryScores& scores);

/// Records `halves`, the scores in the other layout, and `mixed`, of a query in one with a key in the other, both
/// [seq_len, seq_len]; and what they are when the text stands later: halves_moved, mixed_moved. After record_rotary.
void record_layouts(Board& board, const OneHead& head, std::size_t more, const Tensor& halves, const Tensor& mixed);

/// All [num_heads, seq_len, seq_len]: the scores of the followed head with the slope of each.
struct AlibiWeights {
  Tensor bias, nearer, farther;
};
void record_alibi(Board& board, const OneHead& head, const Tensor& slopes, const AlibiWeights& weights);

/// How many slopes that table has: the first ones.
[[nodiscard]] std::size_t slopes_shown(const Tensor& slopes);

/// After that: the weights of the last word, without slope, with that of the first heads, and with the sign mistaken.
void show_slopes(Board& board, const OneHead& head, const Tensor& slopes);

}  // namespace attn
