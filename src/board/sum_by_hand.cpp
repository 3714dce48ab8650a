#include "board/sum_by_hand.hpp"

#include "board/address.hpp"
#include "board/digits.hpp"
#include "board/ink.hpp"
#include "board/printed_sum.hpp"
#include "text/unicode.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn {

namespace {

/// " / 2" for 0.5, else " · 0.3536".
std::string constant_text(double constant, std::size_t decimals) {
  const double by = divisor(constant);
  return by != 0.0 ? fmt::format(" / {}", by) : fmt::format(" · {}", short_number(constant, decimals));
}

std::string zeros_note(const Working& working, const Working& lean) {
  return lean.terms.size() < working.terms.size() ? "   (all others are 0)" : "";
}

/// "scores[sat, cat] = 8.992", and the table's rounder figure where more digits were needed.
std::string named_total(const std::string& name, double total, const Decimals& decimals, std::size_t precision) {
  const std::string rounder =
      decimals.products > precision && fixed(total, precision) != fixed(total, decimals.products)
          ? fmt::format("   (in the table: {})", short_number(total, precision))
          : "";
  return name + rounder + rounded_note(decimals);
}

/// Where all places of an address but one are the same for every product: "Q[sat]", "V[*, animal]".
std::string factor_name(const Names& names, const Working& products, std::size_t factor) {
  const Operand& first = products.terms.front().factors[factor];
  const Step& step = *first.step;
  std::string places;
  bool varies_last = true;
  for (std::size_t axis = 0; axis < first.index.size(); ++axis) {
    const bool varies = std::any_of(products.terms.begin(), products.terms.end(), [&](const Term& term) {
      return term.factors.size() > factor && term.factors[factor].step == &step &&
             term.factors[factor].index[axis] != first.index[axis];
    });
    const std::size_t from_end = first.index.size() - 1 - axis;
    std::string written = std::to_string(first.index[axis]);
    if (from_end == 0) written = place(first.index.size() > 1 ? step.columns : step.rows, first.index[axis]);
    if (from_end == 1) written = place(step.rows, first.index[axis]);
    if (varies) written.assign(1, '*');
    if (from_end == 0) varies_last = varies;
    if (from_end == 0 && varies) break;
    if (!places.empty()) places += ", ";
    places += written;
  }
  if (places.empty() && varies_last) return names.of(step);
  return fmt::format("{}[{}]", names.of(step), places);
}

std::vector<Operand> operands_of(const PrintedSum& sum) {
  std::vector<Operand> operands;
  for (const Term* term : sum.shown) operands.insert(operands.end(), term->factors.begin(), term->factors.end());
  return operands;
}

/// A calculation in columns, one per term: operands above each other, their products below, added up. `most` columns.
OnPaper columns_of_products(const Working& working, const Names& names, const TextStyle& style, std::size_t width,
                            std::size_t most) {
  // A few products are all written out; of many, those that are not 0.
  const Working lean = working.terms.size() > most_terms ? without_zeros(working) : working;
  const auto [sum, decimals] = fit_sum(lean, style.precision, most);
  const auto text = [&](const std::string& words) { return glyphs(words, style.ascii); };
  const std::string name = text(names.of(*working.step, working.index));
  const std::size_t left_out = working.terms.size() - sum.shown.size();  // zeros too, where there is a subtotal
  const std::string others = left_out == 1 ? "1 other" : fmt::format("{} others", left_out);
  const std::string first_name = shortened(text(factor_name(names, lean, 0)), width / 3, style.ascii);
  const std::string second_name = shortened(text(factor_name(names, lean, 1)), width / 3, style.ascii);
  const std::size_t label_width = std::max(display_width(first_name), display_width(second_name)) + 1;

  std::string labels = std::string(label_width, ' ');
  std::string top = padded_right(first_name, label_width);
  std::string middle = padded_right(second_name, label_width);
  std::string bottom = std::string(label_width, ' ');
  bool labelled = false;
  bool first = true;
  const std::size_t extra = decimals.operands - decimals.products;  // keeps the decimal points under each other
  for (const Term* term : sum.shown) {
    const std::string a = fixed(term->factors[0].value, decimals.operands);
    const std::string b = term->factors.size() > 1 ? fixed(term->factors[1].value, decimals.operands) : "";
    const bool taken_off = !first && term->value() < 0.0;  // "- 0.209" and not "+ -0.209"
    const double summand = taken_off ? -term->value() : term->value();
    const std::string product = fixed(summand, decimals.products) + std::string(extra, ' ');
    const std::size_t cell = std::max({display_width(a), display_width(b), display_width(product)});
    const std::string label = shortened(text(term->label), cell + 2, style.ascii);
    labelled = labelled || term->label.find_first_not_of("0123456789") != std::string::npos;
    labels.append(" ").append(padded_left(label, cell + 2));
    top.append("   ").append(padded_left(a, cell));
    middle.append(b.empty() ? "   " : " · ").append(padded_left(b, cell));
    bottom.append(first ? "   " : taken_off ? " - " : " + ").append(padded_left(product, cell));
    first = false;
  }
  if (sum.others > 0) {
    const std::string subtotal = fixed(std::abs(sum.subtotal), decimals.products) + std::string(extra, ' ');
    const std::size_t cell = std::max(display_width(subtotal), display_width(others));
    labels.append("   ").append(padded_left(others, cell));
    labelled = true;
    bottom.append(sum.subtotal < 0.0 ? " - " : " + ").append(padded_left(subtotal, cell));
  }
  std::vector<std::string> lines;
  if (labelled) lines.push_back(labels);
  lines.push_back(top);
  lines.push_back(middle);
  const std::string equals = " = " + fixed(sum.total, decimals.products);
  const std::string ends = " = " + named_total(name, sum.total, decimals, style.precision);
  const std::size_t end_width = display_width(equals) + display_width(ends);
  if (display_width(bottom) + end_width <= width) {
    lines.push_back(bottom + equals + ends);
  } else {
    lines.push_back(bottom);
    const std::size_t indent = end_width < width ? std::min(label_width, width - end_width) : 0;
    if (end_width > width) lines.push_back(equals);
    lines.push_back(std::string(indent, ' ') + (end_width > width ? ends : equals + ends));
  }
  return {std::move(lines), operands_of(sum)};
}

}  // namespace

OnPaper columns_that_fit(const Working& working, const Names& names, const TextStyle& style, std::size_t width) {
  for (std::size_t most = most_terms; most > 2; --most) {
    OnPaper paper = columns_of_products(working, names, style, width, most);
    const bool fits = std::all_of(paper.lines.begin(), paper.lines.end(),
                                  [&](const std::string& line) { return display_width(line) <= width; });
    if (fits) return paper;
  }
  return columns_of_products(working, names, style, width, 2);
}

OnPaper one_line(const Working& working, const Names& names, std::size_t precision, std::size_t width) {
  const Working lean = working.terms.size() > 2 ? without_zeros(working) : working;
  const auto [sum, decimals] = fit_sum_on_one_line(lean, precision);

  std::string sum_of_names;
  std::string numbers;
  for (const Term* term : sum.shown) {
    const bool first = sum_of_names.empty();
    const bool minus = term->constant == -1.0;
    const bool negative = term->factors.front().value < 0.0;
    const bool taken_off = !first && minus != negative;  // "1 - 0.321" and not "1 + -0.321"
    std::string name;
    std::string number;
    for (const Operand& factor : term->factors) {
      const double value = number.empty() && !first ? std::abs(factor.value) : factor.value;
      name += (name.empty() ? "" : " · ") + names.of(factor);
      number += (number.empty() ? "" : " · ") + short_number(value, decimals.operands);
    }
    if (term->constant != 1.0 && !minus) {
      name += constant_text(term->constant, decimals.operands);
      number += constant_text(term->constant, decimals.operands);
    }
    sum_of_names += (first ? (minus ? "-" : "") : minus ? " - " : " + ") + name;
    numbers += (first ? (minus ? "-" : "") : taken_off ? " - " : " + ") + number;
  }
  const std::string total = short_number(sum.total, decimals.products) +
                            named_total("", sum.total, decimals, precision) + zeros_note(working, lean);
  const std::string name = names.of(*working.step, working.index);
  const bool alone = numbers == total;  // one summand: what it is says what the sum is
  const std::string whole = alone ? fmt::format("{} = {} = {}", name, sum_of_names, total)
                                  : fmt::format("{} = {} = {} = {}", name, sum_of_names, numbers, total);
  if (alone || display_width(whole) <= width) return {{whole}, operands_of(sum)};
  // Under the first equals sign, where there is room for that.
  const std::size_t longest = std::max(display_width(numbers), display_width(total));
  const bool roomy = display_width(name) + 3 + longest <= width;
  const std::string indent(roomy ? display_width(name) : 4, ' ');
  const std::string end = fmt::format("{} = {} = {}", indent, numbers, total);
  if (display_width(end) <= width) return {{fmt::format("{} = {}", name, sum_of_names), end}, operands_of(sum)};
  return {{fmt::format("{} = {}", name, sum_of_names), fmt::format("{} = {}", indent, numbers),
           fmt::format("{} = {}", indent, total)},
          operands_of(sum)};
}

OnPaper added_up(const Working& working, const Names& names, std::size_t precision, std::size_t width) {
  const Working lean = without_zeros(working);
  const auto [sum, decimals] = fit_sum(lean, precision, most_summands);
  std::string numbers;
  for (const Term* term : sum.shown) {
    const double value = term->value();
    const bool taken_off = !numbers.empty() && value < 0.0;
    numbers += numbers.empty() ? "" : taken_off ? " - " : " + ";
    numbers += short_number(taken_off ? -value : value, decimals.products);
  }
  if (sum.others > 0) {
    numbers += subtotal_text(sum.subtotal, working.terms.size() - sum.shown.size(), decimals.products);
  }
  const std::string name = names.of(*working.step, working.index);
  const std::string total = short_number(sum.total, decimals.products) +
                            named_total("", sum.total, decimals, precision) +
                            (sum.others == 0 ? zeros_note(working, lean) : "");
  if (lean.terms.size() == 1 && is_zero(lean.terms[0])) {
    std::string zeros = "0";
    for (std::size_t k = 1; k < std::min(working.terms.size(), most_summands); ++k) zeros += " + 0";
    const char* const note = working.terms.size() > most_summands ? "   (all others are 0)" : "";
    return {{fmt::format("{} = {} = 0{}", name, zeros, note)}, operands_of(sum)};
  }
  const bool alone = lean.terms.size() == 1;
  const std::string whole =
      alone ? fmt::format("{} = {}", name, total) : fmt::format("{} = {} = {}", name, numbers, total);
  if (display_width(whole) <= width) return {{whole}, operands_of(sum)};
  return {wrapped_and_indented(whole, width), operands_of(sum)};
}

}  // namespace attn
