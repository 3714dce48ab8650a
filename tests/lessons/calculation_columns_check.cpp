// Calculations that take several lines: products in columns, and the powers of a softmax.

#include "lessons/calculation_check.hpp"
#include "lessons/printed_terms.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

/// Operands above each other, their products below, added up.
void CalculationCheck::check_columns(const std::vector<std::string>& lines) {
  std::string whole;
  for (const std::string& line : lines) whole += "\n    " + line;
  std::size_t bottom = 0;
  while (bottom < lines.size() && lines[bottom][0] == ' ' && bottom == 0) ++bottom;  // the labels
  bottom += 2;
  if (bottom >= lines.size()) return problems.push_back("cannot be read:" + whole);
  const std::vector<Word> top = words_of(lines[bottom - 2]);
  const std::vector<Word> middle = words_of(lines[bottom - 1]);
  std::string end;
  for (std::size_t k = bottom; k < lines.size(); ++k) append_words(end, trimmed(lines[k]));

  const Remarks remarks = take_remarks(end);
  const std::vector<std::string> parts = split(end, " = ");
  if (parts.size() != 3) return problems.push_back("cannot be read:" + whole);
  const auto total = as_number(trimmed(parts[1]));
  const auto place = place_named(parts[2]);
  const auto summands = summands_in(parts[0]);
  if (!total || !place) return problems.push_back("no such number:" + whole);
  if (!summands) return problems.push_back("not a sum of numbers:" + whole);
  const Place at = *place;
  worked_out.push_back(at);

  const double sum = sum_of(*summands);
  require(comes_out(*total, sum, remarks.rounded, slack_of(*summands)),
          fmt::format("the sum as printed is {}:{}", sum, whole));
  require(total->rounds(at.value()), "not the trace's number:" + whole);
  check_in_table(remarks, at, whole);
  if (!remarks.in_table && !remarks.rounded && std::isfinite(total->value))
    require(total->decimals >= precision_, "fewer decimals than the table has:" + whole);

  // The operands of each printed product are a pair of the trace's.
  std::vector<Operands> left_over = operands_of(at);
  std::size_t next = 0;
  double ambiguous = 0.0;  // where two terms look the same as printed, the other one may be among the others
  for (const Word& word : top) {
    const auto left = as_number(word.text);
    if (!left || word.begin == 0) continue;
    std::optional<Number> right;
    for (const Word& below : middle) {
      if (below.end == word.end) right = as_number(below.text);
    }
    if (next >= summands->size()) return problems.push_back("an operand too many:" + whole);
    const Number product = (*summands)[next++];
    const double printed = right ? left->value * right->value : left->value;
    const double slack = right ? left->half_unit() * std::abs(right->value) + right->half_unit() * std::abs(left->value)
                               : left->half_unit();
    require(comes_out(product, printed, remarks.rounded, slack),
            fmt::format("{} is not {}:{}", printed, product.value, whole));
    const auto same = [&](const Operands& term) {
      return left->rounds(term.left) && (right ? !term.single && right->rounds(term.right) : term.single) &&
             product.rounds(term.product());
    };
    // Of two that look the same one that is not 0 is meant: zeros are left out.
    auto found = std::find_if(left_over.begin(), left_over.end(),
                              [&](const Operands& term) { return same(term) && term.product() != 0.0; });
    if (found == left_over.end()) found = std::find_if(left_over.begin(), left_over.end(), same);
    if (std::count_if(left_over.begin(), left_over.end(), same) > 1) ambiguous += 2.0 * product.half_unit();
    if (found == left_over.end()) {
      problems.push_back(fmt::format("the trace has no {} with such a partner:{}", left->value, whole));
    } else {
      left_over.erase(found);
    }
  }
  const bool has_subtotal = next < summands->size();
  double others = 0.0;
  std::size_t not_zero = 0;
  for (const Operands& term : left_over) {
    others += term.product();
    not_zero += term.product() != 0.0 ? 1U : 0U;
  }
  if (!has_subtotal) return require(not_zero == 0, "a summand is missing:" + whole);
  require(next + 1 == summands->size(), "too many summands:" + whole);
  require(comes_out(summands->back(), others, ambiguous > 0.0, ambiguous),
          fmt::format("the others make {}:{}", others, whole));
  // "12 others" ends the line of the labels.
  const std::vector<Word> labels = words_of(lines[0]);
  const auto said = labels.size() < 2 ? std::nullopt : as_number(labels[labels.size() - 2].text);
  if (!said || !labels.back().text.starts_with("other")) return problems.push_back("how many others?" + whole);
  const auto count = static_cast<std::size_t>(said->value);
  require(count == left_over.size(), "not so many others:" + whole);
}

/// "e^masked: 1.50 + 89.65 + .. = 175.83", then the share.
void CalculationCheck::check_softmax(const std::vector<std::string>& lines) {
  std::size_t share_line = 1;
  while (share_line < lines.size() && lines[share_line][0] == ' ') ++share_line;
  std::string powers;
  for (std::size_t k = 0; k < share_line; ++k) append_words(powers, trimmed(lines[k]));
  std::string share;
  for (std::size_t k = share_line; k < lines.size(); ++k) append_words(share, trimmed(lines[k]));
  const std::string whole = powers + " | " + share;
  if (share.empty()) return problems.push_back("no share: " + whole);
  check_chain(share);

  take_remark(powers, "hidden");
  const auto others = take_remark(powers, "the other ");
  const bool shifted = powers.find("- the largest") != std::string::npos;
  const std::size_t colon = powers.find(": ");
  const std::vector<std::string> parts = split(powers.substr(colon + 2), " = ");
  if (parts.size() != 2) return problems.push_back("cannot be read: " + whole);
  auto printed = summands_in(parts[0]);
  const auto total = as_number(trimmed(parts[1]));
  const auto place = trace_.address(share, 0);
  if (!printed || printed->empty() || !total || !place) return problems.push_back("cannot be read: " + whole);
  const bool is_rounded = share.find("(rounded)") != std::string::npos;
  const double sum = sum_of(*printed);
  require(comes_out(*total, sum, is_rounded, slack_of(*printed)),
          fmt::format("the sum as printed is {}: {}", sum, whole));

  const Place at = place->first;
  const std::vector<double> line = line_through(trace_.step(at.step->inputs[0]), at, false);
  const double largest = *std::max_element(line.begin(), line.end());
  std::vector<double> left_over;
  double all = 0.0;
  for (const double x : line) {
    left_over.push_back(std::exp(x - (shifted ? largest : 0.0)));
    all += left_over.back();
  }
  require(total->rounds(all), fmt::format("all powers make {}: {}", all, whole));
  std::optional<Number> subtotal;
  if (others) {
    subtotal = printed->back();
    printed->pop_back();
  }
  double ambiguous = 0.0;
  for (const Number& power : *printed) {
    require(take_out(left_over, power, ambiguous), fmt::format("no such power: {} in {}", power.value, whole));
  }
  double rest = 0.0;
  std::size_t not_zero = 0;
  for (const double value : left_over) {
    rest += value;
    not_zero += value > 0.0 ? 1U : 0U;
  }
  if (subtotal)
    require(comes_out(*subtotal, rest, ambiguous > 0.0, ambiguous), fmt::format("the others make {}: {}", rest, whole));
  if (others) require(*others == together(not_zero) || *others == together(left_over.size()), "not so many: " + whole);
  if (!others) require(not_zero == 0, "a power is missing: " + whole);

  // e^x is the numerator that the next fraction has.
  const std::vector<std::string> chain = split(share, " = ");
  if (chain.size() < 4) return problems.push_back("cannot be read: " + whole);
  const std::string exponent = chain[1].substr(0, chain[1].rfind(" / "));
  const auto numerator = as_number(chain[2].substr(0, chain[2].find(" / ")));
  const auto power = evaluated(exponent);
  require(
      power && numerator && comes_out(*numerator, *power, is_rounded, is_rounded ? slack_of_printed(exponent) : 0.0),
      "e^x is not the numerator: " + whole);
}
