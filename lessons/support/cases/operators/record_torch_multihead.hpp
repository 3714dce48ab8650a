#pragma once

#include "attention/kinds/torch_multihead.hpp"
#include "support/cases/operators/case_cost.hpp"
#include "support/cases/operators/case_steps.hpp"

#include <array>
#include <cstddef>
#include <string>

namespace attn {

/// The parameters of PyTorch's module in a case, and the steps that hold them.
struct TorchMultiheadWeightNames {
  TorchMultiheadWeights weights;
  std::string W_Q, W_K, W_V, W_O;
  std::string b_Q, b_K, b_V, b_O;  // empty: there is none
};

/// Reads the parameters, whose names in the case begin with `prefix`: stacked as in_proj_weight, or one by one as
/// q_proj_weight and so on. Throws std::invalid_argument when neither is there.
TorchMultiheadWeightNames record_torch_weights(CaseSteps& steps, const std::string& prefix);

struct TorchMultiheadNames {
  std::string weights;
  std::string output;
};

/// Writes every step of the module. `inputs` are the steps of query, key and value; the names of all new steps begin
/// with `prefix`.
TorchMultiheadNames record_torch_multihead(CaseSteps& steps, const TorchMultiheadSteps& all,
                                           const std::array<std::string, 3>& inputs,
                                           const TorchMultiheadWeightNames& names, const TorchMultiheadOptions& options,
                                           const std::string& prefix);

/// What record_torch_weights, record_torch_multihead and record_averaged_weights take, by the shapes of the module's
/// inputs. Each axis of a mask that is larger than that of the scores counts, too.
[[nodiscard]] CaseCost torch_multihead_cost(const CaseFile& file, const Shape& query, const Shape& key,
                                            const Shape& value, std::size_t num_heads, const std::string& prefix);

/// Writes the mean of the weights over the heads, as the step averaged_weights.
void record_averaged_weights(CaseSteps& steps, const TorchMultiheadSteps& all, const std::string& weights);

}  // namespace attn
