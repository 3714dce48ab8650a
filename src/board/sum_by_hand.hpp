#pragma once

#include "board/arithmetic.hpp"
#include "board/by_hand.hpp"
#include "board/names.hpp"
#include "board/page.hpp"

#include <cstddef>

namespace attn {

// Numbers that are added up: dot products, weighted sums, and the short calculations of one or two terms.

/// As many columns as there is room for.
[[nodiscard]] OnPaper columns_that_fit(const Working& working, const Names& names, const TextStyle& style,
                                       std::size_t width);

/// A short calculation on one line: names, numbers, result.
[[nodiscard]] OnPaper one_line(const Working& working, const Names& names, std::size_t precision, std::size_t width);

/// A row added up: "total[sat] = e[sat, *] added up = 1.50 + 89.65 + ... = 175.83".
[[nodiscard]] OnPaper added_up(const Working& working, const Names& names, std::size_t precision, std::size_t width);

}  // namespace attn
