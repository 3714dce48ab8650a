#include "board/function_by_hand.hpp"

#include "board/digits.hpp"
#include "board/printed_sum.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace attn {

namespace {

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

}  // namespace

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
  // At the very edge of two decimals the wave as a float may lie on the other side.
  decimals.exact = comes_out() && prints_as(wave(angle), working.value, precision);
  const char* name = sine ? "sin" : "cos";
  return {fmt::format("{} = {}({} / {}^({}/{})) = {}({}) = {}{}", names.of(*working.step, working.index), name,
                      place_number, fmt::format("{:.0f}", base), even, d_model, name,
                      short_number(angle, decimals.operands), short_number(working.value, precision),
                      rounded_note(decimals))};
}

}  // namespace attn
