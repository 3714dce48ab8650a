#include "board/row_by_hand.hpp"

#include "board/address.hpp"
#include "board/digits.hpp"
#include "board/ink.hpp"
#include "board/norm_arithmetic.hpp"
#include "board/printed_sum.hpp"
#include "text/unicode.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace attn {

namespace {

/// Which numbers of a row are written out: all that are not 0 where they are few, else the largest. The others are one
/// subtotal. Of a row of nothing but 0 its first ones.
std::vector<std::size_t> shown_of(const std::vector<double>& row) {
  std::vector<std::size_t> shown;
  std::vector<std::size_t> zeros;
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (row[k] != 0.0) shown.push_back(k);
  }
  for (std::size_t k = 0; shown.empty() && k < std::min(row.size(), most_summands); ++k) zeros.push_back(k);
  if (shown.empty()) return zeros;
  if (shown.size() <= most_summands) return shown;
  const auto magnitude = [&](std::size_t k) {
    return std::isnan(row[k]) ? std::numeric_limits<double>::infinity() : std::abs(row[k]);  // it decides the sum
  };
  std::stable_sort(shown.begin(), shown.end(),
                   [&](std::size_t a, std::size_t b) { return magnitude(a) > magnitude(b); });
  shown.resize(most_summands - 1);
  std::sort(shown.begin(), shown.end());
  return shown;
}

enum class Power { none, square };

/// A row added up with so many decimals, each number as it is or squared, and what a reader gets who adds it up.
struct WrittenSum {
  std::string text;
  double as_read = 0.0;
  bool leaves_zeros_out = false;
};

WrittenSum written_sum(const std::vector<double>& row, Power power, std::size_t decimals) {
  const std::vector<std::size_t> shown = shown_of(row);
  WrittenSum sum;
  double subtotal = 0.0;
  bool has_subtotal = false;
  for (std::size_t k = 0; k < row.size(); ++k) {
    const bool is_shown = std::find(shown.begin(), shown.end(), k) != shown.end();
    if (!is_shown) {
      subtotal += power == Power::square ? row[k] * row[k] : row[k];
      has_subtotal = has_subtotal || row[k] != 0.0;
      continue;
    }
    const double number = power == Power::square ? std::abs(row[k]) : row[k];
    const bool taken_off = !sum.text.empty() && number < 0.0;
    sum.text += sum.text.empty() ? "" : taken_off ? " - " : " + ";
    sum.text += short_number(taken_off ? -number : number, decimals);
    if (power == Power::square) sum.text += "^2";
    const double read = as_printed(number, decimals);
    sum.as_read += power == Power::square ? read * read : read;
  }
  if (has_subtotal) {
    sum.text += subtotal_text(subtotal, row.size() - shown.size(), decimals);
    sum.as_read += as_printed(subtotal, decimals);
  }
  sum.leaves_zeros_out = !has_subtotal && shown.size() < row.size();
  if (sum.text.empty()) sum.text.assign(1, '0');
  return sum;
}

/// "(1 + 2) / 3", and "1 / 3" where nothing is added up.
std::string over_count(const WrittenSum& sum, std::size_t count) {
  const bool adds_up = sum.text.find(' ') != std::string::npos;
  return adds_up ? fmt::format("({}) / {}", sum.text, count) : fmt::format("{} / {}", sum.text, count);
}

std::vector<double> values_of(const std::vector<Term>& terms) {
  std::vector<double> values;
  for (const Term& term : terms) values.push_back(term.value());
  return values;
}

std::vector<Operand> operands_of(const std::vector<Term>& terms, const std::vector<std::size_t>& shown) {
  std::vector<Operand> operands;
  for (const std::size_t k : shown) {
    operands.insert(operands.end(), terms[k].factors.begin(), terms[k].factors.end());
  }
  return operands;
}

/// Broken into lines; those after the first stand a little to the right.
void put(std::vector<std::string>& lines, const std::string& whole, std::size_t width) {
  if (display_width(whole) <= width) {
    lines.push_back(whole);
    return;
  }
  for (std::string& line : wrapped_and_indented(whole, width)) lines.push_back(std::move(line));
}

/// The row that a number was normalized in: "x[sat]".
std::string row_name(const Working& working, const Names& names) {
  const Operand& number = working.terms[working.chosen].factors[0];
  return names.of_row(number, axis_of(*working.step, number.index.size()));
}

std::string with_sign(double number, std::size_t decimals, bool taken_off) {
  const bool minus = taken_off != (number < 0.0);
  return fmt::format(" {} {}", minus ? '-' : '+', short_number(std::abs(number), decimals));
}

}  // namespace

OnPaper mean_on_paper(const Working& working, const Names& names, std::size_t precision, std::size_t width) {
  const std::vector<double> row = values_of(working.terms);
  const auto count = static_cast<double>(row.size());
  Decimals decimals{.operands = precision, .products = precision};
  for (std::size_t d = precision; d <= std::max(precision, most_decimals) && !decimals.exact; ++d) {
    const double read = written_sum(row, Power::none, d).as_read / count;
    decimals = {d, precision, prints_as(read, working.value, precision)};
  }
  if (!decimals.exact) decimals.operands = precision;
  const WrittenSum sum = written_sum(row, Power::none, decimals.operands);
  OnPaper paper;
  paper.operands = operands_of(working.terms, shown_of(row));
  put(paper.lines,
      fmt::format("{} = {} = {}{}{}", names.of(*working.step, working.index), over_count(sum, row.size()),
                  short_number(working.value, precision), rounded_note(decimals),
                  sum.leaves_zeros_out ? "   (all others are 0)" : ""),
      width);
  return paper;
}

OnPaper norm_on_paper(const Working& working, const Names& names, std::size_t precision, std::size_t width) {
  const std::vector<double> row = values_of(working.terms);
  const auto count = static_cast<double>(row.size());
  const bool off = takes_mean_off(working);
  const RowStatistics statistics = row_statistics(working);
  const double epsilon = working.step->origin.attribute("epsilon");
  std::vector<double> centered = row;
  for (double& x : centered) x -= statistics.mean;
  const Operand& x = working.terms[working.chosen].factors[0];
  const Operand* scale = working.besides.empty() ? nullptr : &working.besides[0];
  const Operand* bias = working.besides.size() > 1 ? &working.besides[1] : nullptr;

  // The fewest decimals of mean and variance at which the number comes out as printed, and those of the row's numbers
  // at which mean and variance do. Squares grow what was rounded away, so the row's numbers may need more.
  const auto number_comes_out = [&](const Decimals& decimals) {
    const double above =
        as_printed(x.value, decimals.operands) - (off ? as_printed(statistics.mean, decimals.products) : 0.0);
    const double spread = std::sqrt(as_printed(statistics.variance, decimals.products) + epsilon);
    const double number = above / spread * (scale != nullptr ? as_printed(scale->value, decimals.operands) : 1.0) +
                          (bias != nullptr ? as_printed(bias->value, decimals.operands) : 0.0);
    return prints_as(number, working.value, precision);
  };
  const auto row_comes_out = [&](const Decimals& decimals) {
    const double mean = written_sum(row, Power::none, decimals.operands).as_read / count;
    const double variance = written_sum(centered, Power::square, decimals.operands).as_read / count;
    return (!off || prints_as(mean, statistics.mean, decimals.products)) &&
           prints_as(variance, statistics.variance, decimals.products);
  };
  const auto fitting = [&] {
    for (std::size_t products = precision; products <= std::max(precision, most_decimals); ++products) {
      for (std::size_t operands = products; operands <= products + 3; ++operands) {
        const Decimals decimals{.operands = operands, .products = products, .exact = true};
        if (number_comes_out(decimals) && row_comes_out(decimals)) return decimals;
      }
    }
    return Decimals{.operands = precision, .products = precision, .exact = false};
  };
  const Decimals decimals = fitting();
  const auto operand_text = [&](double number) { return short_number(number, decimals.operands); };

  OnPaper paper;
  const WrittenSum summed = written_sum(row, Power::none, decimals.operands);
  const WrittenSum squared = written_sum(centered, Power::square, decimals.operands);
  const auto zeros = [](const WrittenSum& sum) { return sum.leaves_zeros_out ? "   (all others are 0)" : ""; };
  const std::string less_mean = with_sign(statistics.mean, decimals.products, /*taken_off=*/true);
  const std::string variance = short_number(statistics.variance, decimals.products);
  if (off) {
    put(paper.lines,
        fmt::format("the mean of {}: {} = {}{}", row_name(working, names), over_count(summed, row.size()),
                    short_number(statistics.mean, decimals.products), zeros(summed)),
        width);
  }
  put(paper.lines,
      fmt::format("{}: {} = {}{}",
                  off ? fmt::format("the variance, the mean of ({}{})^2", names.of(*x.step), less_mean)
                      : fmt::format("the mean square of {}", row_name(working, names)),
                  over_count(squared, row.size()), variance, zeros(squared)),
      width);

  const std::string name = names.of(*working.step, working.index);
  const std::string in_words =
      fmt::format("{} / sqrt({} + epsilon){}{}", off ? fmt::format("({} - mean)", names.of(x)) : names.of(x),
                  off ? "variance" : "mean square", scale != nullptr ? fmt::format(" · {}", names.of(*scale)) : "",
                  bias != nullptr ? fmt::format(" + {}", names.of(*bias)) : "");
  const std::string above = operand_text(x.value);
  const std::string in_numbers =
      fmt::format("{} / sqrt({} + {}){}{}", off ? fmt::format("({}{})", above, less_mean) : above, variance, epsilon,
                  scale != nullptr ? fmt::format(" · {}", operand_text(scale->value)) : "",
                  bias != nullptr ? with_sign(bias->value, decimals.operands, false) : "");
  put(paper.lines, fmt::format("{} = {}", name, in_words), width);
  const std::string end =
      fmt::format(" = {} = {}{}", in_numbers, short_number(working.value, precision), rounded_note(decimals));
  const std::size_t below_name = std::min(display_width(name), width / 3);
  const bool fits = below_name + display_width(end) <= width;
  put(paper.lines, std::string(fits ? below_name : 1, ' ') + end, width);

  paper.operands = operands_of(working.terms, shown_of(row));
  const bool is_there = std::any_of(paper.operands.begin(), paper.operands.end(),
                                    [&](const Operand& operand) { return operand.index == x.index; });
  if (!is_there) paper.operands.push_back(x);
  paper.operands.insert(paper.operands.end(), working.besides.begin(), working.besides.end());
  return paper;
}

}  // namespace attn
