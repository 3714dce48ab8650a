#include "lessons/printed_terms.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

std::optional<std::string> take_remark(std::string& text, const std::string& begin) {
  const std::size_t start = text.find("(" + begin);
  const std::size_t end = start == std::string::npos ? start : text.find(')', start);
  if (end == std::string::npos) return std::nullopt;
  std::string inside = text.substr(start + 1 + begin.size(), end - start - 1 - begin.size());
  const std::string before = trimmed(text.substr(0, start));
  const std::string after = trimmed(text.substr(end + 1));
  text = before + (before.empty() || after.empty() ? "" : " ") + after;
  return inside;
}

std::string together(std::size_t count) {
  return fmt::format("{} together", count);
}

std::optional<std::vector<Number>> summands_in(const std::string& text) {
  std::vector<Number> summands;
  double sign = 1.0;
  for (const std::string& word : split(text, " ")) {
    if (word.empty()) continue;
    if (word == "+" || word == "-") {
      sign = word == "+" ? 1.0 : -1.0;
    } else if (auto number = as_number(word)) {
      number->value *= sign;
      summands.push_back(*number);
      sign = 1.0;
    } else {
      return std::nullopt;
    }
  }
  return summands;
}

double sum_of(const std::vector<Number>& summands) {
  double sum = 0.0;
  for (const Number& summand : summands) sum += summand.value;
  return sum;
}

double slack_of(const std::vector<Number>& summands) {
  double slack = 0.0;
  for (const Number& summand : summands) slack += summand.half_unit();
  return slack;
}

bool comes_out(const Number& result, double computed, bool uncertain, double slack) {
  return result.rounds(computed) ||
         (uncertain && std::abs(computed - result.value) <=
                           (slack + result.half_unit()) * (1.0 + 1e-6) + 1.2e-7 * std::abs(computed));
}

bool take_out(std::vector<double>& numbers, const Number& printed, double& ambiguous) {
  auto meant = numbers.end();
  std::size_t found = 0;
  for (auto number = numbers.begin(); number != numbers.end(); ++number) {
    if (printed.decimals == 0 && printed.exponent == 0 && *number != printed.value) continue;  // 1 is no 1.2 rounded
    if (!printed.rounds(*number)) continue;
    ++found;
    if (meant == numbers.end() || std::abs(*number) > std::abs(*meant)) meant = number;
  }
  if (found == 0) return false;
  if (found > 1) ambiguous += 2.0 * printed.half_unit();
  numbers.erase(meant);
  return true;
}

double as_step_holds(double number) {
  return std::abs(number) > static_cast<double>(std::numeric_limits<float>::max()) ? std::copysign(INFINITY, number)
                                                                                   : number;
}

bool agree(double computed, double number, double slack) {
  if (std::isnan(computed) || std::isnan(number)) return std::isnan(computed) && std::isnan(number);
  return computed == number || std::abs(computed - number) <= slack * (1.0 + std::abs(computed));
}

std::vector<double> line_through(const TraceStep& input, const Place& at, bool axis_is_gone) {
  const double said = at.step->attributes.at("axis");
  const auto rank = static_cast<double>(input.shape.size());
  const auto axis = static_cast<std::size_t>(said < 0 ? said + rank : said);
  std::size_t inner = 1;
  for (std::size_t k = axis + 1; k < input.shape.size(); ++k) inner *= input.shape[k];
  const std::size_t size = input.shape[axis];
  const std::size_t flat = at.row * at.step->column_count() + at.column;
  const std::size_t outer = flat / (axis_is_gone ? inner : inner * size);
  std::vector<double> line;
  for (std::size_t k = 0; k < size; ++k) line.push_back(input.values[(outer * size + k) * inner + flat % inner]);
  return line;
}

std::string without_count(const std::string& text, std::size_t count) {
  const std::string end = fmt::format(" / {}", count);
  if (!text.ends_with(end)) return "";
  const std::string sum = text.substr(0, text.size() - end.size());
  return sum.starts_with('(') && sum.ends_with(')') ? sum.substr(1, sum.size() - 2) : sum;
}
