#pragma once

#include "tensor/close.hpp"
#include "tensor/tensor.hpp"

#include <map>
#include <string>
#include <vector>

namespace attn {

/// One reference case: named inputs and the outputs that another implementation computed from them.
/// The format is described in tests/golden/README.md.
struct CaseFile {
  std::string name;
  std::string op;
  std::string source;
  std::map<std::string, std::string> attrs;
  Tolerance tolerance;
  bool has_float64 = false;  // then the tolerance is at least 1e-5 absolute and relative, because a Tensor is float
  std::map<std::string, Tensor> inputs;
  std::map<std::string, Tensor> outputs;

  [[nodiscard]] bool has_input(const std::string& input_name) const { return inputs.count(input_name) > 0; }
  [[nodiscard]] bool has_output(const std::string& output_name) const { return outputs.count(output_name) > 0; }

  /// Throw std::invalid_argument, naming what the case has, when it is not there.
  [[nodiscard]] const Tensor& input(const std::string& input_name) const;
  [[nodiscard]] const Tensor& output(const std::string& output_name) const;

  /// An attribute that is a whole number; `otherwise` when it is absent.
  [[nodiscard]] long long integer(const std::string& attribute, long long otherwise) const;
  /// An attribute that is any number; `otherwise` when it is absent.
  [[nodiscard]] double number(const std::string& attribute, double otherwise) const;
};

/// Reads a case from its text. `where` names it in messages.
/// Throws std::runtime_error, naming the file and the word, when the text does not follow the format.
[[nodiscard]] CaseFile parse_case(const std::string& text, const std::string& where);

/// Reads a .case file.
[[nodiscard]] CaseFile read_case(const std::string& path);

/// The path of a reference file: golden_path("torch/softmax/softmax_1e4.case").
[[nodiscard]] std::string golden_path(const std::string& below_golden);

/// The paths of all .case files in a folder of tests/golden, sorted. Throws when there is none.
[[nodiscard]] std::vector<std::string> golden_cases(const std::string& folder);

}  // namespace attn
