#include "board/explanation.hpp"

#include "board/address.hpp"
#include "board/arithmetic.hpp"
#include "board/by_hand.hpp"
#include "board/digits.hpp"
#include "board/ink.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace attn {

std::vector<ExplainedNumber> explain(const Trace& trace, const Cell& cell, std::size_t depth, std::vector<Cell>& seen,
                                     const TextStyle& style, std::size_t width) {
  const Page whole_names;  // no prefix is dropped: the steps of several heads may meet here
  const auto known = [&](const Cell& wanted) {
    return std::any_of(seen.begin(), seen.end(),
                       [&](const Cell& other) { return other.step == wanted.step && other.index == wanted.index; });
  };
  std::vector<ExplainedNumber> numbers;
  const auto name_of = [&style](const Cell& number) {
    return with_short_words(glyphs(address(*number.step, number.index), style.ascii));
  };
  if (known(cell)) {
    const std::string name = name_of(cell);
    numbers.push_back({.level = 0, .given = false, .lines = {fmt::format("{} is worked out above", name)}});
    return numbers;
  }

  std::vector<Cell> level = {cell};
  seen.push_back(cell);
  for (std::size_t below = 0; below <= depth && !level.empty(); ++below) {
    std::vector<Cell> next;
    for (const Cell& number : level) {
      const Working working = work_out(trace, *number.step, number.index);
      OnPaper paper = by_hand(working, whole_names, style, width);
      const bool given = working.form == Working::Form::given && below > 0;
      if (given) paper.lines = {fmt::format("{} = {}", name_of(number), short_number(working.value, style.precision))};
      numbers.push_back({.level = below, .given = given, .lines = std::move(paper.lines)});
      for (const Operand& operand : paper.operands) {
        const Cell needed{.step = operand.step, .index = operand.index};
        if (known(needed)) continue;
        seen.push_back(needed);
        next.push_back(needed);
      }
    }
    level = std::move(next);
  }
  return numbers;
}

}  // namespace attn
