#pragma once

#include "support/world/world.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>

namespace attn {

// Sentences of the lesson about softmax, computed from its numbers.

/// "Of 49 scores 4 are below 0. Row \"sat\" adds up to 10.994; shares have to add up to 1." Hidden scores do not count.
[[nodiscard]] std::string why_no_shares_yet(const World& world, const Tensor& masked, std::size_t i);

/// How many powers are inf, and where a float ends.
[[nodiscard]] std::string what_overflowed(const Tensor& powers);

/// Are these the same shares as before? " Largest difference 0.00000048: ...", with the cause where it is not 0.
[[nodiscard]] std::string how_well_saved(const Tensor& saved, const Tensor& before);

/// What the row sums of a softmax down the columns tell, and its sum does not.
[[nodiscard]] std::string what_row_sums_say(const World& world, const Tensor& wrong_axis, std::size_t i);

/// What softmax makes of numbers that are each alone on their line.
[[nodiscard]] std::string what_a_batch_of_one_gives(const Tensor& over_batch);

}  // namespace attn
