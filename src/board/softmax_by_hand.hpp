#pragma once

#include "board/arithmetic.hpp"
#include "board/by_hand.hpp"
#include "board/names.hpp"

#include <cstddef>

namespace attn {

// A share of a row of exponentials.

/// Softmax in two steps: the sum of the row's exponentials, then this one's share of it.
[[nodiscard]] OnPaper softmax_lines(const Working& working, const Names& names, std::size_t precision,
                                    std::size_t width);

}  // namespace attn
