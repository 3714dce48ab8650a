#pragma once

#include "board/board.hpp"
#include "support/world/world.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

// Tables of positions, rearranged to be looked at: by the paper's formula, and by formulas that are mistaken for it.

/// Channels to draw, from the fastest wave to the slowest: all of them, or of more than 16 eight pairs.
[[nodiscard]] std::vector<std::size_t> channels_to_draw(std::size_t d_model);

/// Draws a table of waves on its side, so that a wave runs along a line. The trace gets it as three steps.
void draw_waves(Board& board, const std::string& table, const std::string& caption);

/// Even channels first, then the odd ones: 0, 2, 4, ..., 1, 3, 5, ...
[[nodiscard]] std::vector<std::size_t> sines_first(std::size_t d_model);

/// In a table twice as wide, the columns where each channel has a frequency of its own: sin 0, cos 3, sin 4, cos 7, ...
[[nodiscard]] std::vector<std::size_t> a_frequency_each(std::size_t d_model);

/// In how many places a channel's wave turns once: "6.3", "19869".
[[nodiscard]] std::string wavelength(std::size_t channel, std::size_t d_model);

/// How long the first and the last wave of a table are, and which two rows are most alike.
[[nodiscard]] std::vector<std::string> what_waves_tell(const Tensor& waves);

/// Whether words and places keep apart in X: in the crafted world by how far the waves move where kinds of word stand.
/// Nothing where there is only one place.
[[nodiscard]] std::vector<std::string> how_word_and_place_share(const World& world, const Tensor& positions);

/// A new step: columns of an earlier one, in this order. Columns are rows of the transposed table, so the trace gets
/// four steps.
Tensor record_columns(Board& board, const std::string& name, const std::string& from,
                      const std::vector<std::size_t>& columns);

/// The two rows of a table that are most alike, and the largest difference between them.
struct ClosestRows {
  std::size_t first = 0;
  std::size_t second = 0;
  float difference = 0.0F;
};
[[nodiscard]] ClosestRows closest_rows(const Tensor& table);

/// How far a channel moves over all places, from its smallest number to its largest.
[[nodiscard]] float movement(const Tensor& table, std::size_t channel);

/// How many channels move by less than this.
[[nodiscard]] std::size_t count_still(const Tensor& table, float less_than);

/// The squares of a row, added up.
[[nodiscard]] double sum_of_squares(const Tensor& table, std::size_t row);

/// Of these channels the farthest movement.
[[nodiscard]] float farthest_movement(const Tensor& table, const std::vector<std::size_t>& channels);

}  // namespace attn
