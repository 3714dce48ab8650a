#pragma once

#include "support/cases/operators/case_steps.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>

namespace attn {

/// Key or value heads repeated until there is one for each query head (see repeat_heads), as a step. Returns its
/// name: `name` itself where there are as many already.
///   x   the value of step `name`, [batch, num_kv_heads, seq_len_kv, dim]
std::string record_repeated_heads(CaseSteps& steps, const std::string& name, const Tensor& x, std::size_t num_heads);

/// The same tensor `count` times along a new first axis: one row of it for each sentence of a batch. Returns the name
/// of the step, [count, shape of x].
std::string record_repeated(CaseSteps& steps, const std::string& name, const Tensor& x, std::size_t count);

}  // namespace attn
