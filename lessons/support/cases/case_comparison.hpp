#pragma once

#include "support/cases/case_file.hpp"
#include "tensor/close.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace attn {

/// One output of a case file against ours.
struct ComparedOutput {
  std::string name;
  std::string step = {};  // the step of the page that holds ours
  bool holds = false;
  Shape got;  // shapes; where they differ nothing else is said
  Shape want;
  Difference worst;  // the largest difference; where some are too large, the largest of those
  std::size_t numbers = 0;
  std::size_t beyond = 0;  // how many numbers are not close enough
};

/// Each output that the file gives, in the file's order, against ours.
/// Throws std::invalid_argument when the file gives an output that the operator does not have.
[[nodiscard]] std::vector<ComparedOutput> compare_outputs(const CaseFile& file,
                                                          const std::map<std::string, Tensor>& ours);

[[nodiscard]] bool all_hold(const std::vector<ComparedOutput>& compared);

/// "1e-05 + 1e-05 · |want|", and why where it is not the file's own.
[[nodiscard]] std::string tolerance_text(const CaseFile& file);

/// "weights: largest difference 3.0e-08, at [0, 1, 2]: ours 0.26678592, theirs 0.26678595". Where the page has the
/// output under another name: "output (on the page: context): ...".
[[nodiscard]] std::string comparison_text(const ComparedOutput& compared);

}  // namespace attn
