#pragma once

#include "board/board.hpp"
#include "board/ink.hpp"

#include <string>
#include <vector>

namespace attn {

/// The page as text for a terminal: a margin with the label of what follows, and the board beside it.
[[nodiscard]] std::string render_text(const Board& board, const TextStyle& style);

/// The same page cut where a reader pauses: before each part, and before the answer to each question, which follows its
/// question here and ends the page in render_text.
[[nodiscard]] std::vector<std::string> render_text_parts(const Board& board, const TextStyle& style);

}  // namespace attn
