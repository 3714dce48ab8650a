#pragma once

#include <set>
#include <string>
#include <vector>

/// What is wrong with a trace (a json face, given as its text); empty when it holds.
///
/// Each step is computed anew from its inputs with plain loops over doubles: nothing here comes from the code that made
/// the trace. A number may be off by 1e-6 + 1e-5 times what the op makes of absolute values (sums cancel, so the error
/// is measured against what was added up); what an op only moves must be the same number. Also checked: the form of the
/// file, names, labels and shapes.
[[nodiscard]] std::vector<std::string> problems_of_trace(const std::string& json_text);

/// The ops that the checker computes.
[[nodiscard]] std::set<std::string> ops_of_traces();
