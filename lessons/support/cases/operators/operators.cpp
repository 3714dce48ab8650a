#include "support/cases/operators/operator.hpp"
#include "text/nearest.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace attn {

namespace {

std::vector<Operator> all_operators() {
  std::vector<Operator> all;
  for (std::vector<Operator>& family :
       std::vector{dot_product_operators(), multi_head_operators(), onnx_attention_operators(), additive_operators(),
                   mask_operators(), position_operators(), softmax_operators(), norm_operators(), layer_operators()}) {
    for (Operator& one : family) all.push_back(std::move(one));
  }
  std::sort(all.begin(), all.end(), [](const Operator& a, const Operator& b) { return a.name < b.name; });
  return all;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += fmt::format("{}{}", text.empty() ? "" : " ", name);
  return text.empty() ? "none" : text;
}

bool is_in(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// What is not known is a slip of the pen more often than a wish that may be ignored.
void require_known(const Operator& op, const char* what, const std::string& name,
                   const std::vector<std::string>& known) {
  if (is_in(known, name)) return;
  const std::string meant = known.empty() ? "" : fmt::format(": did you mean {}?", nearest(name, known));
  throw std::invalid_argument(
      fmt::format("{} has no {} {}{} It knows: {}", op.name, what, name, meant.empty() ? "." : meant, listed(known)));
}

}  // namespace

const std::vector<Operator>& operators() {
  static const std::vector<Operator> all = all_operators();
  return all;
}

const Operator& operator_of(const CaseFile& file) {
  std::vector<std::string> names;
  for (const Operator& one : operators()) {
    names.push_back(one.name);
    if (one.name != file.op) continue;
    std::vector<std::string> inputs = one.needs;
    inputs.insert(inputs.end(), one.may_have.begin(), one.may_have.end());
    for (const auto& [input, value] : file.inputs) require_known(one, "input", input, inputs);
    for (const auto& [attribute, value] : file.attrs) require_known(one, "attribute", attribute, one.attributes);
    for (const std::string& input : one.needs) {
      if (file.has_input(input)) continue;
      throw std::invalid_argument(
          fmt::format("{} needs the input {}, and the case has none of that name: add it", one.name, input));
    }
    for (const auto& [output, value] : file.outputs) require_known(one, "output", output, one.gives);
    CaseCost cost = inputs_cost(file);
    cost += one.cost(file);
    require_affordable(one.name, cost);
    return one;
  }
  throw std::invalid_argument(fmt::format("there is no operator {} here: did you mean {}? Known are: {}", file.op,
                                          nearest(file.op, names), listed(names)));
}

}  // namespace attn
