#include "board/measured.hpp"

#include "board/digits.hpp"
#include "board/shade.hpp"
#include "text/unicode.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace attn {

namespace {

constexpr std::size_t longest_bar = 24;

std::string percent_text(double share) {
  const double percent = 100.0 * share;
  return fmt::format("{} %", fixed(percent, percent < 9.95 ? 1 : 0));
}

/// Equally wide cells, one column of the table.
std::vector<std::string> column_of(std::vector<std::string> cells, bool left = false) {
  std::size_t width = 0;
  for (const std::string& cell : cells) width = std::max(width, display_width(cell));
  for (std::string& cell : cells) cell = left ? padded_right(cell, width) : padded_left(cell, width);
  return cells;
}

}  // namespace

std::vector<Line> draw_measured(const Measured& measured, const TableContext& context) {
  const auto remark = [&](const char* words, std::vector<Line>& lines) {
    for (std::string& line : wrapped(words, context.width)) lines.push_back({{std::move(line), Ink::faint}});
  };
  std::vector<Line> lines;
  if (!measured.shown) {
    remark("(Measured times are left out; --timing on shows them.)", lines);
    return lines;
  }
  const bool ascii = context.style.ascii;
  const std::vector<Measurement>& rows = measured.numbers.rows;
  std::vector<std::string> values = {glyphs(measured.numbers.unit, ascii)};
  std::vector<std::string> ratios = {glyphs("× before", ascii)};
  std::vector<std::string> shares = {"of peak"};
  double largest = 0.0;
  bool any_peak = false;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    values.push_back(rough(rows[k].value));
    ratios.push_back(k == 0 ? "" : rough(rows[k].value / rows[k - 1].value));
    shares.push_back(rows[k].peak > 0.0 ? percent_text(rows[k].value / rows[k].peak) : "");
    any_peak = any_peak || rows[k].peak > 0.0;
    for (const double bar : {rows[k].value, rows[k].peak})
      largest = std::isfinite(bar) ? std::max(largest, bar) : largest;
  }
  std::vector<std::vector<std::string>> columns = {column_of(values)};
  if (rows.size() > 1 && measured.numbers.compared) columns.push_back(column_of(ratios));
  if (any_peak) columns.push_back(column_of(shares));

  // A name has the room that the numbers leave it, and a bar the rest.
  std::size_t taken = 0;
  for (const std::vector<std::string>& column : columns) taken += display_width(column.front()) + 2;
  const std::size_t name_room = std::max<std::size_t>(context.width > taken ? context.width - taken : 0, 4);
  std::vector<std::string> names = {""};
  for (const Measurement& row : rows) names.push_back(shortened(glyphs(row.name, ascii), name_room, ascii));
  columns.insert(columns.begin(), column_of(names, /*left=*/true));

  remark("here and now, on this machine: your numbers will differ.", lines);
  for (std::size_t k = 0; k <= rows.size(); ++k) {
    std::string cells = columns[0][k];
    for (std::size_t c = 1; c < columns.size(); ++c) cells.append("  ").append(columns[c][k]);
    const std::size_t used = display_width(cells) + 2;
    const std::size_t room = std::min(context.width > used ? context.width - used : 0, longest_bar);
    Line line = {{cells, k == 0 ? Ink::faint : Ink::plain}};
    if (k > 0) line.push_back({"  " + long_bar(rows[k - 1].value, largest, room, ascii), Ink::accent});
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace attn
