#pragma once

#include "board/trace.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

/// How an address writes place `i` of an axis: its label; `the#2` for the second of that name, `#3` where a label is a
/// number that is not the place, and in double quotes where it holds a character that addresses use (a quote or a
/// backslash in it then has a backslash before it).
[[nodiscard]] std::string place(const std::vector<std::string>& labels, std::size_t i);

/// "scores[sat, cat]": one number of a step, by its labels.
[[nodiscard]] std::string address(const Step& step, const Index& index);

/// A number that an address names.
struct Cell {
  const Step* step = nullptr;
  Index index;
};

/// The number that `text` names: step[row, column]. Each place is a label (spelled exactly, else ignoring case; the#2
/// is the second match), or an index from 0 (#3 where a label is itself a number); a label with , [ ] # or a space
/// stands in double quotes. A step may be named without `prefix`, as the page names the steps of the head that it
/// follows. Throws std::invalid_argument, naming the nearest step or label, or the labels that there are, when
/// there is no such number.
[[nodiscard]] Cell find_cell(const Trace& trace, const std::string& prefix, const std::string& text);

}  // namespace attn
