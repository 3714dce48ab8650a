#include "board/table.hpp"

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

constexpr std::size_t most_rows = 12;
constexpr std::size_t longest_label = 14;  // where there is no room for more
constexpr std::size_t most_label = 24;     // where there is
constexpr std::size_t heat_cell = 4;       // a column of the heat map beside the digits
constexpr std::size_t between_tables = 4;

/// Rows or columns (axis 0 or 1) of a step's cells that the page works out.
std::vector<std::size_t> worked_places(const TableContext& context, const Matrix& matrix, std::size_t axis) {
  const std::size_t leading = matrix.leading.size();
  std::vector<std::size_t> places;
  for (const WorkedCell& cell : context.worked) {
    if (cell.step != matrix.step->name || cell.index.size() != leading + 2) continue;
    if (std::equal(matrix.leading.begin(), matrix.leading.end(), cell.index.begin())) {
      places.push_back(cell.index[leading + axis]);
    }
  }
  return places;
}

bool is_worked(const TableContext& context, const TablePanel& panel, std::size_t i, std::size_t j) {
  return std::any_of(context.worked.begin(), context.worked.end(), [&](const WorkedCell& cell) {
    Index here = panel.matrix.leading;
    here.insert(here.end(), {i, j});
    return cell.step == panel.matrix.step->name && cell.index == here;
  });
}

/// Blanks at the end of a panel's lines, which need no room on the page.
std::size_t blanks_at_the_end(const TablePanel& panel) {
  return panel.sum_width > 0 ? 2 : 1;
}

/// Columns for the labels of the rows, if none is cut.
std::size_t longest_row_label(const Matrix& matrix, bool ascii) {
  std::size_t longest = 8;
  for (const std::string& row : matrix.rows) longest = std::max(longest, display_width(glyphs(row, ascii)) + 1);
  return longest;
}

/// Draws panels that stand side by side and share their rows.
class TableDrawing {
 public:
  TableDrawing(std::vector<TablePanel> panels, Look look, const TableContext& context)
      : panels_(std::move(panels)), look_(std::move(look)), context_(context) {
    const Matrix& first = panels_[0].matrix;
    sum_width_ = panels_[0].sum_width;
    const std::size_t used = panel_width(panels_[0]) + sum_width_ - blanks_at_the_end(panels_[0]);
    const std::size_t spare = context.width > used ? context.width - used : 0;
    const std::size_t roomy_label = panels_.size() == 1 ? std::min(spare, most_label) : 0;
    label_width_ = std::min(longest_row_label(first, context.style.ascii), std::max(longest_label, roomy_label));
    corner_ = text(context.page->short_name(first.step->name));
    if (!first.leading.empty()) corner_ += to_string(first.leading);
    // Where a single row is left out, the mark that says so takes as much room as the row.
    const std::size_t rows = first.rows.size();
    rows_ = windowed(counted(rows), worked_rows(), rows <= most_rows + 1 ? rows : most_rows);
    fit_columns();
  }

  [[nodiscard]] std::vector<Line> draw() const {
    std::vector<Line> lines;
    const bool headed =
        std::any_of(panels_.begin(), panels_.end(), [](const TablePanel& p) { return !p.heading.empty(); });
    if (headed) lines.push_back(heading_line());
    std::string corner = headed ? "" : corner_;
    if (display_width(corner) >= label_width_) {
      lines.push_back({{corner, Ink::bold}});
      corner.clear();
    }
    lines.push_back(label_line(corner));
    if (look_.numbered && has_names()) lines.push_back(number_line());
    for (const std::size_t i : rows_) lines.push_back(i == gap_mark ? gap_line() : row_line(i));
    for (Line& line : left_out_lines()) lines.push_back(std::move(line));
    for (Line& line : rounding_lines()) lines.push_back(std::move(line));
    return lines;
  }

  /// Which marks are beside its numbers? Where there is colour a tint stands for them, and the words stay the same.
  [[nodiscard]] Marks marks() const {
    Marks marks;
    for (const TablePanel& panel : panels_) {
      if (!has_marks(panel)) continue;
      const bool shares = panel.matrix.step->origin.op == "softmax" || look_.top == 1.0;
      marks = marks | Marks{.shares = shares, .others = !shares};
    }
    return marks;
  }

  [[nodiscard]] bool has_squares() const { return heat_map_; }

  [[nodiscard]] std::vector<ColumnPlace> column_places() const {
    const TablePanel& panel = panels_[0];
    std::vector<ColumnPlace> places;
    std::size_t x = label_width_;
    for (const std::size_t j : panel.window) {
      if (j != gap_mark) places.push_back({.column = j, .x = x + panel.number_width - 2});
      x += j == gap_mark ? gap_width() : panel.cell_width;
    }
    return places;
  }

 private:
  [[nodiscard]] bool has_marks(const TablePanel& panel) const {
    if (heat_map_ || after_number(panel) != 2) return false;
    for (const std::size_t i : rows_) {
      for (const std::size_t j : panel.window) {
        if (i != gap_mark && j != gap_mark && tint(panel.matrix(i, j), panel.top) > 0) return true;
      }
    }
    return false;
  }

  [[nodiscard]] std::string text(const std::string& words) const { return glyphs(words, context_.style.ascii); }

  [[nodiscard]] std::vector<std::size_t> worked_rows() const {
    std::vector<std::size_t> rows;
    for (const TablePanel& panel : panels_) {
      for (const std::size_t i : worked_places(context_, panel.matrix, 0)) rows.push_back(i);
    }
    if (!panels_[0].matrix.rows.empty()) rows.push_back(panels_[0].matrix.rows.size() - 1);
    return rows;
  }

  void fit_columns() {
    std::size_t room = context_.width > label_width_ + sum_width_ ? context_.width - label_width_ - sum_width_ : 1;
    if (panels_.size() > 1) return;
    TablePanel& panel = panels_[0];
    room += blanks_at_the_end(panel);
    // Each gap takes room too, and how many there are depends on which columns stay.
    const auto worked = worked_places(context_, panel.matrix, 1);
    for (std::size_t fit = room / panel.cell_width; window_width(panel) > room && fit > 0; --fit) {
      panel.window = windowed(panel.columns, worked, fit);
    }
    heat_map_ = panel.top > 0.0 && panel.window == panel.columns &&
                label_width_ + panel_width(panel) + sum_width_ + 2 + panel.columns.size() * heat_cell <= context_.width;
  }

  /// A column of "…".
  [[nodiscard]] std::size_t gap_width() const { return display_width(text("…")) + 2; }

  [[nodiscard]] std::size_t window_width(const TablePanel& panel) const {
    const std::size_t shown = shown_count(panel.window);
    return shown * panel.cell_width + (panel.window.size() - shown) * gap_width();
  }

  /// Blanks after a number: one, or the place of its bar and one.
  [[nodiscard]] static std::size_t after_number(const TablePanel& panel) {
    return panel.cell_width - panel.number_width;
  }

  /// Each heading ends where the numbers of its panel end, or begins right after the one before it.
  [[nodiscard]] Line heading_line() const {
    std::string headings;
    std::size_t end = label_width_;
    for (std::size_t p = 0; p < panels_.size(); ++p) {
      const TablePanel& panel = panels_[p];
      end += (p > 0 ? between_tables : 0) + window_width(panel);
      const std::size_t heading = display_width(panel.heading) + after_number(panel);
      const std::size_t before = p > 0 ? display_width(headings) + 1 : 0;
      headings = padded_right(headings, std::max(before, end > heading ? end - heading : 0)) + panel.heading;
    }
    return {{shortened(headings, context_.width, context_.style.ascii), Ink::bold}};
  }

  /// The label line, the number line and the rows share their columns: `cell` writes one place of one panel.
  template <typename Cell>
  [[nodiscard]] Line across(Span label, const Cell& cell) const {
    label.text = padded_right(shortened(label.text, label_width_ - 1, context_.style.ascii), label_width_);
    Line line = {std::move(label)};
    for (std::size_t p = 0; p < panels_.size(); ++p) {
      const TablePanel& panel = panels_[p];
      if (p > 0) line.push_back({std::string(between_tables, ' ')});
      for (const std::size_t j : panel.window) {
        if (j == gap_mark) {
          line.push_back({padded_right(text("…"), gap_width()), Ink::faint});
        } else {
          cell(line, panel, j);
        }
      }
    }
    return line;
  }

  void put(Line& line, const TablePanel& panel, const std::string& number, const std::string& mark, Ink ink,
           int background) const {
    const std::size_t spare = after_number(panel);
    line.push_back({padded_left(number, panel.number_width), ink, background});
    line.push_back({spare == 2 ? mark + " " : std::string(spare, ' '), ink == Ink::accent ? ink : Ink::plain});
  }

  [[nodiscard]] Line label_line(const std::string& corner) const {
    Line line = across({corner, Ink::bold}, [&](Line& cells, const TablePanel& panel, std::size_t j) {
      const std::string label =
          shortened(text(column_name(panel.matrix, look_, j)), panel.number_width, context_.style.ascii);
      put(cells, panel, label, " ", Ink::plain, 0);
    });
    if (look_.row_sums) line.push_back({padded_left("sum", sum_width_ - 2), Ink::faint});
    if (heat_map_) {
      line.push_back({look_.row_sums ? "  " : " "});
      for (const std::size_t j : panels_[0].window) {
        line.push_back({padded_right(shortened(text(column_name(panels_[0].matrix, look_, j)), 3, context_.style.ascii),
                                     heat_cell),
                        Ink::faint});
      }
    }
    return line;
  }

  /// Is there a name over some column, and not just its index?
  [[nodiscard]] bool has_names() const {
    return std::any_of(panels_.begin(), panels_.end(), [&](const TablePanel& panel) {
      return panel.matrix.step->value.rank() == 2 &&
             std::any_of(panel.columns.begin(), panel.columns.end(),
                         [&](std::size_t j) { return column_name(panel.matrix, look_, j) != std::to_string(j); });
    });
  }

  [[nodiscard]] Line number_line() const {
    return across({""}, [&](Line& cells, const TablePanel& panel, std::size_t j) {
      put(cells, panel, panel.matrix.step->value.rank() == 2 ? std::to_string(j) : "", " ", Ink::faint, 0);
    });
  }

  [[nodiscard]] Line gap_line() const { return {{text("…"), Ink::faint}}; }

  [[nodiscard]] Line row_line(std::size_t i) const {
    const std::vector<std::size_t> worked = worked_places(context_, panels_[0].matrix, 0);
    const bool followed = std::find(worked.begin(), worked.end(), i) != worked.end();
    Line line =
        across({text(panels_[0].matrix.rows[i]), followed ? Ink::bold : Ink::plain},
               [&](Line& cells, const TablePanel& panel, std::size_t j) {
                 const double value = panel.matrix(i, j);
                 const bool faint = panel.top > 0.0 && (value == 0.0 || std::isinf(value));
                 const Ink ink = is_worked(context_, panel, i, j) ? Ink::accent : faint ? Ink::faint : Ink::plain;
                 const bool barred = !context_.style.color && !heat_map_;
                 put(cells, panel, panel.format(value, i), barred ? bar(value, panel.top, context_.style.ascii) : " ",
                     ink, context_.style.color ? tint(value, panel.top) : 0);
               });
    const TablePanel& first = panels_[0];
    if (look_.row_sums)
      line.push_back({padded_left(first.format(first.matrix.row_sum(i), i), sum_width_ - 2), Ink::faint});
    if (heat_map_) {
      line.push_back({look_.row_sums ? "  " : " "});
      for (const std::size_t j : first.window) {
        line.push_back({heat(first.matrix(i, j), first.top, context_.style.ascii) + " "});
      }
    }
    return line;
  }

  [[nodiscard]] std::vector<Line> remark(const Sentence& sentence) const {
    std::vector<Line> lines;
    const std::string filled = text(fill(sentence, context_.style.precision));
    for (std::string& line : wrapped(filled, std::min<std::size_t>(context_.width, 66))) {
      lines.push_back({{std::move(line), Ink::faint}});
    }
    return lines;
  }

  [[nodiscard]] std::vector<Line> left_out_lines() const {
    const TablePanel& panel = panels_.back();
    // Columns that the lesson chose not to show are its own to speak of.
    const std::size_t columns = panel.columns.size();
    const std::size_t hidden_columns = columns - shown_count(panel.window);
    const std::size_t rows = panel.matrix.rows.size();
    const std::size_t hidden_rows = rows - shown_count(rows_);
    const std::size_t needed = page_margin + label_width_ + panel_width(panel) + sum_width_ - blanks_at_the_end(panel);
    if (hidden_rows > 0 && hidden_columns > 0) {
      return remark(
          {"({hidden_rows} of {rows} rows and {hidden_columns} of {columns} columns are left out here; --face json has "
           "all.)",
           {{"hidden_rows", hidden_rows}, {"rows", rows}, {"hidden_columns", hidden_columns}, {"columns", columns}}});
    }
    if (hidden_rows > 0) {
      return remark({"({hidden} of {rows} rows are left out here; --face json has all.)",
                     {{"hidden", hidden_rows}, {"rows", rows}}});
    }
    if (hidden_columns > 0 && needed > widest_page) {
      return remark({"({hidden} of {columns} columns {are} left out here; --face json has all.)",
                     {{"hidden", hidden_columns}, {"columns", columns}, {"are", hidden_columns == 1 ? "is" : "are"}}});
    }
    if (hidden_columns > 0) {
      return remark({"({hidden} of {columns} columns {are} left out here; --width {width} or --face json shows all.)",
                     {{"hidden", hidden_columns},
                      {"columns", columns},
                      {"are", hidden_columns == 1 ? "is" : "are"},
                      {"width", needed}}});
    }
    return {};
  }

  /// Rows that do not add up as printed are counted, so that a reader who adds them is not misled.
  [[nodiscard]] std::vector<Line> rounding_lines() const {
    const TablePanel& panel = panels_[0];
    if (!look_.row_sums || shown_count(panel.window) != panel.matrix.columns.size()) return {};
    std::size_t missed = 0;
    double most = 0.0;
    std::size_t most_decimals = 0;
    for (const std::size_t i : rows_) {
      if (i == gap_mark) continue;
      const std::size_t decimals = panel.format.decimals(i);
      double printed = 0.0;
      for (const std::size_t j : panel.columns) printed += as_printed(panel.matrix(i, j), decimals);
      const double miss = std::abs(printed - as_printed(panel.matrix.row_sum(i), decimals));
      if (!(miss > 0.1 * std::pow(10.0, -static_cast<double>(decimals)))) continue;
      ++missed;
      most = std::max(most, miss);
      most_decimals = std::max(most_decimals, decimals);
    }
    if (missed == 0) return {};
    const std::string miss = fixed(most, most_decimals);
    if (missed == 1) return remark({"(Rounded as printed, one row misses its sum by {miss}.)", {{"miss", miss}}});
    return remark(
        {"(Rounded as printed, {count} rows miss their sum by up to {miss}.)", {{"count", missed}, {"miss", miss}}});
  }

  std::vector<TablePanel> panels_;
  Look look_;
  const TableContext& context_;
  std::string corner_;
  std::vector<std::size_t> rows_;
  std::size_t label_width_ = 8;
  std::size_t sum_width_ = 0;
  bool heat_map_ = false;
};

/// One step, with room between the columns if they fit, else narrower, else windowed.
TableDrawing single_table(const TableEntry& entry, const Look& look, const TableContext& context) {
  TablePanel panel = make_panel(entry, look, context, /*alone=*/true);
  const std::size_t labels = std::min(longest_row_label(panel.matrix, context.style.ascii), most_label);
  if (labels + panel_width(panel) + panel.sum_width > context.width + blanks_at_the_end(panel)) {
    panel = make_panel(entry, look, context, /*alone=*/true, /*roomy=*/false);
  }
  return {{std::move(panel)}, look, context};
}

/// Steps side by side are one drawing if there is room for it, else one for each.
std::vector<TableDrawing> drawings(const Table& table, const TableContext& context) {
  std::vector<TableDrawing> all;
  if (table.entries.size() > 1) {
    std::vector<TablePanel> panels;
    std::size_t width = 0;
    for (const TableEntry& entry : table.entries) {
      panels.push_back(make_panel(entry, table.look, context, /*alone=*/false));
      if (panels.back().matrix.rows.size() != panels[0].matrix.rows.size()) {
        throw std::invalid_argument(fmt::format(
            "table: {} has {} rows and {} has {}: steps side by side need the same rows", table.entries[0].step,
            panels[0].matrix.rows.size(), entry.step, panels.back().matrix.rows.size()));
      }
      width += panel_width(panels.back()) + (width > 0 ? between_tables : 0);
    }
    width += std::min(longest_row_label(panels[0].matrix, context.style.ascii), longest_label);
    if (width <= context.width + 1) {
      all.emplace_back(std::move(panels), table.look, context);
      return all;
    }
  }
  for (const TableEntry& entry : table.entries) all.push_back(single_table(entry, table.look, context));
  return all;
}

}  // namespace

std::vector<Line> draw_table(const Table& table, const TableContext& context) {
  std::vector<Line> lines;
  for (const TableDrawing& drawing : drawings(table, context)) {
    if (!lines.empty()) lines.push_back({});
    for (Line& line : drawing.draw()) lines.push_back(std::move(line));
  }
  return lines;
}

Marks operator|(const Marks& a, const Marks& b) {
  return {.shares = a.shares || b.shares, .others = a.others || b.others};
}

Marks marks_of(const Table& table, const TableContext& context) {
  Marks marks;
  for (const TableDrawing& drawing : drawings(table, context)) marks = marks | drawing.marks();
  return marks;
}

bool draws_squares(const Table& table, const TableContext& context) {
  const std::vector<TableDrawing> all = drawings(table, context);
  return std::any_of(all.begin(), all.end(), [](const TableDrawing& drawing) { return drawing.has_squares(); });
}

std::vector<ColumnPlace> column_places(const TableEntry& entry, const Look& look, const TableContext& context) {
  return single_table(entry, look, context).column_places();
}

}  // namespace attn
