#pragma once

#include "board/board.hpp"
#include "support/options.hpp"

namespace attn {

/// What the file of a lesson defines: all it has to say, written on the board. lesson_main.cpp calls it.
void lesson(Board& board, const Options& options);

}  // namespace attn
