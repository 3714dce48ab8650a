#pragma once

#include "board/ink.hpp"
#include "board/page.hpp"
#include "board/trace.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

/// A cell that the page works out by hand, or works with: it is drawn in the accent colour, and where not all cells
/// have room, these stay first.
struct WorkedCell {
  std::string step;
  Index index;
};

/// What a table needs to know of the page around it.
struct TableContext {
  const Trace* trace = nullptr;
  const Page* page = nullptr;
  std::vector<WorkedCell> worked;  // what matters most first
  TextStyle style;
  std::size_t width = 70;  // columns there are
};

/// A table of numbers with labelled rows and columns. What does not fit is left out, and a line under the table says
/// how much. Steps side by side are stacked when there is no room beside each other. Throws std::invalid_argument for a
/// step of rank 3 or more (slice one matrix out of it), a column that is not there, and steps side by side whose rows
/// differ in number.
[[nodiscard]] std::vector<Line> draw_table(const Table& table, const TableContext& context);

/// Of which numbers there are marks in a table.
struct Marks {
  bool shares = false;  // 1 is all: a quarter of that has a mark
  bool others = false;  // a quarter of the largest

  bool operator==(const Marks&) const = default;
};

/// Those of either.
[[nodiscard]] Marks operator|(const Marks& a, const Marks& b);

/// Which marks, or tints that stand for them, are beside the table's numbers: a table of small shares, of numbers below
/// 0, without room for marks, or with squares has none.
[[nodiscard]] Marks marks_of(const Table& table, const TableContext& context);

/// Whether squares stand beside the table's numbers.
[[nodiscard]] bool draws_squares(const Table& table, const TableContext& context);

/// Where the numbers of one of its columns stand.
struct ColumnPlace {
  std::size_t column = 0;
  std::size_t x = 0;  // near the middle of its numbers, counted from 0
};

/// The columns that a step's table shows, from left to right, for what is drawn over it.
[[nodiscard]] std::vector<ColumnPlace> column_places(const TableEntry& entry, const Look& look,
                                                     const TableContext& context);

}  // namespace attn
