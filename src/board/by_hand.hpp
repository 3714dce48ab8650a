#pragma once

#include "board/arithmetic.hpp"
#include "board/ink.hpp"
#include "board/page.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

/// A number worked out on paper, and the numbers that stand there as its operands.
struct OnPaper {
  std::vector<std::string> lines;
  std::vector<Operand> operands;
};

/// The lines that work out one number with its real operands, as one would on paper.
///
/// Printed operands give the printed products, and these the printed sum: the fewest decimals (from the style's
/// precision on) at which that holds are found by trying. Of a long sum the largest terms are shown, and the others as
/// one subtotal; fewer terms where `width` columns have no room for more. Where no number of decimals does it, the line
/// says that it is rounded. A softmax that is nan is told by its cause.
[[nodiscard]] OnPaper by_hand(const Working& working, const Page& page, const TextStyle& style, std::size_t width);

/// Its lines alone.
[[nodiscard]] std::vector<std::string> by_hand_lines(const Working& working, const Page& page, const TextStyle& style,
                                                     std::size_t width);

}  // namespace attn
