#pragma once

#include "board/board.hpp"
#include "support/world/one_head.hpp"

namespace attn {

// A probe for leaks: swap the last word for another, and see whose context moves. Where later words are hidden, only
// the last word's own may.

/// The same sentence with "cat" as its last word, or "sat" where that row of the embedding table is the same, and all
/// that the head computes of it.
[[nodiscard]] OneHead with_another_last_word(const OneHead& head);

/// Shows the step `moved`: a row for each way of hiding later words, right ones and wrong ones, and in it how far each
/// word's context moves at most when the sentence changes. Records all that it follows from.
void show_leaks(Board& board, const OneHead& head, const OneHead& changed);

}  // namespace attn
