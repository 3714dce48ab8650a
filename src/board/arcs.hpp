#pragma once

#include "board/ink.hpp"
#include "board/page.hpp"
#include "board/table.hpp"

#include <vector>

namespace attn {

/// One row of a table of weights as arcs, from the word that looks to the words it looks at: thick from 0.3, thin from
/// 0.1. They end over the columns of the table that comes next. No lines at all where nothing reaches 0.1, and where
/// the table has no room for the word's own column.
[[nodiscard]] std::vector<Line> draw_arcs(const Arcs& arcs, const TableContext& context);

}  // namespace attn
