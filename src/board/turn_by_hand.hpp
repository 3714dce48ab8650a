#pragma once

#include "board/arithmetic.hpp"
#include "board/by_hand.hpp"
#include "board/names.hpp"

#include <cstddef>

namespace attn {

/// A channel that was turned by its token's place: the angle, then "a cos - b sin" or "a sin + b cos".
[[nodiscard]] OnPaper turn_on_paper(const Working& working, const Names& names, std::size_t precision,
                                    std::size_t width);

}  // namespace attn
