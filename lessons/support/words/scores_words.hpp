#pragma once

#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>

namespace attn {

// What the lesson about scores says of its numbers. Scores are [seq_len, seq_len]: row i asks, column j is asked.

/// The token that fits the query of token i best, other than i itself; i where it is alone.
[[nodiscard]] std::size_t best_other_token(const Tensor& scores, std::size_t i);

/// How far two tables are from being their own mirror images, one whose two matrices differ and one with one for both.
[[nodiscard]] std::string which_is_symmetric(const Tensor& scores, const Tensor& one_for_both);

/// That a word need not fit itself best, and that a row of scores is no row of shares: how many rows and numbers show
/// it.
[[nodiscard]] std::string what_scores_are_not(const Tensor& scores);

}  // namespace attn
