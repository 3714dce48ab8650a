#pragma once

#include "attention/kinds/layer_norm.hpp"
#include "attention/kinds/rms_norm.hpp"
#include "support/cases/operators/case_cost.hpp"
#include "support/cases/operators/case_steps.hpp"

#include <string>

namespace attn {

/// Writes every step of a layer normalization of step `x`. The names of all steps begin with `prefix`: mean,
/// inverse_std, output and those between. `bias` is empty where there is none. Returns the name of the output.
std::string record_layer_norm(CaseSteps& steps, const std::string& x, const std::string& scale, const std::string& bias,
                              const LayerNormSteps& all, double epsilon, const std::string& prefix);

/// The same of an RMS normalization.
std::string record_rms_norm(CaseSteps& steps, const std::string& x, const std::string& scale, const RmsNormSteps& all,
                            double epsilon, const std::string& prefix);

/// What either takes: rows of x that have all axes from `axis` on.
[[nodiscard]] CaseCost norm_cost(const Shape& x, long long axis);

}  // namespace attn
