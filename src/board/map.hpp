#pragma once

#include "board/ink.hpp"
#include "board/page.hpp"

#include <vector>

namespace attn {

/// The way of the numbers from tokens to output, in three lines. What is walked already is heavy, what is to come thin,
/// and the stage where we are stands in brackets. An empty stage: all thin.
/// Throws std::invalid_argument, naming the stages, when there is no such stage.
[[nodiscard]] std::vector<Line> draw_map(const Map& map, const TextStyle& style);

/// The same way in one sentence, for a page that is too narrow for the drawing.
[[nodiscard]] std::string map_in_words(const Map& map);

}  // namespace attn
