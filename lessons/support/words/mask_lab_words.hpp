#pragma once

#include "board/trace.hpp"
#include "support/world/world.hpp"

#include <cstddef>
#include <string>

namespace attn {

// Sentences of the lesson that tries masks out, computed from the steps that mask_lab.hpp records.

/// How far the masked scores of two other notations are from those of the first, and who reads them which way.
[[nodiscard]] std::string what_notations_give(const Tensor& by_hide, const Tensor& by_adding, const Tensor& masked);

/// What word i gives to words that it may not see, by each wrong reading, and where there is nan.
[[nodiscard]] std::string what_wrong_readings_do(const World& world, const Trace& trace, std::size_t i);

/// Which words are padding where the first `real` of seq_len are not.
[[nodiscard]] std::string what_is_padding(std::size_t real, std::size_t seq_len);

/// How many cells two masks hide together in each notation, and how many where they are multiplied as 1 hides.
[[nodiscard]] std::string what_two_masks_hide(const Trace& trace);

/// What the first word collects when it may look at nobody, by each convention.
[[nodiscard]] std::string what_an_empty_row_collects(const World& world, const Trace& trace);

/// What becomes of a row that is hidden as a whole by each stand-in for -inf.
[[nodiscard]] std::string what_stand_ins_do_to_an_empty_row(const Trace& trace);

/// Which stand-ins let hidden words through when scores grow.
[[nodiscard]] std::string what_stand_ins_let_through(const Trace& trace);

}  // namespace attn
