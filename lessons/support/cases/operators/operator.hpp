#pragma once

#include "support/cases/operators/case_cost.hpp"
#include "support/cases/operators/case_steps.hpp"

#include <string>
#include <vector>

namespace attn {

/// An output of an operator, and the step that holds it.
struct CaseOutput {
  std::string name;
  std::string step;
};

/// An operator that a case can name.
struct Operator {
  std::string name;
  std::string what;                     // in a sentence
  std::string formula;                  // in one line
  std::string source;                   // where it is defined
  std::vector<std::string> needs;       // inputs
  std::vector<std::string> may_have;    // inputs that can be left out
  std::vector<std::string> attributes;  // that it knows
  std::vector<std::string> gives;       // outputs, all of which a case has
  /// What computing takes, besides the inputs: from shapes and attributes alone.
  CaseCost (*cost)(const CaseFile& file);
  /// Computes the case with the library, and writes each step. Returns all outputs that there are.
  std::vector<CaseOutput> (*compute)(CaseSteps& steps);
};

/// All operators, by name.
[[nodiscard]] const std::vector<Operator>& operators();

/// The operator that a case names.
/// Throws std::invalid_argument, naming the known ones, when there is none of that name; when an input that it needs is
/// missing; when the case has an input, an attribute or an output that it does not know; and when computing it would
/// take more memory or work than there is.
[[nodiscard]] const Operator& operator_of(const CaseFile& file);

// One list for each family; each has a file of its own here.

[[nodiscard]] std::vector<Operator> dot_product_operators();
[[nodiscard]] std::vector<Operator> multi_head_operators();
[[nodiscard]] std::vector<Operator> onnx_attention_operators();
[[nodiscard]] std::vector<Operator> additive_operators();
[[nodiscard]] std::vector<Operator> mask_operators();
[[nodiscard]] std::vector<Operator> position_operators();
[[nodiscard]] std::vector<Operator> softmax_operators();
[[nodiscard]] std::vector<Operator> norm_operators();
[[nodiscard]] std::vector<Operator> layer_operators();

}  // namespace attn
