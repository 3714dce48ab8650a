#pragma once

#include "board/ink.hpp"
#include "board/page.hpp"
#include "board/trace.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

/// A cell that the page works out by hand: it is drawn in the accent colour, and never windowed away.
struct WorkedCell {
  std::string step;
  Index index;
};

/// What a table needs to know of the page around it.
struct TableContext {
  const Trace* trace = nullptr;
  const Page* page = nullptr;
  std::vector<WorkedCell> worked;
  TextStyle style;
  std::size_t width = 70;  // columns there are
};

/// A table of numbers with labelled rows and columns. What does not fit is left out, and a line under the table says
/// how much. Steps side by side are stacked when there is no room beside each other. Throws std::invalid_argument for a
/// step of rank 3 or more: slice one matrix out of it.
[[nodiscard]] std::vector<Line> draw_table(const Table& table, const TableContext& context);

/// One row of a table of weights as arcs, from the word that looks to the words it looks at: thick from 0.3, thin from
/// 0.1.
[[nodiscard]] std::vector<Line> draw_arcs(const Arcs& arcs, const TableContext& context);

}  // namespace attn
