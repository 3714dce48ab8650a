#pragma once

#include "board/board.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

// Where numbers go when they are only moved: fill a tensor with its own places, move them, and read where they are.

/// 0, 1, 2, ... in row-major order.
[[nodiscard]] Tensor places(const Shape& shape);

/// How many elements differ. Throws std::invalid_argument, naming both shapes, when they do.
[[nodiscard]] std::size_t count_of_different(const Tensor& a, const Tensor& b);

/// Shows the numbers of the words a, b and c, [3, 4], and beside each other two ways to cut them for two heads, [2, 3,
/// 2]: split_heads and reshape alone.
void show_split(Board& board, const Tensor& numbers, const Tensor& split, const Tensor& wrong);

/// Shows beside each other two ways back from `split`, [2, 3, 2], which is cut from the places 0 to 11 of the words a,
/// b and c: merge_heads and reshape alone, [3, 4].
void show_merged(Board& board, const Tensor& split, const Tensor& merged, const Tensor& wrong);

/// [num_heads, seq_len, head_dim]: 1 in all numbers of the last word, 0 in all others.
[[nodiscard]] Tensor dyed_last_word(std::size_t num_heads, std::size_t seq_len, std::size_t head_dim);

/// Records the step `dye` and, [seq_len, d_model], `dye_merged` and `dye_reshaped`: merge_heads and reshape alone.
void record_dye(Board& board, const Tensor& dye, const std::vector<std::string>& words);

/// How many elements are exactly 0.
[[nodiscard]] std::size_t count_of_zeros(const Tensor& a);

}  // namespace attn
