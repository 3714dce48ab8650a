#pragma once

#include "board/board.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

// How far numbers spread, and what softmax makes of that: for the lesson about scaling.

/// Rows of `width` numbers, one for each count: that many ones, then zeros. They pick what is added up.
[[nodiscard]] Tensor ones_before(const std::vector<std::size_t>& counts, std::size_t width);

/// The mean of the squares of numbers that lie around 0, all together: their variance.
[[nodiscard]] float variance(const Tensor& numbers);

/// The variance of each row of the step `of`, [rows]. It becomes the step `name`, with two more on the way.
Tensor record_variance(Board& board, const std::string& name, const std::string& of);

/// Scores, read as rows of four: the largest weight that softmax gives in a row, on average.
/// Throws std::invalid_argument when they do not fill rows of four.
[[nodiscard]] float mean_largest_of_four(const Tensor& scores);

}  // namespace attn
