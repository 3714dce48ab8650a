#pragma once

#include "board/arithmetic.hpp"
#include "board/by_hand.hpp"
#include "board/names.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

// Numbers that are a function of one or two others, on one line.

/// The largest of a row, by its address.
[[nodiscard]] std::vector<std::string> largest_line(const Working& working, const Names& names, std::size_t precision);

/// "a = b / c = 89.65 / 175.83 = 0.510", with the fewest decimals at which that is so.
[[nodiscard]] std::vector<std::string> quotient_line(const Working& working, const Names& names, std::size_t precision);

/// "e[sat, cat] = e^shifted[sat, cat] = e^-0.133 = 0.876", or log(x), tanh(x), max(x, 0), |x|.
[[nodiscard]] std::vector<std::string> function_line(const Working& working, const Names& names, std::size_t precision);

[[nodiscard]] std::vector<std::string> sinusoid_lines(const Working& working, const Names& names,
                                                      std::size_t precision);

}  // namespace attn
