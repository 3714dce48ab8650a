#pragma once

#include "support/world/world.hpp"
#include "text/vocabulary.hpp"

#include <string>

namespace attn {

// Weights as a text file, to be changed by hand and run again (lessons/README.md shows one):
//
//   # a comment, up to the end of the line
//   names crafted            the channels have the crafted world's names; without this line they have none
//   heads 4
//   W_Q 16 16                a matrix: its name, rows, columns; then its rows, one line each
//   0 0 4 ...
//
// The matrices are embedding_table [256, d_model], W_Q, W_K, W_V, W_O [d_model, d_model] and b_O [1, d_model], in any
// order, each once.

/// The world whose weights stand in `file`. `encoding` is of the lesson's text; new words take the table's spare rows
/// as they are in the file. Fills all of the World but what belongs to the text. Throws std::invalid_argument, naming
/// the file, the line, what was found and what was expected, for any mistake.
[[nodiscard]] World file_world(const std::string& file);

/// The file that gives this world's weights again, float for float.
[[nodiscard]] std::string weights_text(const World& world);

}  // namespace attn
