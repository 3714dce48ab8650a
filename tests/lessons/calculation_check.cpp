#include "lessons/calculation_check.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

/// Cuts off a remark in brackets that begins so, and returns what follows in it; nothing when it is not there.
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

/// The end of "(the other 3 together)".
std::string together(std::size_t count) {
  return fmt::format("{} together", count);
}

/// "8.325 + 0.767 - 0.100" as signed numbers; nothing when it is no such sum.
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

/// How far off a sum of rounded numbers may be.
double slack_of(const std::vector<Number>& summands) {
  double slack = 0.0;
  for (const Number& summand : summands) slack += summand.half_unit();
  return slack;
}

/// Is this the printed result, or (where that is not certain) no farther from it than `slack` and the rounding of
/// float?
bool comes_out(const Number& result, double computed, bool uncertain, double slack) {
  return result.rounds(computed) ||
         (uncertain && std::abs(computed - result.value) <=
                           (slack + result.half_unit()) * (1.0 + 1e-6) + 1.2e-7 * std::abs(computed));
}

/// Takes out the number that looks so when printed; false when there is none. Of several the largest is meant, since
/// small ones are left to the others; in a softmax it may be another: `ambiguous` grows by how far apart they can be.
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

/// A step holds floats, and what is too large for one is inf.
double as_step_holds(double number) {
  return std::abs(number) > static_cast<double>(std::numeric_limits<float>::max()) ? std::copysign(INFINITY, number)
                                                                                   : number;
}

bool agree(double computed, double number, double slack) {
  if (std::isnan(computed) || std::isnan(number)) return std::isnan(computed) && std::isnan(number);
  return computed == number || std::abs(computed - number) <= slack * (1.0 + std::abs(computed));
}

/// The numbers of a step's input that the number at `at` was folded or normalised from, along the step's axis.
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

/// "name = ..."; where the name is long, its line ends with the sign or breaks within the name's brackets. (A name that
/// is cut, with numbers beside it, is a row of columns.)
bool begins_chain(const std::string& line) {
  return line.find(" = ") != std::string::npos || line.ends_with(" =") ||
         (line.find('[') != std::string::npos && line.find(']') == std::string::npos &&
          line.find("…") == std::string::npos);
}

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

/// "(1 + 2) / 2", or "2 / 2" where nothing is added up, without its count; nothing where that is not `count`.
std::string without_count(const std::string& text, std::size_t count) {
  const std::string end = fmt::format(" / {}", count);
  if (!text.ends_with(end)) return "";
  const std::string sum = text.substr(0, text.size() - end.size());
  return sum.starts_with('(') && sum.ends_with(')') ? sum.substr(1, sum.size() - 2) : sum;
}

std::string replaced(const std::string& text, const std::string& word, double number) {
  const std::size_t at = text.find(word);
  return at == std::string::npos ? text
                                 : text.substr(0, at) + fmt::format("{:.17f}", number) + text.substr(at + word.size());
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

/// A given number, one that is hidden, one that is nan and says why, or the one summand that is not 0.
void CalculationCheck::check_two_parts(const Place& at, const std::string& said, const Remarks& remarks,
                                       const std::string& whole) {
  const std::string because = "-inf, because ";
  const std::string is_0 = " is 0";
  if (said.starts_with(because) && said.ends_with(is_0)) {
    const auto mask = place_named(said.substr(because.size(), said.size() - because.size() - is_0.size()));
    return require(mask && mask->value() == 0.0 && at.value() == -INFINITY, "not hidden: " + whole);
  }
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
  require(count == not_zero || count == left_over.size(), "not so many others:" + whole);
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
