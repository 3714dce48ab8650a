#pragma once

#include "board/trace.hpp"
#include "board/value.hpp"
#include "support/program/options.hpp"
#include "support/record/relative_records.hpp"
#include "support/world/one_head.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

// The lesson on relative positions: its sentences, computed from its numbers, and its PyTorch lines. `more` is how many
// places later the text stands the second time; `turning` how many channels turn.

/// The pairs of channels that turn together, where partners stand so far apart: "0 with 1, 2 with 3".
[[nodiscard]] std::string pairs_in_words(std::size_t turning, std::size_t apart);

/// From where to where the followed word moves, before a table of its scores.
[[nodiscard]] std::string who_moves_where(const OneHead& head, std::size_t more);

/// What rotary positions turn, and by which angle, before a table of the followed word's query.
[[nodiscard]] std::string what_turns(const OneHead& head);

/// How far added waves move the scores of a text that stands later, and why they do in this world.
[[nodiscard]] std::string why_added_places_show(const World& world, const Value& difference);

/// How far the scores of turned queries and keys move, of which the one that is farthest from 0 is `largest`.
[[nodiscard]] std::string how_far_it_moves(const Value& difference, float largest);

/// How far turned scores move when the text stands later, beside what `added` waves moved them; and that the distance
/// alone gives them.
[[nodiscard]] std::string what_distance_gives(const OneHead& head, const RotaryScores& scores, const Value& added);

/// Which channels of the head are pairs in each layout, before a table of a word's row.
[[nodiscard]] std::string which_pairs_turn(const OneHead& head, std::size_t row);

/// How little the lengths change of one query turned by several places, [places, head_dim], and when its first pair is
/// back.
[[nodiscard]] std::string what_turning_keeps(const Tensor& turned, std::size_t turning);

/// What the layout in halves does, and what mixing both does: how far its scores are from those of neighbours, and how
/// far its own and the mixed ones move when the text stands later.
[[nodiscard]] std::string what_layouts_do(std::size_t turning, const Value& from_neighbours, const Value& halves_move,
                                          const Value& mixed_move);

/// The same, from the steps that record_rotary and record_layouts made. Mixed scores: of the row that is shown.
[[nodiscard]] std::string what_layouts_do(const Trace& trace, std::size_t turning, std::size_t row);

/// "1/4, 1/16, 1/64 and 1/256": the first of them, where they are many.
[[nodiscard]] std::string slopes_in_words(const Tensor& slopes);

/// What ALiBi does, with these slopes, before a table of the last word's row. So many of the slopes are shown there.
[[nodiscard]] std::string what_alibi_adds(const OneHead& head, const Tensor& slopes, std::size_t shown);

/// What the last word gives itself and the first word, with the first head's slope and with its sign mistaken.
[[nodiscard]] std::string what_slopes_do(const OneHead& head, const Tensor& nearer, const Tensor& farther);

/// The slopes of six heads, and those that the formula for powers of two would give.
[[nodiscard]] std::string what_six_heads_take();

/// Whether a context moves when the text stands later, with values as they are and with values that are turned.
[[nodiscard]] std::string what_turned_values_do(const OneHead& head, std::size_t more);

/// Lines that compute the scores of turned queries and keys, where there are pairs to turn, and the weights with the
/// slope of the head that is followed. They print both.
[[nodiscard]] std::vector<std::string> pytorch_lines_of_distance(const World& world, const Options& options,
                                                                 const OneHead& head);

}  // namespace attn
