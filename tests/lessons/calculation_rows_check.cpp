// Numbers that are told in several sentences: of a row's mean and variance, or of an angle.

#include "lessons/calculation_check.hpp"
#include "lessons/printed_terms.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace {

/// The numbers of a row that was normalized: all axes from the step's axis on.
std::vector<double> normalized_row(const TraceStep& input, const Place& at) {
  const double said = at.step->attributes.at("axis");
  const auto rank = static_cast<double>(input.shape.size());
  std::size_t size = 1;
  for (auto k = static_cast<std::size_t>(said < 0 ? said + rank : said); k < input.shape.size(); ++k) {
    size *= input.shape[k];
  }
  const std::size_t flat = at.row * at.step->column_count() + at.column;
  const auto begin = input.values.begin() + static_cast<std::ptrdiff_t>(flat / size * size);
  return {begin, begin + static_cast<std::ptrdiff_t>(size)};
}

std::string replaced(const std::string& text, const std::string& word, double number) {
  const std::size_t at = text.find(word);
  return at == std::string::npos ? text
                                 : text.substr(0, at) + fmt::format("{:.17f}", number) + text.substr(at + word.size());
}

}  // namespace

/// A sentence that the number after it stands on is kept until then.
bool CalculationCheck::is_told_before(const std::string& chain) {
  for (const char* beginning : {"the angle: ", "the mean of ", "the mean square of ", "the variance, "}) {
    if (!chain.starts_with(beginning)) continue;
    told_.push_back(chain);
    return true;
  }
  return false;
}

/// "...: (1 + 2 + 3 (the other 2 together)) / 4 = 1.5": the row's numbers, or with ^2 their squares, as they are in the
/// trace.
void CalculationCheck::check_told_sum(const std::string& told, std::vector<double> row, double exact,
                                      const std::string& whole) {
  std::string text = told.substr(told.find(": ") + 2);
  const Remarks remarks = take_remarks(text);
  const std::vector<std::string> parts = split(text, " = ");
  const auto result = parts.size() == 2 ? as_number(trimmed(parts[1])) : std::nullopt;
  const auto numeric = result ? evaluated(parts[0]) : std::nullopt;
  if (!numeric) return problems.push_back("cannot be read: " + told);
  const bool is_rounded = whole.find("(rounded)") != std::string::npos;
  require(result->rounds(exact), fmt::format("it is {}: {}", exact, told));
  require(comes_out(*result, *numeric, is_rounded, is_rounded ? slack_of_printed(parts[0]) : 0.0),
          fmt::format("{} gives {}: {}", parts[0], *numeric, told));
  // What is squared is printed before the square: each base is one of the row, and so is what the others leave.
  std::string sum = without_count(parts[0], row.size());
  if (sum.empty()) return problems.push_back("of how many? " + told);
  for (std::size_t power = 0; (power = sum.find("^2")) != std::string::npos;) {
    const std::size_t begin = sum.rfind(' ', power) == std::string::npos ? 0 : sum.rfind(' ', power) + 1;
    const auto base = as_number(sum.substr(begin, power - begin));
    const auto meant = std::find_if(row.begin(), row.end(), [&](double x) {
      const bool whole_number = base && base->decimals == 0;
      return base && (whole_number ? std::abs(x) == base->value : base->rounds(std::abs(x)));
    });
    if (meant == row.end()) return problems.push_back("the row has no such number: " + told);
    row.erase(meant);
    sum.erase(begin, power + 2 - begin);
  }
  const bool squares = parts[0].find("^2") != std::string::npos;
  if (!squares) return check_summands_of(std::move(row), sum, remarks, told);
  double others = 0.0;
  std::size_t not_zero = 0;
  for (const double x : row) {
    others += x * x;
    not_zero += x != 0.0 ? 1U : 0U;
  }
  if (!remarks.others) return require(not_zero == 0, "a summand is missing: " + told);
  const std::size_t digit = std::min(sum.find_first_of("0123456789"), sum.size());
  const std::vector<Number> subtotal = numbers_in(sum.substr(digit));
  require(subtotal.size() == 1 && std::abs(subtotal[0].value - others) <= 2.0 * subtotal[0].half_unit(),
          fmt::format("the others make {}: {}", others, told));
  require(*remarks.others == together(row.size()), "not so many others: " + told);
}

/// A number of a norm: what was told of its row's mean and variance, and that both give it.
void CalculationCheck::check_row(const Place& at, const std::string& names, const std::string& whole) {
  const std::vector<std::string> told = std::move(told_);
  told_.clear();
  const bool off = at.step->op == "layer_norm";
  if (told.size() != (off ? 2U : 1U)) return problems.push_back("of which row? " + whole);
  std::vector<double> row = normalized_row(trace_.step(at.step->inputs[0]), at);
  const auto count = static_cast<double>(row.size());
  double mean = 0.0;
  for (const double x : row) mean += off ? x / count : 0.0;
  if (off) check_told_sum(told[0], row, mean, whole);
  double variance = 0.0;
  for (double& x : row) {
    x -= mean;
    variance += x * x / count;
  }
  check_told_sum(told.back(), row, variance, whole);
  // The names stand for the exact numbers.
  std::string with_numbers = names;
  if (off) {
    const std::size_t close = names.find(" - mean)");
    if (close == std::string::npos) return problems.push_back("less which mean? " + whole);
    with_numbers = names.substr(0, close) + fmt::format(" - {:.17f})", mean) + names.substr(close + 8);
  }
  with_numbers = replaced(with_numbers, off ? "variance" : "mean square", variance);
  with_numbers = replaced(with_numbers, "epsilon", at.step->attributes.at("epsilon"));
  const auto worked = trace_.worked_out(with_numbers);
  require(worked && agree(worked->first, at.value(), 1e-5), "another number: " + whole);
}

/// A number that turned: what was told of the angle, and that the angle gives it.
void CalculationCheck::check_turn(const Place& at, const std::string& names, const std::string& whole) {
  const std::vector<std::string> told = std::move(told_);
  told_.clear();
  if (told.size() != 1) return problems.push_back("by which angle? " + whole);
  const std::vector<std::string> parts = split(told[0].substr(told[0].find(": ") + 2), " = ");
  const auto angle = parts.size() == 3 ? as_number(trimmed(parts[2])) : std::nullopt;
  const auto exact = angle ? trace_.worked_out(parts[0]) : std::nullopt;
  const auto printed = exact ? evaluated(parts[1]) : std::nullopt;
  if (!printed) return problems.push_back("cannot be read: " + told[0]);
  require(angle->rounds(exact->first) && angle->rounds(*printed), "another angle: " + told[0]);
  const TraceStep& places = trace_.step(at.step->inputs[1]);
  const std::size_t rows = at.step->shape[at.step->shape.size() - 2];
  require(exact->second.size() == 1 && exact->second[0] == places.values[at.row % rows], "another place: " + told[0]);
  // The angle is printed rounded; the number is that of the exact one.
  const std::string said = fmt::format("({})", trimmed(parts[2]));
  std::string with_angle = names;
  for (std::size_t found = 0; (found = with_angle.find(said)) != std::string::npos;) {
    with_angle =
        with_angle.substr(0, found) + fmt::format("({:.17f})", exact->first) + with_angle.substr(found + said.size());
  }
  const auto worked = trace_.worked_out(with_angle);
  require(worked && agree(worked->first, at.value(), 1e-5), "another number: " + whole);
}
