#pragma once

#include "board/ink.hpp"
#include "board/page.hpp"
#include "board/table.hpp"

#include <vector>

namespace attn {

/// Measured values, each with its ratio to the one before, its share of the peak where there is one, and a bar. Where
/// measured values are left out, the one line that says so.
[[nodiscard]] std::vector<Line> draw_measured(const Measured& measured, const TableContext& context);

}  // namespace attn
