#pragma once

#include "board/board.hpp"
#include "board/value.hpp"
#include "support/program/options.hpp"
#include "support/world/one_head.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

// The lesson on relative positions: its sentences, computed from its numbers, its PyTorch lines, and the records of
// its longer steps. `more` is how many places later the text stands the second time; `turning` how many channels turn.

/// "places 0 to 6", or "place 0" for one word.
[[nodiscard]] std::string places_in_words(std::size_t first, std::size_t seq_len);

/// The pairs of channels that turn together, where partners stand so far apart: "0 with 1, 2 with 3".
[[nodiscard]] std::string pairs_in_words(std::size_t turning, std::size_t apart);

/// How far added waves move the scores of a text that stands later, and why they do in this world.
[[nodiscard]] std::string why_added_places_show(const World& world, const Value& difference);

/// How far the scores of turned queries and keys move.
[[nodiscard]] std::string how_far_it_moves(const Value& difference);

/// How little the lengths change of one query turned by several places, [places, head_dim], and when its first pair is
/// back.
[[nodiscard]] std::string what_turning_keeps(const Tensor& turned, std::size_t turning);

/// What the layout in halves does, and what mixing both does: how far its scores are from those of neighbours, and how
/// far its own and the mixed ones move when the text stands later.
[[nodiscard]] std::string what_layouts_do(std::size_t turning, const Value& from_neighbours, const Value& halves_move,
                                          const Value& mixed_move);

/// "1/4, 1/16, 1/64 and 1/256": the first of them, where they are many.
[[nodiscard]] std::string slopes_in_words(const Tensor& slopes);

/// What the last word gives itself and the first word, with the first head's slope and with its sign mistaken.
[[nodiscard]] std::string what_slopes_do(const OneHead& head, const Tensor& nearer, const Tensor& farther);

/// The slopes of six heads, and those that the formula for powers of two would give.
[[nodiscard]] std::string what_six_heads_take();

/// Whether a context moves when the text stands later, with values as they are and with values that are turned.
[[nodiscard]] std::string what_turned_values_do(const OneHead& head, std::size_t more);

/// Row i of a matrix, as a list.
[[nodiscard]] Tensor row_of(const Tensor& matrix, std::size_t i);

/// The row that has the largest difference.
[[nodiscard]] std::size_t row_that_differs_most(const Tensor& a, const Tensor& b);

// Records, each with where it came from.

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

/// Scores in the other layout, and of a query in one with a key in the other; all [seq_len, seq_len].
struct LayoutScores {
  Tensor halves, halves_moved, mixed, mixed_moved;
};
/// After record_rotary.
void record_layouts(Board& board, const OneHead& head, std::size_t more, const LayoutScores& scores);

/// All [num_heads, seq_len, seq_len]: the scores of the followed head with the slope of each.
struct AlibiWeights {
  Tensor bias, nearer, farther;
};
void record_alibi(Board& board, const OneHead& head, const Tensor& slopes, const AlibiWeights& weights);

/// After that: the weights of the last word, without slope, with that of the first heads, and with the sign mistaken.
void show_slopes(Board& board, const OneHead& head, const Tensor& slopes);

/// Lines that compute the scores of turned queries and keys, where there are pairs to turn, and the weights with the
/// slope of the head that is followed. They print both.
[[nodiscard]] std::vector<std::string> pytorch_lines_of_distance(const World& world, const Options& options,
                                                                 const OneHead& head);

}  // namespace attn
