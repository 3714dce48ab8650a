#pragma once

#include "attention/kinds/rotary.hpp"
#include "support/cases/operators/case_cost.hpp"
#include "support/cases/operators/case_steps.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>

namespace attn {

/// Writes how each pair (a, b) of channels of step `x` turns, by the cosines and sines of two steps that broadcast to
/// the pairs: a cos - b sin, a sin + b cos. `rotated` is the result, and becomes the step `name`.
void record_rotation(CaseSteps& steps, const std::string& x, const std::string& cos, const std::string& sin,
                     const Tensor& rotated, RotaryLayout layout, const std::string& name);

/// Writes the cosines and sines of places 0, 1, .. as the steps `cos` and `sin`: those of the paper's waves.
void record_turns(CaseSteps& steps, std::size_t seq_len, std::size_t rotary_dim, double base);

/// What record_rotation takes for x [.., width], of whose channels the first rotary_dim turn.
[[nodiscard]] CaseCost rotation_cost(const Shape& x, std::size_t rotary_dim, RotaryLayout layout);

/// What record_turns takes.
[[nodiscard]] CaseCost turns_cost(std::size_t seq_len, std::size_t rotary_dim);

}  // namespace attn
