#pragma once

#include "lessons/printed_page.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

// What a calculation by hand consists of, as it is printed: summands, remarks in brackets; and how near to the trace's
// numbers they must be.

/// Cuts off a remark in brackets that begins so, and returns what follows in it; nothing when it is not there.
std::optional<std::string> take_remark(std::string& text, const std::string& begin);

/// The end of "(the other 3 together)".
[[nodiscard]] std::string together(std::size_t count);

/// "8.325 + 0.767 - 0.100" as signed numbers; nothing when it is no such sum.
[[nodiscard]] std::optional<std::vector<Number>> summands_in(const std::string& text);

[[nodiscard]] double sum_of(const std::vector<Number>& summands);

/// How far off a sum of rounded numbers may be.
[[nodiscard]] double slack_of(const std::vector<Number>& summands);

/// Is this the printed result, or (where that is not certain) no farther from it than `slack` and the rounding of
/// float?
[[nodiscard]] bool comes_out(const Number& result, double computed, bool uncertain, double slack);

/// Takes out the number that looks so when printed; false when there is none. Of several the largest is meant, since
/// small ones are left to the others; in a softmax it may be another: `ambiguous` grows by how far apart they can be.
[[nodiscard]] bool take_out(std::vector<double>& numbers, const Number& printed, double& ambiguous);

/// A step holds floats, and what is too large for one is inf.
[[nodiscard]] double as_step_holds(double number);

[[nodiscard]] bool agree(double computed, double number, double slack);

/// The numbers of a step's input that the number at `at` was folded or normalised from, along the step's axis.
[[nodiscard]] std::vector<double> line_through(const TraceStep& input, const Place& at, bool axis_is_gone);

/// "(1 + 2) / 2", or "2 / 2" where nothing is added up, without its count; nothing where that is not `count`.
[[nodiscard]] std::string without_count(const std::string& text, std::size_t count);
