#pragma once

#include "support/cases/case_file.hpp"

#include <string>
#include <vector>

namespace attn {

/// The path of a reference file: golden_path("torch/softmax/softmax_1e4.case").
[[nodiscard]] std::string golden_path(const std::string& below_golden);

/// The paths of all .case files in a folder of tests/golden, sorted. Throws when there is none.
[[nodiscard]] std::vector<std::string> golden_cases(const std::string& folder);

/// The paths of all .case files of tests/golden, sorted.
[[nodiscard]] std::vector<std::string> all_golden_cases();

}  // namespace attn
