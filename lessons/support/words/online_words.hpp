#pragma once

#include "board/trace.hpp"
#include "support/world/one_head.hpp"
#include "tensor/compute.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>

namespace attn {

// Sentences of the lesson on the online softmax, computed from the steps that online_steps.hpp and counted_bytes.hpp
// record.

/// What is read in blocks here, and how many there are.
[[nodiscard]] std::string how_the_row_comes(const OneHead& head);

/// Block by block: which start, where a larger score shrinks what was added up, which are hidden as a whole, and where
/// the largest stays.
[[nodiscard]] std::string what_blocks_do(const Trace& trace);

/// What the same row does that is lowered until its largest score is -200, from minus infinity and from 0.
[[nodiscard]] std::string what_a_start_at_0_does(const Trace& trace, std::size_t keys);

/// How far both contexts are from each other, of this row and of all rows with blocks of other sizes.
[[nodiscard]] std::string how_blocks_agree(const OneHead& head);

/// What the same row does when its first block is hidden; nothing where that is all of it.
[[nodiscard]] std::string what_a_hidden_start_does(const Trace& trace, std::size_t keys, const Compute& compute);

/// How far the fused kernel is from the plain context. Its last digits are the processor's, so there is a bound only.
[[nodiscard]] std::string how_near(const Tensor& fused, const Tensor& plain);

/// What is held for the longest text that is counted, and for one of this length.
[[nodiscard]] std::string what_is_held(std::size_t seq_len);

/// What is moved, counted by the formulas for 1024 words, and compared for the longest text.
[[nodiscard]] std::string what_is_moved();

}  // namespace attn
