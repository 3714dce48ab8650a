#include "board/panels.hpp"

#include "board/digits.hpp"
#include "board/shade.hpp"
#include "board/table_panel.hpp"
#include "board/window.hpp"
#include "text/unicode.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace attn {

namespace {

constexpr std::size_t most_panel_rows = 16;
constexpr std::size_t between = 4;
constexpr std::size_t sum_width = 7;
constexpr std::size_t longest_panel_label = 12;

double largest_magnitude(const Step& step) {
  double largest = 0.0;
  for (const float value : step.value.values()) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(static_cast<double>(value)));
  }
  return largest;
}

const Step& matrix_step(const TableContext& context, const std::string& name) {
  const Step& step = context.trace->step(name);
  if (step.value.rank() != 2) {
    throw std::invalid_argument(fmt::format("panels: {} is {}: a picture shows matrices, so slice one out of it", name,
                                            to_string(step.value.shape())));
  }
  return step;
}

/// One matrix as lines of squares, all of the same width, with room for `rows` below a head of column numbers.
class Panel {
 public:
  Panel(const Step& step, const TableEntry& entry, const PanelLook& look, const TableContext& context, std::size_t room)
      : step_(step), look_(look), ascii_(context.style.ascii) {
    whole_ = is_whole_by_nature(*context.trace, step);
    top_ = look.top > 0.0 ? look.top : largest_magnitude(step);
    columns_ = !entry.columns.empty() ? entry.columns : counted(step.columns.size());
    const std::size_t fit = std::max<std::size_t>(room / look.cell, 1);
    hidden_ = columns_.size() > fit ? columns_.size() - fit : 0;
    columns_.resize(columns_.size() - hidden_);
    caption_ = glyphs(entry.heading.empty() ? context.page->short_name(step.name) : entry.heading, ascii_);
  }

  [[nodiscard]] std::size_t width() const {
    const std::size_t squares = columns_.size() * look_.cell + (look_.row_sums ? sum_width : 0);
    return std::max(squares, display_width(caption_));
  }
  [[nodiscard]] std::size_t hidden() const { return hidden_; }

  [[nodiscard]] Span caption() const { return {padded_right(caption_, width()), Ink::bold}; }

  /// The last digit of each column's index, so that any width of square has room for it.
  [[nodiscard]] Span head() const {
    std::string digits;
    for (const std::size_t j : columns_) digits += padded_right(std::to_string(j % 10), look_.cell);
    if (look_.row_sums) digits += padded_left("sum", sum_width);
    return {padded_right(digits, width()), Ink::faint};
  }

  [[nodiscard]] Span row(std::size_t i) const {
    std::string squares;
    for (const std::size_t j : columns_) {
      const std::string one = square(static_cast<double>(step_.value(i, j)), top_, ascii_);
      for (std::size_t k = 0; k < look_.cell; ++k) squares += one;
    }
    if (look_.row_sums) {
      double sum = 0.0;
      for (std::size_t j = 0; j < step_.columns.size(); ++j) sum += static_cast<double>(step_.value(i, j));
      squares += padded_left(fixed(sum, whole_ ? 0 : 2), sum_width);
    }
    return {padded_right(squares, width())};
  }

 private:
  const Step& step_;
  PanelLook look_;
  bool ascii_;
  double top_ = 0.0;
  bool whole_ = false;  // a mask: its rows add up to whole numbers
  std::vector<std::size_t> columns_;
  std::size_t hidden_ = 0;
  std::string caption_;
};

std::size_t label_width_of(const std::vector<std::string>& labels, bool ascii) {
  std::size_t width = 0;
  for (const std::string& label : labels) width = std::max(width, display_width(glyphs(label, ascii)));
  return std::min(width, longest_panel_label) + 1;
}

std::string row_label(const std::string& label, std::size_t width, bool ascii) {
  return padded_right(shortened(glyphs(label, ascii), width - 1, ascii), width);
}

/// "1 row is", "3 columns are", "1 row and 3 columns are": what there is none of is not spoken of.
std::string counts(std::size_t rows, std::size_t columns) {
  const auto counted_as = [](std::size_t count, const char* one) {
    return count == 0 ? std::string() : fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
  };
  return fmt::format("{}{}{} {}", counted_as(rows, "row"), rows > 0 && columns > 0 ? " and " : "",
                     counted_as(columns, "column"), rows + columns == 1 ? "is" : "are");
}

/// Panels that stand beside each other.
std::vector<Line> draw_band(const std::vector<Panel>& band, const std::vector<std::string>& rows,
                            const TableContext& context) {
  const bool ascii = context.style.ascii;
  const std::size_t label_width = label_width_of(rows, ascii);
  std::vector<Line> lines;
  const auto across = [&](const std::string& label, const auto& piece) {
    Line line = {{padded_right(label, label_width)}};
    for (std::size_t p = 0; p < band.size(); ++p) {
      if (p > 0) line.push_back({std::string(between, ' ')});
      line.push_back(piece(band[p]));
    }
    lines.push_back(std::move(line));
  };
  across("", [](const Panel& panel) { return panel.caption(); });
  across("", [](const Panel& panel) { return panel.head(); });
  for (std::size_t i = 0; i < std::min(rows.size(), most_panel_rows); ++i) {
    across(row_label(rows[i], label_width, ascii), [i](const Panel& panel) { return panel.row(i); });
  }
  std::size_t hidden = 0;
  for (const Panel& panel : band) hidden = std::max(hidden, panel.hidden());
  const std::size_t hidden_rows = rows.size() > most_panel_rows ? rows.size() - most_panel_rows : 0;
  if (hidden + hidden_rows > 0) {
    const std::string left_out = fmt::format("({} left out here; --face json has all.)", counts(hidden_rows, hidden));
    for (std::string& line : wrapped(left_out, context.width)) lines.push_back({{std::move(line), Ink::faint}});
  }
  return lines;
}

}  // namespace

std::vector<Line> draw_panels(const Panels& panels, const TableContext& context) {
  std::vector<Line> lines;
  std::vector<Panel> band;
  std::vector<std::string> rows;
  std::size_t used = 0;
  const auto flush = [&] {
    if (band.empty()) return;
    if (!lines.empty()) lines.push_back({});
    for (Line& line : draw_band(band, rows, context)) lines.push_back(std::move(line));
    band.clear();
  };
  for (const TableEntry& entry : panels.entries) {
    const Step& step = matrix_step(context, entry.step);
    const std::size_t label_width = label_width_of(step.rows, context.style.ascii);
    const std::size_t sums = panels.look.row_sums ? sum_width : 0;
    const std::size_t room = context.width > label_width + sums ? context.width - label_width - sums : 1;
    Panel panel(step, entry, panels.look, context, room);
    const bool fits = used + between + panel.width() <= context.width && step.rows.size() == rows.size();
    if (!band.empty() && !fits) flush();
    used = band.empty() ? label_width + panel.width() : used + between + panel.width();
    if (band.empty()) rows = step.rows;
    band.push_back(std::move(panel));
  }
  flush();
  return lines;
}

std::vector<Line> draw_bars(const Bars& bars, const TableContext& context) {
  const Step& step = matrix_step(context, bars.step);
  const bool ascii = context.style.ascii;
  const std::size_t label_width = label_width_of(step.columns, ascii);
  // Where not all have room, the largest do. NaN comes last.
  std::vector<std::size_t> largest = counted(step.columns.size());
  std::stable_sort(largest.begin(), largest.end(), [&](std::size_t a, std::size_t b) {
    const float x = step.value(bars.row, a);
    const float y = step.value(bars.row, b);
    return std::isnan(y) ? !std::isnan(x) : x > y;
  });
  const std::vector<std::size_t> shown = windowed(counted(step.columns.size()), largest, most_panel_rows);
  std::size_t number_width = 0;
  double top = 0.0;
  for (std::size_t j = 0; j < step.columns.size(); ++j) {
    const auto value = static_cast<double>(step.value(bars.row, j));
    number_width = std::max(number_width, display_width(short_number(value, context.style.precision)));
    if (std::isfinite(value)) top = std::max(top, value);
  }
  const std::size_t used = label_width + number_width + 2;
  const std::size_t room = std::min<std::size_t>(context.width > used ? context.width - used : 1, 40);
  std::vector<Line> lines;
  for (const std::size_t j : shown) {
    if (j == gap_mark) continue;
    const auto value = static_cast<double>(step.value(bars.row, j));
    lines.push_back({{row_label(step.columns[j], label_width, ascii)},
                     {padded_left(short_number(value, context.style.precision), number_width) + "  "},
                     {long_bar(value, top, room, ascii), Ink::accent}});
  }
  const std::size_t hidden = step.columns.size() - shown_count(shown);
  if (hidden > 0) lines.push_back({{fmt::format("({} more, none larger; --face json has all.)", hidden), Ink::faint}});
  return lines;
}

std::vector<Line> draw_product(const Product& product, const TableContext& context) {
  const Step& result = matrix_step(context, product.step);
  const Step& left = matrix_step(context, result.origin.inputs[0]);
  const Step& right = matrix_step(context, result.origin.inputs[1]);
  const bool ascii = context.style.ascii;
  const bool transposed = result.origin.op == "matmul_transposed";
  constexpr std::size_t cell = 3;
  constexpr std::size_t gap = 6;
  const std::size_t label_width = label_width_of(result.rows, ascii);
  const std::size_t most_inner = 4;
  const std::size_t inner = std::min(left.value.dim(-1), most_inner);
  const std::size_t left_width = inner * cell;
  const std::size_t before = label_width + left_width + gap;
  const std::size_t fit = context.width > before ? (context.width - before) / (cell + 1) : 1;
  const std::vector<std::size_t> columns =
      windowed(counted(result.columns.size()), {}, std::max<std::size_t>(fit, 2) - 1);
  const std::vector<std::size_t> rows = windowed(counted(result.rows.size()), {}, most_panel_rows);
  const double left_top = largest_magnitude(left);
  const double right_top = largest_magnitude(right);
  const double top = largest_magnitude(result);
  const auto squares = [&](double value, double of) {
    const std::string one = square(value, of, ascii);
    return one + one;
  };
  const std::string gap_text = glyphs("…", ascii);
  const auto name = [&](const Step& step) { return glyphs(context.page->short_name(step.name), ascii); };

  std::vector<Line> lines;
  Line names = {{std::string(before, ' ')}};
  Line indent = {{std::string(before, ' ')}};
  for (const std::size_t j : columns) {
    const std::string label = j == gap_mark ? gap_text : shortened(glyphs(result.columns[j], ascii), cell, ascii);
    names.push_back({padded_right(label, cell + 1), Ink::faint});
  }
  lines.push_back(std::move(names));
  for (std::size_t k = 0; k < inner; ++k) {
    const std::string label = k == 0 ? name(right) + (transposed ? glyphs("ᵀ", ascii) : "") : "";
    Line line = {{padded_left(label, before - 2) + "  ", Ink::bold}};
    for (const std::size_t j : columns) {
      const double value =
          j == gap_mark ? 0.0 : static_cast<double>(transposed ? right.value(j, k) : right.value(k, j));
      line.push_back({padded_right(j == gap_mark ? gap_text : squares(value, right_top), cell + 1)});
    }
    lines.push_back(std::move(line));
  }
  lines.push_back({{padded_right(std::string(label_width, ' ') + name(left), before), Ink::bold},
                   {glyphs("▼", ascii), Ink::faint},
                   {"  " + name(result), Ink::bold}});
  bool arrow = true;
  for (const std::size_t i : rows) {
    if (i == gap_mark) {
      lines.push_back({{gap_text, Ink::faint}});
      continue;
    }
    Line line = {{row_label(result.rows[i], label_width, ascii)}};
    for (std::size_t k = 0; k < inner; ++k) {
      line.push_back({padded_right(squares(static_cast<double>(left.value(i, k)), left_top), cell)});
    }
    line.push_back({padded_right(arrow ? glyphs(" →", ascii) : "", gap), Ink::faint});
    arrow = false;
    for (const std::size_t j : columns) {
      const double value = j == gap_mark ? 0.0 : static_cast<double>(result.value(i, j));
      line.push_back({padded_right(j == gap_mark ? gap_text : squares(value, top), cell + 1)});
    }
    lines.push_back(std::move(line));
  }
  if (inner < left.value.dim(-1)) {
    lines.push_back({{fmt::format("({} of {} channels are drawn.)", inner, left.value.dim(-1)), Ink::faint}});
  }
  return lines;
}

std::vector<Line> draw_links(const Links& links, const TableContext& context) {
  const bool ascii = context.style.ascii;
  const std::size_t name_width = label_width_of({links.top_name, links.bottom_name}, ascii) + 1;
  std::size_t cell = 5;
  for (const auto* words : {&links.top, &links.bottom}) {
    for (const std::string& word : *words) {
      cell = std::max(cell, std::min(display_width(glyphs(word, ascii)), longest_panel_label) + 2);
    }
  }
  const std::size_t room = context.width > name_width ? context.width - name_width : cell;
  const std::size_t count = std::min(links.top.size(), links.bottom.size());
  const std::size_t shown = std::min(count, std::max<std::size_t>(room / cell, 1));
  Line top = {{padded_right(glyphs(links.top_name, ascii), name_width), Ink::faint}};
  Line middle = {{std::string(name_width, ' ')}};
  Line bottom = {{padded_right(glyphs(links.bottom_name, ascii), name_width), Ink::faint}};
  for (std::size_t k = 0; k < shown; ++k) {
    top.push_back({padded_right(shortened(glyphs(links.top[k], ascii), cell - 1, ascii), cell)});
    middle.push_back(
        {padded_right(links.shifted ? (ascii ? "   \\" : "   ╲") : glyphs(" │", ascii), cell), Ink::faint});
    bottom.push_back({padded_right(shortened(glyphs(links.bottom[k], ascii), cell - 1, ascii), cell)});
  }
  std::vector<Line> lines = {top, middle, bottom};
  if (shown < count)
    lines.push_back(
        {{fmt::format("({} more {} left out here.)", count - shown, count - shown == 1 ? "is" : "are"), Ink::faint}});
  return lines;
}

}  // namespace attn
