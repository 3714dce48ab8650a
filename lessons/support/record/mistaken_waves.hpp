#pragma once

#include "board/board.hpp"
#include "tensor/tensor.hpp"

namespace attn {

/// Shows the first rows of the paper's table of positions beside three that are mistaken for it, and says how each
/// differs: 4i where the paper has 2i (every frequency squared), a frequency of its own for each channel, and all sines
/// before all cosines.
///
///   waves  [places, d_model], the step of that name; at least 6 places and 4 channels
///
/// Source of the paper's: Vaswani et al. 2017, section 3.5.
void show_mistaken_waves(Board& board, const Tensor& waves);

}  // namespace attn
