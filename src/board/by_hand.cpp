#include "board/by_hand.hpp"

#include "board/address.hpp"
#include "board/digits.hpp"
#include "board/ink.hpp"
#include "board/names.hpp"
#include "board/printed_sum.hpp"
#include "board/row_by_hand.hpp"
#include "board/turn_by_hand.hpp"
#include "text/unicode.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn {

namespace {

constexpr std::size_t most_powers = 7;    // of a softmax
constexpr std::size_t most_summands = 8;  // of a row that is added up

/// " / 2" for 0.5, else " · 0.3536".
std::string constant_text(double constant, std::size_t decimals) {
  const double by = divisor(constant);
  return by != 0.0 ? fmt::format(" / {}", by) : fmt::format(" · {}", short_number(constant, decimals));
}

std::string rounded_note(const Decimals& decimals) {
  return decimals.exact ? "" : "   (rounded)";
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
    if (varies) written = "*";
    if (from_end == 0) varies_last = varies;
    if (from_end == 0 && varies) break;
    places += (places.empty() ? "" : ", ") + written;
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
  const std::string others = sum.others == 1 ? "1 other" : fmt::format("{} others", sum.others);
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
    labels += " " + padded_left(label, cell + 2);
    top += "   " + padded_left(a, cell);
    middle += (b.empty() ? "   " : " · ") + padded_left(b, cell);
    bottom += (first ? "   " : taken_off ? " - " : " + ") + padded_left(product, cell);
    first = false;
  }
  if (sum.others > 0) {
    const std::string subtotal = fixed(std::abs(sum.subtotal), decimals.products) + std::string(extra, ' ');
    const std::size_t cell = std::max(display_width(subtotal), display_width(others));
    labels += "   " + padded_left(others, cell);
    labelled = true;
    bottom += (sum.subtotal < 0.0 ? " - " : " + ") + padded_left(subtotal, cell);
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

/// As many columns as there is room for.
OnPaper columns_that_fit(const Working& working, const Names& names, const TextStyle& style, std::size_t width) {
  for (std::size_t most = most_terms; most > 2; --most) {
    OnPaper paper = columns_of_products(working, names, style, width, most);
    const bool fits = std::all_of(paper.lines.begin(), paper.lines.end(),
                                  [&](const std::string& line) { return display_width(line) <= width; });
    if (fits) return paper;
  }
  return columns_of_products(working, names, style, width, 2);
}

/// A short calculation on one line: names, numbers, result.
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

/// A row added up: "total[sat] = e[sat, *] added up = 1.50 + 89.65 + ... = 175.83".
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
    numbers += fmt::format(" {} {} (the other {})", sum.subtotal < 0.0 ? '-' : '+',
                           fixed(std::abs(sum.subtotal), decimals.products), sum.others);
  }
  const std::string name = names.of(*working.step, working.index);
  const std::string total = short_number(sum.total, decimals.products) +
                            named_total("", sum.total, decimals, precision) + zeros_note(working, lean);
  if (lean.terms.size() == 1 && is_zero(lean.terms[0])) {
    std::string zeros = "0";
    for (std::size_t k = 1; k < std::min(working.terms.size(), most_summands); ++k) zeros += " + 0";
    return {{fmt::format("{} = {} = 0", name, zeros)}, operands_of(sum)};
  }
  const bool alone = lean.terms.size() == 1;
  const std::string whole =
      alone ? fmt::format("{} = {}", name, total) : fmt::format("{} = {} = {}", name, numbers, total);
  if (display_width(whole) <= width) return {{whole}, operands_of(sum)};
  std::vector<std::string> lines = wrapped(whole, width - 2);
  for (std::size_t k = 1; k < lines.size(); ++k) lines[k] = "  " + lines[k];
  return {std::move(lines), operands_of(sum)};
}

/// The largest of a row, by its address.
std::vector<std::string> largest_line(const Working& working, const Names& names, std::size_t precision) {
  const std::string name = names.of(*working.step, working.index);
  for (const Term& term : working.terms) {
    const bool is_it = std::isnan(working.value) ? std::isnan(term.value()) : term.value() == working.value;
    if (!is_it) continue;
    return {fmt::format("{} = {} = {}, the largest of {}", name, names.of(term.factors[0]),
                        short_number(working.value, precision), working.terms.size())};
  }
  return {fmt::format("{} = {}", name, short_number(working.value, precision))};
}

/// "a = b / c = 89.65 / 175.83 = 0.510", with the fewest decimals at which that is so.
std::vector<std::string> quotient_line(const Working& working, const Names& names, std::size_t precision) {
  const double over = working.terms[0].value();
  const double under = working.terms[1].value();
  Decimals decimals{.operands = precision, .products = precision};
  for (std::size_t d = precision; d <= most_decimals + 2 && !decimals.exact; ++d) {
    decimals = {d, precision, prints_as(as_printed(over, d) / as_printed(under, d), working.value, precision)};
  }
  if (!decimals.exact) decimals.operands = precision;
  return {fmt::format("{} = {} / {} = {} / {} = {}{}", names.of(*working.step, working.index),
                      names.of(working.terms[0].factors[0]), names.of(working.terms[1].factors[0]),
                      short_number(over, decimals.operands), short_number(under, decimals.operands),
                      short_number(working.value, precision), rounded_note(decimals))};
}

/// "a = gelu(b) = 1.200 · Phi(1.200) = 1.200 · 0.885 = 1.062": Phi(x) is the share of a normal distribution below x.
std::vector<std::string> gelu_line(const Working& working, const Names& names, std::size_t precision) {
  const std::string& op = working.step->origin.op;
  const double x = working.terms[0].value();
  const double share = share_below(op, x);
  Decimals decimals{.operands = precision, .products = precision};
  for (std::size_t d = precision; d <= most_decimals + 2 && !decimals.exact; ++d) {
    const bool product = prints_as(as_printed(x, d) * as_printed(share, d), working.value, precision);
    decimals = {d, precision, product && prints_as(share_below(op, as_printed(x, d)), share, d)};
  }
  if (!decimals.exact) decimals.operands = precision;
  const std::string number = short_number(x, decimals.operands);
  return {fmt::format("{} = {}({}) = {} · Phi({}) = {} · {} = {}{}", names.of(*working.step, working.index), op,
                      names.of(working.terms[0].factors[0]), number, number, number,
                      short_number(share, decimals.operands), short_number(working.value, precision),
                      rounded_note(decimals))};
}

/// "e[sat, cat] = e^shifted[sat, cat] = e^-0.133 = 0.876", or log(x), tanh(x), max(x, 0), |x|.
std::vector<std::string> function_line(const Working& working, const Names& names, std::size_t precision) {
  const std::string& op = working.step->origin.op;
  if (op == "gelu" || op == "gelu_tanh") return gelu_line(working, names, precision);
  const double x = working.terms[0].value();
  Decimals decimals{.operands = precision, .products = precision};
  for (std::size_t d = precision; d <= most_decimals + 2 && !decimals.exact; ++d) {
    decimals = {d, precision, prints_as(function_value(op, as_printed(x, d)), working.value, precision)};
  }
  if (!decimals.exact) decimals.operands = precision;
  const auto call = [&](const std::string& argument) {
    if (op == "exp") return fmt::format("e^{}", argument);
    if (op == "abs") return fmt::format("|{}|", argument);
    return op == "relu" ? fmt::format("max({}, 0)", argument) : fmt::format("{}({})", op, argument);
  };
  return {fmt::format("{} = {} = {} = {}{}", names.of(*working.step, working.index),
                      call(names.of(working.terms[0].factors[0])), call(short_number(x, decimals.operands)),
                      short_number(working.value, precision), rounded_note(decimals))};
}

/// Why a softmax is no number.
std::string why_nan(const Working& working, const Names& names) {
  for (const Term& term : working.terms) {
    const std::string operand = names.of(term.factors[0]);
    if (std::isnan(term.value())) return fmt::format("{} is nan, and what is added to nan is nan", operand);
  }
  for (const Term& term : working.terms) {
    const std::string operand = names.of(term.factors[0]);
    if (term.value() > 0.0 && std::isinf(term.value())) {
      return fmt::format("{} is inf, and so is e^inf; inf / inf is no number", operand);
    }
  }
  return "every number of the row is -inf, e^-inf is 0, and 0 / 0 is no number";
}

/// Softmax in two steps: the sum of the row's exponentials, then this one's share of it.
OnPaper softmax_lines(const Working& working, const Names& names, std::size_t precision, std::size_t width) {
  const Term& chosen = working.terms[working.chosen];
  const std::string name = names.of(*working.step, working.index);
  const std::string input = names.of(*chosen.factors[0].step);
  if (std::isnan(working.value))
    return {wrapped(fmt::format("{} = nan: {}", name, why_nan(working, names)), width), chosen.factors};
  const double shift = softmax_shift(working);
  const auto power = [&](const Term& term) { return std::exp(term.value() - shift); };

  // Hidden words add e^-inf = 0. Of the others all are written out, or the largest, and the rest as a subtotal.
  std::vector<std::size_t> by_size;
  double total = 0.0;
  for (std::size_t k = 0; k < working.terms.size(); ++k) {
    if (power(working.terms[k]) > 0.0 || k == working.chosen) by_size.push_back(k);
    total += power(working.terms[k]);
  }
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](std::size_t a, std::size_t b) { return power(working.terms[a]) > power(working.terms[b]); });
  const std::size_t seen = by_size.size();
  const auto largest = [&](std::size_t count) {
    std::vector<std::size_t> shown(by_size.begin(), by_size.begin() + static_cast<std::ptrdiff_t>(count));
    if (std::find(shown.begin(), shown.end(), working.chosen) == shown.end()) shown.back() = working.chosen;
    std::sort(shown.begin(), shown.end());
    return shown;
  };
  const auto rest_of = [&](const std::vector<std::size_t>& shown) {
    double rest = 0.0;
    for (const std::size_t k : by_size) {
      if (std::find(shown.begin(), shown.end(), k) == shown.end()) rest += power(working.terms[k]);
    }
    return rest;
  };

  const double mine = power(chosen);
  const auto fitting = [&](const std::vector<std::size_t>& shown) {
    Decimals decimals{.operands = precision, .products = std::min<std::size_t>(precision, 2)};
    for (std::size_t products = decimals.products; products <= most_decimals && !decimals.exact; ++products) {
      double added = as_printed(rest_of(shown), products);
      for (const std::size_t k : shown) added += as_printed(power(working.terms[k]), products);
      const double share = as_printed(mine, products) / as_printed(total, products);
      if (!prints_as(added, total, products) || !prints_as(share, working.value, precision)) continue;
      for (std::size_t operands = precision; operands <= most_decimals + 2 && !decimals.exact; ++operands) {
        const double printed = as_printed(chosen.value(), operands) - as_printed(shift, operands);
        if (prints_as(std::exp(printed), mine, products)) decimals = {operands, products, true};
      }
    }
    return decimals;
  };
  // Where the sum comes out at no number of decimals, fewer numbers, rounded less often, may.
  std::vector<std::size_t> shown = largest(seen <= most_powers ? seen : most_powers - 2);
  Decimals decimals = fitting(shown);
  for (std::size_t count = std::min(shown.size(), seen - 1); !decimals.exact && count >= 1; --count) {
    const std::vector<std::size_t> fewer = largest(count);
    const Decimals of_fewer = fitting(fewer);
    if (of_fewer.exact) {
      shown = fewer;
      decimals = of_fewer;
    }
  }
  const double subtotal = rest_of(shown);

  const auto exponent = [&] {
    const std::string x = short_number(chosen.value(), decimals.operands);
    return shift == 0.0 ? fmt::format("e^{}", x)
                        : fmt::format("e^({} {} {})", x, shift < 0.0 ? '+' : '-',
                                      short_number(std::abs(shift), decimals.operands));
  }();
  std::string powers;
  for (const std::size_t k : shown) {
    powers += (powers.empty() ? "" : " + ") + fixed(power(working.terms[k]), decimals.products);
  }
  if (shown.size() < seen) {
    powers += fmt::format(" + {} (the other {})", fixed(subtotal, decimals.products), seen - shown.size());
  }
  const std::string what = shift == 0.0 ? fmt::format("e^{}", input) : fmt::format("e^({} - the largest)", input);
  std::vector<std::string> lines = wrapped(fmt::format("{}: {} = {}{}", what, powers, fixed(total, decimals.products),
                                                       seen < working.terms.size() ? " (hidden: e^-inf = 0)" : ""),
                                           width - 2);
  for (std::size_t k = 1; k < lines.size(); ++k) lines[k] = "  " + lines[k];
  const std::string share = fmt::format("{} / {}", fixed(mine, decimals.products), fixed(total, decimals.products));
  lines.push_back(fmt::format("{} = {} / {} = {} = {}{}", name, exponent, fixed(total, decimals.products), share,
                              short_number(working.value, precision), rounded_note(decimals)));
  return {std::move(lines), chosen.factors};
}

std::vector<std::string> sinusoid_lines(const Working& working, const Names& names, std::size_t precision) {
  const auto channel = working.index[1];
  const auto d_model = static_cast<std::size_t>(working.step->origin.attribute("d_model"));
  const auto place_number = working.index[0];
  const double base = working.step->origin.attribute_or("base", 10000.0);
  const std::size_t even = channel - channel % 2;
  const double angle =
      static_cast<double>(place_number) / std::pow(base, static_cast<double>(even) / static_cast<double>(d_model));
  const bool sine = channel % 2 == 0;
  const auto wave = [&](double x) { return sine ? std::sin(x) : std::cos(x); };
  Decimals decimals{.operands = precision, .products = precision};
  const auto comes_out = [&] {
    return prints_as(wave(as_printed(angle, decimals.operands)), working.value, precision);
  };
  while (decimals.operands < std::max(precision + 1, most_decimals) && !comes_out()) ++decimals.operands;
  decimals.exact = comes_out();
  const char* name = sine ? "sin" : "cos";
  return {fmt::format("{} = {}({} / {}^({}/{})) = {}({}) = {}{}", names.of(*working.step, working.index), name,
                      place_number, fmt::format("{:.0f}", base), even, d_model, name,
                      short_number(angle, decimals.operands), short_number(working.value, precision),
                      rounded_note(decimals))};
}

}  // namespace

namespace {

OnPaper worked_out(const Working& working, const Names& names, const TextStyle& style, std::size_t width) {
  const std::size_t precision = style.precision;
  const std::string name = names.of(*working.step, working.index);
  std::vector<Operand> operands;
  for (const Term& term : working.terms) operands.insert(operands.end(), term.factors.begin(), term.factors.end());
  switch (working.form) {
    case Working::Form::given:
      return {{fmt::format("{} = {}   (given)", name, short_number(working.value, precision))}, {}};
    case Working::Form::copy:
      return {{fmt::format("{} = {} = {}", name, names.of(operands[0]), short_number(working.value, precision))},
              operands};
    case Working::Form::hidden:
      return {{fmt::format("{} = -inf, because {} is 0", name, names.of(operands[0]))}, operands};
    case Working::Form::sinusoid:
      return {sinusoid_lines(working, names, precision), {}};
    case Working::Form::softmax:
      return softmax_lines(working, names, precision, width);
    case Working::Form::mean:
      return mean_on_paper(working, names, precision, width);
    case Working::Form::norm:
      return norm_on_paper(working, names, precision, width);
    case Working::Form::rotation:
      return turn_on_paper(working, names, precision, width);
    case Working::Form::quotient:
      return {quotient_line(working, names, precision), operands};
    case Working::Form::function:
      return {function_line(working, names, precision), operands};
    case Working::Form::largest:
      return {largest_line(working, names, precision), operands};
    case Working::Form::sum:
      break;
  }
  if (working.terms.empty()) {
    return {{fmt::format("{} = {}   (there is nothing to add up)", name, short_number(working.value, precision))}, {}};
  }
  if (working.terms.size() > 2 && working.terms.front().factors.size() == 1) {
    return added_up(working, names, precision, width);
  }
  const auto significant = static_cast<std::size_t>(
      std::count_if(working.terms.begin(), working.terms.end(), [](const Term& term) { return !is_zero(term); }));
  const bool products = working.terms.size() > 2 && working.terms.front().factors.size() == 2;
  if (products && significant > 2) return columns_that_fit(working, names, style, width);
  return one_line(working, names, precision, width);
}

}  // namespace

OnPaper by_hand(const Working& working, const Page& page, const TextStyle& style, std::size_t width) {
  const Names names(page, style.ascii);
  if (!is_something_else(working)) return worked_out(working, names, style, width);
  // What stands here is what the operands give; the number that the source made differs from it.
  Working expected = working;
  expected.value = expected_value(working);
  OnPaper paper = worked_out(expected, names, style, width);
  paper.lines.push_back(
      fmt::format("but the source made it {}: it does something else", short_number(working.value, style.precision)));
  return paper;
}

std::vector<std::string> by_hand_lines(const Working& working, const Page& page, const TextStyle& style,
                                       std::size_t width) {
  return by_hand(working, page, style, width).lines;
}

}  // namespace attn
