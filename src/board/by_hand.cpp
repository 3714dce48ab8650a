#include "board/by_hand.hpp"

#include "board/cache_arithmetic.hpp"
#include "board/digits.hpp"
#include "board/function_by_hand.hpp"
#include "board/names.hpp"
#include "board/printed_sum.hpp"
#include "board/row_by_hand.hpp"
#include "board/softmax_by_hand.hpp"
#include "board/sum_by_hand.hpp"
#include "board/turn_by_hand.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace attn {

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
    case Working::Form::access:
      operands.insert(operands.end(), working.besides.begin(), working.besides.end());
      return {{access_line(working, names)}, operands};
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
