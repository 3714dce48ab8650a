#pragma once

#include "board/board.hpp"

#include <string>

namespace attn {

/// The trace as JSON, "attention-steps/1": every step with its op, inputs, labels and all its numbers, printed so that
/// they read back as the same float. What JSON has no number for is a string: "inf", "-inf", "nan".
/// With `ascii`, whatever is outside ASCII is written as an escape.
[[nodiscard]] std::string render_json(const Board& board, bool ascii = false);

}  // namespace attn
