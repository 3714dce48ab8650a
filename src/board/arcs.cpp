#include "board/arcs.hpp"

#include "text/unicode.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace attn {

namespace {

constexpr double thin = 0.1;
constexpr double thick = 0.3;

std::string joined(const std::vector<std::string>& cells, bool ascii) {
  std::string line;
  for (const std::string& cell : cells) line += cell;
  return glyphs(line, ascii);
}

}  // namespace

std::vector<Line> draw_arcs(const Arcs& arcs, const TableContext& context) {
  const Step& step = context.trace->step(arcs.step);
  const std::vector<ColumnPlace> places = column_places({.step = arcs.step}, arcs.look, context);
  const auto own =
      std::find_if(places.begin(), places.end(), [&](const ColumnPlace& p) { return p.column == arcs.row; });
  if (own == places.end()) return {};
  const std::size_t from = own->x;

  // Each stretch of the rail is as thick as the weight that flows through it.
  const std::size_t end = places.back().x + 2;
  std::vector<std::size_t> targets;
  std::vector<double> flow(end, 0.0);
  for (const auto& [column, x] : places) {
    const auto weight = static_cast<double>(step.value(arcs.row, column));
    if (!(weight >= thin)) continue;
    targets.push_back(x);
    for (std::size_t k = std::min(from, x); k <= std::max(from, x); ++k) flow[k] += weight;
  }
  if (targets.empty()) return {};
  const auto drawn = [&](std::size_t x) { return flow[x] >= thin; };
  const auto left_of = [&](std::size_t x) { return x > 0 && drawn(x - 1); };
  const auto right_of = [&](std::size_t x) { return drawn(x + 1); };

  std::vector<std::string> rail(end, " ");
  std::vector<std::string> heads(end, " ");
  for (std::size_t x = 0; x < end; ++x) {
    if (drawn(x)) rail[x] = flow[x] >= thick ? "━" : "─";
  }
  for (const std::size_t x : targets) {
    rail[x] = left_of(x) && right_of(x) ? "┳" : left_of(x) ? "┓" : right_of(x) ? "┏" : "┃";
    heads[x] = "▼";
  }
  const bool to_itself = heads[from] != " ";
  if (left_of(from) && right_of(from)) {
    rail[from] = to_itself ? "╋" : "┻";
  } else if (left_of(from)) {
    rail[from] = to_itself ? "┫" : "┛";
  } else if (right_of(from)) {
    rail[from] = to_itself ? "┣" : "┗";
  }

  const std::string caption = with_short_words("from " + glyphs(step.rows[arcs.row], context.style.ascii));
  // Centred over its column, as far as the page goes.
  const std::size_t caption_width = display_width(caption);
  const std::size_t half = caption_width / 2;
  const std::size_t last_start = context.width > caption_width ? context.width - caption_width : 0;
  const std::size_t start = std::min(from > half ? from - half : 0, last_start);
  return {{{std::string(start, ' ') + caption, Ink::accent}},
          {{joined(rail, context.style.ascii), Ink::accent}},
          {{joined(heads, context.style.ascii), Ink::accent}}};
}

}  // namespace attn
