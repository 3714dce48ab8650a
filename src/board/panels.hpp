#pragma once

#include "board/ink.hpp"
#include "board/page.hpp"
#include "board/table.hpp"

#include <vector>

namespace attn {

/// Matrices as squares without digits, side by side: patterns to compare at a glance. Panels that have no room beside
/// the others go below. What does not fit of one matrix is left out, and a line says how much.
[[nodiscard]] std::vector<Line> draw_panels(const Panels& panels, const TableContext& context);

/// One row of a matrix as long bars, each beside its number and the name of its column.
[[nodiscard]] std::vector<Line> draw_bars(const Bars& bars, const TableContext& context);

/// A matrix product as a picture: the right factor above, the left one beside, the results where rows and columns meet.
[[nodiscard]] std::vector<Line> draw_product(const Product& product, const TableContext& context);

/// Two rows of words with a line from each to its partner below.
[[nodiscard]] std::vector<Line> draw_links(const Links& links, const TableContext& context);

}  // namespace attn
