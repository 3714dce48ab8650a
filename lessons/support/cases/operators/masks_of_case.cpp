#include "support/cases/operators/masks_of_case.hpp"

#include "attention/kinds/masks.hpp"
#include "support/cases/operators/case_steps.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

namespace attn {

Mask mask_of_case(const CaseFile& file, const std::string& input, OnesIn ones) {
  for (const CaseTensor& tensor : file.declared) {
    if (tensor.is_output || tensor.name != input) continue;
    const Tensor& table = file.input(input);
    if (tensor.type == "bool") return ones == OnesIn::mask_keep ? keep_where(table) : hide_where(table);
    if (tensor.type.starts_with("float")) return added(table);
    throw std::invalid_argument(
        fmt::format("{} is {}, and a mask is bool (0 and 1) or float (added to the scores)", input, tensor.type));
  }
  return no_mask();
}

bool has_bool(const CaseFile& file, const std::string& input) {
  return std::any_of(file.declared.begin(), file.declared.end(), [&](const CaseTensor& tensor) {
    return !tensor.is_output && tensor.name == input && tensor.type == "bool";
  });
}

Tensor window_of_case(const CaseFile& file, std::size_t seq_len) {
  const std::size_t window = size_attribute(file, "window", 0);
  if (flag_attribute(file, "causal", true)) return sliding_window_mask(seq_len, window);
  return window_mask({.seq_len_q = seq_len, .seq_len_kv = seq_len, .left = window, .right = window});
}

}  // namespace attn
