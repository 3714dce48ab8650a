#pragma once

// What a lesson is written with: the board, the options, a world of weights, tensors, and the library of attention.
// One include, so that a lesson begins with its subject. What only some lessons need has a header of its own here.

#include "attention/embedding.hpp"
#include "attention/mask.hpp"
#include "attention/multi_head.hpp"
#include "attention/positions.hpp"
#include "attention/scaled_dot_product.hpp"
#include "board/board.hpp"
#include "support/program/options.hpp"
#include "support/record/record_head.hpp"
#include "support/words/pytorch_lines.hpp"
#include "support/words/words.hpp"
#include "support/world/world.hpp"
#include "tensor/close.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"
#include "tensor/softmax.hpp"
#include "tensor/tensor.hpp"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace attn {

/// What the file of a lesson defines: all it has to say, written on the board. lesson_main.cpp calls it.
void lesson(Board& board, const Options& options);

}  // namespace attn
