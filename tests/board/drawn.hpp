#pragma once

#include "board/ink.hpp"
#include "board/page.hpp"
#include "board/table.hpp"
#include "board/trace.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

/// Lines as a terminal without colour shows them.
inline std::vector<std::string> drawn(const std::vector<Line>& lines) {
  std::vector<std::string> texts;
  for (const Line& line : lines) texts.push_back(painted(line, false));
  return texts;
}

/// One text with line ends, for whole pictures in a test.
inline std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// A trace, and a page of some width around the tables drawn from it.
struct Canvas {
  Trace trace;
  Page page;
  TextStyle style;
  std::vector<WorkedCell> worked;

  [[nodiscard]] TableContext context(std::size_t width) const {
    return {.trace = &trace, .page = &page, .worked = worked, .style = style, .width = width};
  }
};

}  // namespace attn
