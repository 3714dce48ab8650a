#pragma once

#include "board/board.hpp"
#include "tensor/compute.hpp"
#include "tensor/random.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

// How far numbers spread, and what softmax makes of that: for the lesson about scaling.

/// Pairs of a query and a key, and by what their scores are divided.
struct Pairs {
  Tensor queries, keys;  // [1000, 64], standard normal
  Tensor roots;          // [3, 1], of 4, 16 and 64
};

/// Draws them. They become the steps `queries`, `keys` and `roots`.
[[nodiscard]] Pairs record_pairs(Board& board, Random& random);

/// Lists of equal length as the rows of a matrix.
[[nodiscard]] Tensor as_rows(const std::vector<Tensor>& lists);

/// The sums of the first so many products of each pair, from the step `products`: `sum_of_4`, ... for counts of 4, ...
/// and `pair_scores`, whose rows they are.
void record_sums(Board& board, const std::vector<std::size_t>& counts);

/// The mean of the squares of numbers that lie around 0, all together: their variance.
[[nodiscard]] float variance(const Tensor& numbers);

/// The variance of each row of the step `of`, [rows]. It becomes the step `name`, with two more on the way.
Tensor record_variance(Board& board, const std::string& name, const std::string& of);

/// How far each weight of the step `of` moves per move of its own score: its slope, w (1 - w). The slopes become the
/// step `name`, and 1 - w the step `rest`.
void record_slopes(Board& board, const std::string& name, const std::string& of, const std::string& rest);

/// By how much the weight at a place, [row, column], grows when its score is raised by `rise`.
[[nodiscard]] float move_of_weight(Tensor scores, const Index& place, float rise, const Compute& compute = {});

/// Scores, read as rows of four: the largest weight that softmax gives in a row, on average.
/// Throws std::invalid_argument when they do not fill rows of four.
[[nodiscard]] float mean_largest_of_four(const Tensor& scores, const Compute& compute = {});

}  // namespace attn
