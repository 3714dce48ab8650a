#include "board/printed_sum.hpp"

#include "board/digits.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace attn {

namespace {

bool is_whole(double number) {
  return std::isfinite(number) && number == std::floor(number);
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

}  // namespace

std::string rounded_note(const Decimals& decimals) {
  return decimals.exact ? "" : "   (rounded)";
}

std::string subtotal_text(double subtotal, std::size_t others, std::size_t decimals) {
  return fmt::format(" {} {} (the other {} together)", subtotal < 0.0 ? '-' : '+',
                     short_number(std::abs(subtotal), decimals), others);
}

bool prints_as(double computed, double number, std::size_t decimals) {
  return fixed(computed, decimals) == fixed(number, decimals);
}

double divisor(double factor) {
  const double inverse = 1.0 / factor;
  const double whole = std::nearbyint(inverse);
  // A factor is a float, so one over it is off by up to 1.2e-7 of it.
  const bool is_one_over_it = std::abs(inverse - whole) <= 1.2e-7 * std::abs(whole);
  return std::abs(whole) >= 2.0 && std::abs(whole) <= 10000.0 && is_one_over_it ? whole : 0.0;
}

bool is_zero(const Term& term) {
  return std::any_of(term.factors.begin(), term.factors.end(), [](const Operand& f) { return f.value == 0.0; }) &&
         term.value() == 0.0;
}

namespace {

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

}  // namespace

std::pair<PrintedSum, Decimals> fit_sum(const Working& working, std::size_t precision, std::size_t most) {
  const std::size_t terms = std::min(most, working.terms.size());
  const std::size_t last = std::max(precision + 1, most_decimals);
  // A sum with few terms is shown whole, if two more decimals than usual are enough for that.
  if (terms == working.terms.size()) {
    PrintedSum whole = choose_terms(working, terms);
    for (std::size_t products = precision; products <= std::min(precision + 2, last); ++products) {
      if (const auto decimals = try_decimals(whole, products)) return {std::move(whole), *decimals};
    }
  }
  for (const std::size_t fewest : {std::min<std::size_t>(terms, 3), std::min<std::size_t>(terms, 2)}) {
    for (std::size_t products = precision; products <= last; ++products) {
      for (std::size_t room = terms; room >= fewest; --room) {
        PrintedSum sum = choose_terms(working, room);
        if (const auto decimals = try_decimals(sum, products)) return {std::move(sum), *decimals};
      }
    }
  }
  return {choose_terms(working, terms), {.operands = precision + 1, .products = precision, .exact = false}};
}

Working without_zeros(const Working& working) {
  Working lean = working;
  std::erase_if(lean.terms, is_zero);
  if (lean.terms.empty()) lean.terms.push_back(working.terms.front());
  return lean;
}

std::pair<PrintedSum, Decimals> fit_sum_on_one_line(const Working& working, std::size_t precision) {
  PrintedSum sum = choose_terms(working, working.terms.size());
  for (std::size_t products = precision; products <= std::max(precision + 1, most_decimals); ++products) {
    for (std::size_t operands = products; operands <= products + 3; ++operands) {
      double added = 0.0;
      for (const Term* term : sum.shown) added += product_as_printed(*term, operands);
      if (prints_as(added, sum.total, products)) return {std::move(sum), {operands, products, true}};
    }
  }
  return {std::move(sum), {.operands = precision + 1, .products = precision, .exact = false}};
}

}  // namespace attn
