#pragma once

#include "board/board.hpp"
#include "support/cases/case_comparison.hpp"
#include "support/cases/case_file.hpp"
#include "tensor/tensor.hpp"

#include <map>
#include <string>
#include <vector>

namespace attn {

/// A case that was computed: everything on the board, our outputs, and how they compare.
struct ComputedCase {
  Board board;
  std::map<std::string, Tensor> outputs;     // all that the operator has
  std::map<std::string, std::string> steps;  // of each output: the step that holds it
  std::vector<ComparedOutput> compared;      // with those that the file gives
};

/// Computes a case with its operator, and writes each step on a board. `matrix`: which matrix of a batch the page
/// shows. Throws std::invalid_argument when the operator or what it needs is not there, or shapes disagree.
[[nodiscard]] ComputedCase compute_case(const CaseFile& file, const Index& matrix = {});

/// An address as the page has it: an output that is no step is named by the step that holds it, so that output[0, 1]
/// is context[0, 1].
[[nodiscard]] std::string address_on_page(const ComputedCase& computed, const std::string& address);

/// The case with our outputs in place of those that it has, in its order; new ones after them.
[[nodiscard]] CaseFile with_our_outputs(const CaseFile& file, const std::map<std::string, Tensor>& outputs,
                                        const std::string& source);

}  // namespace attn
