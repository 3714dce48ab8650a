#include "board/by_hand.hpp"

#include "board/digits.hpp"
#include "board/ink.hpp"
#include "text/unicode.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace attn {

namespace {

constexpr std::size_t most_decimals = 7;
constexpr std::size_t most_powers = 7;  // of a softmax
constexpr std::size_t most_terms = 4;   // shown of a sum of products, the others' subtotal included

std::string short_address(const Page& page, const Step& step, const Index& index) {
  Step named;
  named.name = page.short_name(step.name);
  named.rows = step.rows;
  named.columns = step.columns;
  return with_short_words(address(named, index));
}

std::string short_address(const Page& page, const Operand& operand) {
  return short_address(page, *operand.step, operand.index);
}

bool prints_as(double computed, double number, std::size_t decimals) {
  return fixed(computed, decimals) == fixed(number, decimals);
}

/// Decimals at which a calculation comes out as printed.
struct Decimals {
  std::size_t operands = 0;
  std::size_t products = 0;
  bool exact = false;  // false: none was found, and the line has to say so
};

/// A sum as it will be printed: some terms, then perhaps the subtotal of the others.
struct PrintedSum {
  std::vector<const Term*> shown;  // in their own order
  std::size_t others = 0;          // how many terms the subtotal stands for
  double subtotal = 0.0;
  double total = 0.0;
};

bool is_whole(double number) {
  return std::isfinite(number) && number == std::floor(number);
}

/// 2 for a factor of 0.5, which is written "/ 2"; 0 where the factor is not one over a whole number. A factor is a
/// float, so one over it is off by up to 1.2e-7 of it.
double divisor(double factor) {
  const double inverse = 1.0 / factor;
  const double whole = std::nearbyint(inverse);
  const bool is_one_over_it = std::abs(inverse - whole) <= 1.2e-7 * std::abs(whole);
  return std::abs(whole) >= 2.0 && std::abs(whole) <= 10000.0 && is_one_over_it ? whole : 0.0;
}

/// " / 2" for 0.5, else " · 0.3536".
std::string constant_text(double constant, std::size_t decimals) {
  const double by = divisor(constant);
  return by != 0.0 ? fmt::format(" / {}", by) : fmt::format(" · {}", short_number(constant, decimals));
}

double constant_as_printed(double constant, std::size_t decimals) {
  const double by = divisor(constant);
  return by != 0.0 ? 1.0 / by : is_whole(constant) ? constant : as_printed(constant, decimals);
}

double product_as_printed(const Term& term, std::size_t decimals) {
  double product = constant_as_printed(term.constant, decimals);
  for (const Operand& factor : term.factors) product *= as_printed(factor.value, decimals);
  return product;
}

/// With so many decimals in products and sum: the decimals of the operands that give them, if there are any.
std::optional<Decimals> try_decimals(const PrintedSum& sum, std::size_t products) {
  double added = as_printed(sum.subtotal, products);
  for (const Term* term : sum.shown) added += as_printed(term->value(), products);
  if (!prints_as(added, sum.total, products)) return std::nullopt;
  for (std::size_t operands = products; operands <= products + 3; ++operands) {
    const bool all = std::all_of(sum.shown.begin(), sum.shown.end(), [&](const Term* term) {
      return prints_as(product_as_printed(*term, operands), term->value(), products);
    });
    if (all) return Decimals{operands, products, true};
  }
  return std::nullopt;
}

bool is_zero(const Term& term) {
  return std::any_of(term.factors.begin(), term.factors.end(), [](const Operand& f) { return f.value == 0.0; }) &&
         term.value() == 0.0;
}

/// The terms to print: all when they are few, else the largest, and the others as one subtotal.
PrintedSum choose_terms(const Working& working, std::size_t room) {
  std::vector<std::size_t> order(working.terms.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  if (order.size() > room) {
    const auto magnitude = [&](std::size_t k) {
      const double value = std::abs(working.terms[k].value());
      return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;  // it decides the sum
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return magnitude(a) > magnitude(b); });
    // Terms that are exactly zero are never worth a place.
    std::size_t keep = room - 1;
    while (keep > 1 && is_zero(working.terms[order[keep - 1]])) --keep;
    order.resize(keep);
    std::sort(order.begin(), order.end());
  }
  PrintedSum sum{.shown = {}, .others = working.terms.size() - order.size(), .total = working.value};
  std::vector<bool> kept(working.terms.size(), false);
  for (const std::size_t k : order) {
    kept[k] = true;
    sum.shown.push_back(&working.terms[k]);
  }
  for (std::size_t k = 0; k < kept.size(); ++k) {
    if (!kept[k]) sum.subtotal += working.terms[k].value();
  }
  return sum;
}

/// The fewest decimals at which the sum comes out as printed; at each, as many terms as possible. Only where no number
/// of decimals will do is the sum cut down to one term and a subtotal.
std::pair<PrintedSum, Decimals> fit_sum(const Working& working, std::size_t precision, std::size_t most) {
  const std::size_t terms = std::min(most, working.terms.size());
  for (const std::size_t fewest : {std::min<std::size_t>(terms, 3), std::min<std::size_t>(terms, 2)}) {
    for (std::size_t products = precision; products <= std::max(precision + 1, most_decimals); ++products) {
      for (std::size_t room = terms; room >= fewest; --room) {
        PrintedSum sum = choose_terms(working, room);
        if (const auto decimals = try_decimals(sum, products)) return {sum, *decimals};
      }
    }
  }
  return {choose_terms(working, terms), {.operands = precision + 1, .products = precision, .exact = false}};
}

/// Products with an exact zero add nothing: the page counts them out instead of printing them.
Working without_zeros(const Working& working) {
  Working lean = working;
  std::erase_if(lean.terms, is_zero);
  if (lean.terms.empty()) lean.terms.push_back(working.terms.front());
  return lean;
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
std::string factor_name(const Page& page, const Working& products, std::size_t factor) {
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
  if (places.empty() && varies_last) return page.short_name(step.name);
  return fmt::format("{}[{}]", page.short_name(step.name), places);
}

/// A calculation in columns, one per term: operands above each other, their products below, added up. `most` columns.
std::vector<std::string> columns_of_products(const Working& working, const Page& page, const TextStyle& style,
                                             std::size_t width, std::size_t most) {
  // A few products are all written out; of many, those that are not 0.
  const Working lean = working.terms.size() > most_terms ? without_zeros(working) : working;
  const auto [sum, decimals] = fit_sum(lean, style.precision, most);
  const auto text = [&](const std::string& words) { return glyphs(words, style.ascii); };
  const std::string name = text(short_address(page, *working.step, working.index));
  const std::string others = sum.others == 1 ? "1 other" : fmt::format("{} others", sum.others);
  const std::string first_name = shortened(text(factor_name(page, lean, 0)), width / 3, style.ascii);
  const std::string second_name = shortened(text(factor_name(page, lean, 1)), width / 3, style.ascii);
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
  return lines;
}

/// As many columns as there is room for.
std::vector<std::string> columns_that_fit(const Working& working, const Page& page, const TextStyle& style,
                                          std::size_t width) {
  for (std::size_t most = most_terms; most > 2; --most) {
    std::vector<std::string> lines = columns_of_products(working, page, style, width, most);
    const bool fits =
        std::all_of(lines.begin(), lines.end(), [&](const std::string& line) { return display_width(line) <= width; });
    if (fits) return lines;
  }
  return columns_of_products(working, page, style, width, 2);
}

/// On one line the products are not printed: the operands as printed have to give the sum as printed.
Decimals decimals_on_one_line(const PrintedSum& sum, std::size_t precision) {
  for (std::size_t products = precision; products <= std::max(precision + 1, most_decimals); ++products) {
    for (std::size_t operands = products; operands <= products + 3; ++operands) {
      double added = 0.0;
      for (const Term* term : sum.shown) added += product_as_printed(*term, operands);
      if (prints_as(added, sum.total, products)) return {operands, products, true};
    }
  }
  return {.operands = precision + 1, .products = precision, .exact = false};
}

/// A short calculation on one line: names, numbers, result.
std::vector<std::string> one_line(const Working& working, const Page& page, std::size_t precision, std::size_t width) {
  const Working lean = working.terms.size() > 2 ? without_zeros(working) : working;
  const PrintedSum sum = choose_terms(lean, lean.terms.size());
  const Decimals decimals = decimals_on_one_line(sum, precision);

  std::string names;
  std::string numbers;
  for (const Term* term : sum.shown) {
    const bool first = names.empty();
    const bool minus = term->constant == -1.0;
    const bool negative = term->factors.front().value < 0.0;
    const bool taken_off = !first && minus != negative;  // "1 - 0.321" and not "1 + -0.321"
    std::string name;
    std::string number;
    for (const Operand& factor : term->factors) {
      const double value = number.empty() && !first ? std::abs(factor.value) : factor.value;
      name += (name.empty() ? "" : " · ") + short_address(page, factor);
      number += (number.empty() ? "" : " · ") + short_number(value, decimals.operands);
    }
    if (term->constant != 1.0 && !minus) {
      name += constant_text(term->constant, decimals.operands);
      number += constant_text(term->constant, decimals.operands);
    }
    names += (first ? (minus ? "-" : "") : minus ? " - " : " + ") + name;
    numbers += (first ? (minus ? "-" : "") : taken_off ? " - " : " + ") + number;
  }
  const std::string total = short_number(sum.total, decimals.products) +
                            named_total("", sum.total, decimals, precision) + zeros_note(working, lean);
  const std::string name = short_address(page, *working.step, working.index);
  const std::string whole = fmt::format("{} = {} = {} = {}", name, names, numbers, total);
  if (display_width(whole) <= width) return {whole};
  const std::string indent(display_width(name), ' ');
  const std::string end = fmt::format("{} = {} = {}", indent, numbers, total);
  if (display_width(end) <= width) return {fmt::format("{} = {}", name, names), end};
  return {fmt::format("{} = {}", name, names), fmt::format("{} = {}", indent, numbers),
          fmt::format("{} = {}", indent, total)};
}

/// Why a softmax is no number.
std::string why_nan(const Working& working, const Page& page) {
  for (const Term& term : working.terms) {
    const std::string operand = short_address(page, term.factors[0]);
    if (std::isnan(term.value())) return fmt::format("{} is nan, and what is added to nan is nan", operand);
  }
  for (const Term& term : working.terms) {
    const std::string operand = short_address(page, term.factors[0]);
    if (term.value() > 0.0 && std::isinf(term.value())) {
      return fmt::format("{} is inf, and so is e^inf; inf / inf is no number", operand);
    }
  }
  return "every number of the row is -inf, e^-inf is 0, and 0 / 0 is no number";
}

/// Softmax in two steps: the sum of the row's exponentials, then this one's share of it.
std::vector<std::string> softmax_lines(const Working& working, const Page& page, std::size_t precision,
                                       std::size_t width) {
  const Term& chosen = working.terms[working.chosen];
  const std::string name = short_address(page, *working.step, working.index);
  const std::string input = page.short_name(chosen.factors[0].step->name);
  if (std::isnan(working.value)) return wrapped(fmt::format("{} = nan: {}", name, why_nan(working, page)), width);
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
  return lines;
}

std::vector<std::string> sinusoid_lines(const Working& working, const Page& page, std::size_t precision) {
  const auto channel = working.index[1];
  const auto d_model = static_cast<std::size_t>(working.step->origin.attribute("d_model"));
  const auto place_number = working.index[0];
  const std::size_t even = channel - channel % 2;
  const double angle =
      static_cast<double>(place_number) / std::pow(10000.0, static_cast<double>(even) / static_cast<double>(d_model));
  const bool sine = channel % 2 == 0;
  const auto wave = [&](double x) { return sine ? std::sin(x) : std::cos(x); };
  Decimals decimals{.operands = precision, .products = precision};
  const auto comes_out = [&] {
    return prints_as(wave(as_printed(angle, decimals.operands)), working.value, precision);
  };
  while (decimals.operands < std::max(precision + 1, most_decimals) && !comes_out()) ++decimals.operands;
  decimals.exact = comes_out();
  const char* name = sine ? "sin" : "cos";
  return {fmt::format("{} = {}({} / 10000^({}/{})) = {}({}) = {}{}", short_address(page, *working.step, working.index),
                      name, place_number, even, d_model, name, short_number(angle, decimals.operands),
                      short_number(working.value, precision), rounded_note(decimals))};
}

}  // namespace

std::vector<std::string> by_hand_lines(const Working& working, const Page& page, const TextStyle& style,
                                       std::size_t width) {
  const std::size_t precision = style.precision;
  const std::string name = short_address(page, *working.step, working.index);
  switch (working.form) {
    case Working::Form::given:
      return {fmt::format("{} = {}   (given)", name, short_number(working.value, precision))};
    case Working::Form::copy:
      return {fmt::format("{} = {} = {}", name, short_address(page, working.terms[0].factors[0]),
                          short_number(working.value, precision))};
    case Working::Form::hidden:
      return {fmt::format("{} = -inf, because {} is 0", name, short_address(page, working.terms[0].factors[0]))};
    case Working::Form::sinusoid:
      return sinusoid_lines(working, page, precision);
    case Working::Form::softmax:
      return softmax_lines(working, page, precision, width);
    case Working::Form::sum:
      break;
  }
  if (working.terms.empty()) {
    return {fmt::format("{} = {}   (there is nothing to add up)", name, short_number(working.value, precision))};
  }
  const auto significant = static_cast<std::size_t>(
      std::count_if(working.terms.begin(), working.terms.end(), [](const Term& term) { return !is_zero(term); }));
  const bool products = working.terms.size() > 2 && working.terms.front().factors.size() == 2;
  if (products && significant > 2) return columns_that_fit(working, page, style, width);
  return one_line(working, page, precision, width);
}

}  // namespace attn
