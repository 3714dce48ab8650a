#pragma once

#include "board/arithmetic.hpp"
#include "board/by_hand.hpp"
#include "board/names.hpp"

#include <cstddef>

namespace attn {

// Numbers that are made of a whole row: its mean, and what a norm makes of one of its numbers.

/// "mean[sat] = (1 + 2.500 + 4) / 3 = 2.500"
[[nodiscard]] OnPaper mean_on_paper(const Working& working, const Names& names, std::size_t precision,
                                    std::size_t width);

/// The row's mean, its variance, then the number: less the mean, over the spread, times scale, plus bias.
[[nodiscard]] OnPaper norm_on_paper(const Working& working, const Names& names, std::size_t precision,
                                    std::size_t width);

}  // namespace attn
