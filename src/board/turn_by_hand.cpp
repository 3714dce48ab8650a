#include "board/turn_by_hand.hpp"

#include "board/digits.hpp"
#include "board/printed_sum.hpp"
#include "board/turn_arithmetic.hpp"
#include "text/unicode.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace attn {

OnPaper turn_on_paper(const Working& working, const Names& names, std::size_t precision, std::size_t width) {
  const Turn turn = turn_of(working);
  const double angle = turn.angle();
  const bool first = is_first_of_pair(working);
  // As the equation has it: the pair's first channel, then its second.
  const Operand& a = working.terms[first ? 0 : 1].factors[0];
  const Operand& b = working.terms[first ? 1 : 0].factors[0];
  const double of_a = first ? std::cos(angle) : std::sin(angle);
  const double of_b = first ? std::sin(angle) : std::cos(angle);  // taken off in the first channel

  // The fewest decimals at which the operands as printed give the number as printed, and the angle as printed both its
  // cosine and its sine.
  struct Digits {
    std::size_t angle = 0;
    std::size_t numbers = 0;
    bool exact = false;
  };
  const auto fitting = [&] {
    for (std::size_t d = precision; d <= std::max(precision, most_decimals); ++d) {
      const double second = as_printed(b.value, d) * as_printed(of_b, d);
      const double number = as_printed(a.value, d) * as_printed(of_a, d) + (first ? -second : second);
      if (!prints_as(number, working.value, precision)) continue;
      for (std::size_t angle_digits = d; angle_digits <= d + 3; ++angle_digits) {
        const double read = as_printed(angle, angle_digits);
        if (prints_as(std::cos(read), std::cos(angle), d) && prints_as(std::sin(read), std::sin(angle), d)) {
          return Digits{angle_digits, d, true};
        }
      }
    }
    return Digits{precision, precision, false};
  };
  const Digits digits = fitting();
  const auto number = [&](double x) { return short_number(x, digits.numbers); };

  const std::string written_angle = short_number(angle, digits.angle);
  const std::string turned_by = fmt::format(
      "the angle: {} / {}^({}/{}) = {} / {}^({}/{}) = {}", names.of(working.besides[0]), turn.base, turn.even,
      turn.rotary_dim, short_number(turn.place, digits.angle), turn.base, turn.even, turn.rotary_dim, written_angle);
  const std::string name = names.of(*working.step, working.index);
  const char* const function_of_a = first ? "cos" : "sin";
  const char* const function_of_b = first ? "sin" : "cos";
  const std::string in_names = fmt::format("{} · {}({}) {} {} · {}({})", names.of(a), function_of_a, written_angle,
                                           first ? '-' : '+', names.of(b), function_of_b, written_angle);
  const bool minus = first != (b.value < 0.0);  // "- 1 · 0.909" and not "+ -1 · 0.909"
  const std::string in_numbers = fmt::format("{} · {} {} {} · {}", number(a.value), number(of_a), minus ? '-' : '+',
                                             number(std::abs(b.value)), number(of_b));
  const std::string result =
      fmt::format("{}{}", short_number(working.value, precision), digits.exact ? "" : "   (rounded)");

  OnPaper paper{{turned_by}, {a, b, working.besides[0]}};
  const std::string whole = fmt::format("{} = {} = {} = {}", name, in_names, in_numbers, result);
  if (display_width(whole) <= width) {
    paper.lines.push_back(whole);
  } else {
    const std::string end = fmt::format(" = {} = {}", in_numbers, result);
    const std::size_t room = width > display_width(end) ? width - display_width(end) : 0;
    paper.lines.push_back(fmt::format("{} = {}", name, in_names));
    paper.lines.push_back(std::string(std::min(display_width(name), room), ' ') + end);
  }
  return paper;
}

}  // namespace attn
