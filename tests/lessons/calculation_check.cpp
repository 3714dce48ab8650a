#include "lessons/calculation_check.hpp"

#include "lessons/printed_terms.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace {

/// " · 0.577", among the names of operands.
bool has_rounded_factor(const std::string& part) {
  const std::string times = " · ";
  for (std::size_t at = 0; (at = part.find(times, at)) != std::string::npos;) {
    at += times.size();
    const std::size_t end = part.find_first_not_of("0123456789", at);
    if (end != std::string::npos && end > at && part[end] == '.') return true;
  }
  return false;
}

/// "name = ..."; where the name is long, its line ends with the sign or breaks within the name's brackets. (A name that
/// is cut, with numbers beside it, is a row of columns.)
bool begins_chain(const std::string& line) {
  return line.find(" = ") != std::string::npos || line.ends_with(" =") ||
         (line.find('[') != std::string::npos && line.find(']') == std::string::npos &&
          line.find("…") == std::string::npos);
}

}  // namespace

CalculationCheck::Remarks CalculationCheck::take_remarks(std::string& text) {
  Remarks remarks;
  remarks.rounded = take_remark(text, "rounded").has_value();
  if (remarks.rounded) ++rounded;
  remarks.in_table = take_remark(text, "in the table: ");
  remarks.others_zero = take_remark(text, "all others are 0").has_value();
  remarks.others = take_remark(text, "the other ");
  return remarks;
}

std::optional<Place> CalculationCheck::place_named(const std::string& address) const {
  const auto found = trace_.address(address, 0);
  if (!found || found->second != address.size()) return std::nullopt;
  return found->first;
}

std::vector<CalculationCheck::Operands> CalculationCheck::operands_of(Place at) const {
  std::vector<Operands> terms;
  if (at.step->op == "slice") {  // a head's columns of Q: the product is Q's
    const TraceStep& whole = trace_.step(at.step->inputs[0]);
    const auto same = std::find(whole.columns.begin(), whole.columns.end(), at.step->columns[at.column]);
    at = {&whole, at.row, static_cast<std::size_t>(same - whole.columns.begin())};
    if (same == whole.columns.end()) return terms;
  }
  const std::string& op = at.step->op;
  const std::vector<std::string>& inputs = at.step->inputs;
  if (op == "sum") {
    for (const double number : line_through(trace_.step(inputs[0]), at, true)) terms.push_back({number, 0.0, true});
    return terms;
  }
  if (op != "linear" && op != "matmul" && op != "matmul_transposed") return terms;
  const TraceStep& a = trace_.step(inputs[0]);
  const TraceStep& b = trace_.step(inputs[1]);
  // Of a block of matrices each has its own partner.
  const std::size_t rows_of_a = a.shape.size() < 2 ? 1 : a.shape[a.shape.size() - 2];
  const std::size_t rows_of_b = b.shape[b.shape.size() - 2];
  const std::size_t start = b.shape.size() == 2 ? 0 : at.row / rows_of_a * rows_of_b;
  for (std::size_t k = 0; k < a.column_count(); ++k) {
    terms.push_back({a.at(at.row, k), op == "matmul" ? b.at(start + k, at.column) : b.at(start + at.column, k), false});
  }
  if (inputs.size() == 3) terms.push_back({trace_.step(inputs[2]).values[at.column], 0.0, true});
  return terms;
}

void CalculationCheck::check(const std::vector<std::string>& lines) {
  if (lines[0].starts_with("e^")) return check_softmax(lines);
  const auto first = std::find_if(lines.begin(), lines.end(), [](const std::string& l) { return l[0] != ' '; });
  const bool tells = first != lines.end() && first->starts_with("the ");  // of a row or an angle, before the number
  if (first != lines.end() && !tells && !begins_chain(*first)) return check_columns(lines);
  std::string chain;
  for (const std::string& line : lines) {
    if (line[0] != ' ' && line[0] != '=' && !chain.empty()) {
      check_chain(chain);
      chain.clear();
    }
    append_words(chain, trimmed(line));
  }
  check_chain(chain);
}

void CalculationCheck::check_in_table(const Remarks& remarks, const Place& at, const std::string& whole) {
  if (!remarks.in_table) return;
  const auto table = as_number(*remarks.in_table);
  require(table && table->rounds(at.value()) && table->decimals <= precision_, "not in the table: " + whole);
}

/// "name = names = numbers = result"
void CalculationCheck::check_chain(std::string chain) {
  if (is_told_before(chain)) return;
  const std::string whole = chain;
  const Remarks remarks = take_remarks(chain);
  const bool given = take_remark(chain, "given").has_value();
  std::vector<std::string> parts = split(chain, " = ");
  const auto place = place_named(parts[0]);
  if (!place) return problems.push_back("no such number: " + whole);
  const Place at = *place;
  worked_out.push_back(at);
  if (given != (at.step->op == "given" || at.step->op == "tokenize")) problems.push_back("given or not? " + whole);
  if (parts.size() == 2) return check_two_parts(at, parts[1], remarks, whole);

  // "2, the largest of 7"
  const std::size_t largest_of = parts.back().find(", the largest of ");
  require((largest_of != std::string::npos) == (at.step->op == "max"), "the largest or not? " + whole);
  if (largest_of != std::string::npos) {
    const std::vector<double> line = line_through(trace_.step(at.step->inputs[0]), at, true);
    require(parts.back().substr(largest_of) == fmt::format(", the largest of {}", line.size()),
            "of how many? " + whole);
    const bool is_it = std::all_of(line.begin(), line.end(), [&](double other) { return !(other > at.value()); });
    require(is_it, "not the largest: " + whole);
    parts.back().resize(largest_of);
  }
  const auto result = as_number(trimmed(parts.back()));
  if (!result) return problems.push_back("cannot be read: " + whole);
  require(result->rounds(at.value()), "not the trace's number: " + whole);
  check_in_table(remarks, at, whole);

  std::vector<double> named;
  for (std::size_t k = 1; k + 1 < parts.size(); ++k) {
    if (const auto numeric = evaluated(parts[k])) {
      // Of e^4.4959 / 175.83 the numerator is checked instead, with the line of the powers.
      const bool softmax = parts[k].starts_with("e^") && parts[k].find(" / ") != std::string::npos;
      const double slack = remarks.rounded ? slack_of_printed(parts[k]) : 0.0;
      require(softmax || comes_out(*result, as_step_holds(*numeric), remarks.rounded, slack),
              fmt::format("{} gives {}: {}", parts[k], *numeric, whole));
      if (!named.empty()) check_printed_operands(parts[k], named, whole);
      if (at.step->op == "sum" && named.empty()) check_summands(at, parts[k], remarks, whole);
      if (at.step->op == "mean") {
        std::vector<double> line = line_through(trace_.step(at.step->inputs[0]), at, true);
        check_summands_of(std::move(line), without_count(parts[k], line.size()), remarks, whole);
      }
    } else if (at.step->op == "layer_norm" || at.step->op == "rms_norm") {
      check_row(at, parts[k], whole);
    } else if (at.step->op == "rotate" && parts[k].find("cos(") != std::string::npos) {
      check_turn(at, parts[k], whole);
    } else if (const auto worked = trace_.worked_out(parts[k])) {
      named = worked->second;
      // A factor such as sqrt(3), or 1 / sqrt(3), is printed rounded.
      const bool has_factor = has_rounded_factor(parts[k]);
      const double slack = has_factor ? 0.5 * std::pow(10.0, -static_cast<double>(precision_)) : 1e-5;
      require(agree(as_step_holds(worked->first), at.value(), slack),
              fmt::format("{} gives {}: {}", parts[k], worked->first, whole));
    } else {
      problems.push_back("cannot be worked out: " + parts[k] + " in " + whole);
    }
  }
  if (remarks.others_zero && at.step->op != "sum" && at.step->op != "mean") {
    std::size_t factors = 0;
    for (const Operands& term : operands_of(at)) {
      if (term.product() != 0.0) factors += term.single ? 1 : 2;
    }
    require(named.size() == (factors == 0 ? 2 : factors), "others are not 0: " + whole);
  }
}

/// A given number, one that is hidden, one that is nan and says why, or the one summand that is not 0.
void CalculationCheck::check_two_parts(const Place& at, const std::string& said, const Remarks& remarks,
                                       const std::string& whole) {
  const std::string because = "-inf, because ";
  const std::string is_0 = " is 0";
  if (said.starts_with(because) && said.ends_with(is_0)) {
    const auto mask = place_named(said.substr(because.size(), said.size() - because.size() - is_0.size()));
    return require(mask && mask->value() == 0.0 && at.value() == -INFINITY, "not hidden: " + whole);
  }
  if (at.step->op == "cache_misses") return check_access(at, said, whole);
  const std::string chosen = ": every number of the row is -inf, and such a row gets that by choice";
  if (said.ends_with(chosen)) {
    const std::vector<double> line = line_through(trace_.step(at.step->inputs[0]), at, false);
    const auto share = as_number(said.substr(0, said.size() - chosen.size()));
    const bool is_empty = std::all_of(line.begin(), line.end(), [](double x) { return x == -INFINITY; });
    return require(share && share->rounds(at.value()) && is_empty && at.step->attributes.count("empty") == 1,
                   "not chosen: " + whole);
  }
  if (said.starts_with("nan: ")) return require(std::isnan(at.value()), "not nan: " + whole);
  const auto result = as_number(said);
  require(result && result->rounds(at.value()), "not the trace's number: " + whole);
  check_in_table(remarks, at, whole);
  if (at.step->op == "sum") check_summands(at, said, remarks, whole);
  require(at.step->inputs.empty() || at.step->op == "sum", "from what? " + whole);
}

/// The numbers that were named stand there rounded, in their order; a sign may have gone into the sum.
void CalculationCheck::check_printed_operands(const std::string& part, const std::vector<double>& named,
                                              const std::string& whole) {
  const std::vector<Number> printed = numbers_in(part);
  require(printed.size() >= named.size(), "a number is missing: " + whole);
  std::size_t next = 0;
  for (const double value : named) {
    while (next < printed.size() && !printed[next].rounds(value) && !printed[next].rounds(std::abs(value))) ++next;
    require(next++ < printed.size(), fmt::format("{} is not among the numbers: {}", value, whole));
  }
}

/// "0.368 + 1 + 7.389": numbers of the line that is added up, perhaps a subtotal of others, and nothing but zeros is
/// missing.
void CalculationCheck::check_summands(const Place& at, const std::string& part, const Remarks& remarks,
                                      const std::string& whole) {
  std::vector<double> left_over;
  for (const Operands& term : operands_of(at)) left_over.push_back(term.product());
  check_summands_of(std::move(left_over), part, remarks, whole);
}

/// The same for a line whose numbers are known.
void CalculationCheck::check_summands_of(std::vector<double> left_over, const std::string& part, const Remarks& remarks,
                                         const std::string& whole) {
  auto printed = summands_in(part);
  if (!printed || printed->empty()) return problems.push_back("not a sum of numbers: " + whole);
  std::optional<Number> subtotal;
  if (remarks.others) {
    subtotal = printed->back();
    printed->pop_back();
  }
  double ambiguous = 0.0;
  for (const Number& summand : *printed) {
    require(take_out(left_over, summand, ambiguous), fmt::format("the trace has no {}: {}", summand.value, whole));
  }
  double others = 0.0;
  for (const double value : left_over) others += value;
  const auto not_zero = static_cast<std::size_t>(
      std::count_if(left_over.begin(), left_over.end(), [](double value) { return value != 0.0; }));
  if (subtotal) {
    require(comes_out(*subtotal, others, ambiguous > 0.0, ambiguous),
            fmt::format("the others make {}: {}", others, whole));
    require(!remarks.others_zero, "are the others 0? " + whole);
    require(*remarks.others == together(left_over.size()), "not so many others: " + whole);
  } else {
    require(not_zero == 0, "a summand is missing: " + whole);
    require(remarks.others_zero == !left_over.empty(), "are others 0? " + whole);
  }
}
