#include "board/softmax_by_hand.hpp"

#include "board/digits.hpp"
#include "board/ink.hpp"
#include "board/printed_sum.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn {

namespace {

constexpr std::size_t most_powers = 7;

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

}  // namespace

OnPaper softmax_lines(const Working& working, const Names& names, std::size_t precision, std::size_t width) {
  const Term& chosen = working.terms[working.chosen];
  const std::string name = names.of(*working.step, working.index);
  const std::string input = names.of(*chosen.factors[0].step);
  if (is_empty_row(working)) {
    return {wrapped_and_indented(fmt::format("{} = {}: every number of the row is -inf, and such a row gets that by "
                                             "choice",
                                             name, short_number(working.value, precision)),
                                 width),
            chosen.factors};
  }
  if (std::isnan(working.value))
    return {wrapped_and_indented(fmt::format("{} = nan: {}", name, why_nan(working, names)), width), chosen.factors};
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
    powers += fmt::format(" + {} (the other {} together)", fixed(subtotal, decimals.products), seen - shown.size());
  }
  const std::string what = shift == 0.0 ? fmt::format("e^{}", input) : fmt::format("e^({} - the largest)", input);
  std::vector<std::string> lines =
      wrapped_and_indented(fmt::format("{}: {} = {}{}", what, powers, fixed(total, decimals.products),
                                       seen < working.terms.size() ? " (hidden: e^-inf = 0)" : ""),
                           width);
  const std::string share = fmt::format("{} / {}", fixed(mine, decimals.products), fixed(total, decimals.products));
  lines.push_back(fmt::format("{} = {} / {} = {} = {}{}", name, exponent, fixed(total, decimals.products), share,
                              short_number(working.value, precision), rounded_note(decimals)));
  return {std::move(lines), chosen.factors};
}

}  // namespace attn
