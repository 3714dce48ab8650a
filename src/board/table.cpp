#include "board/table.hpp"

#include "board/digits.hpp"
#include "text/unicode.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace attn {

namespace {

constexpr std::size_t gap_mark = static_cast<std::size_t>(-1);  // stands for rows or columns left out
constexpr std::size_t most_rows = 12;
constexpr std::size_t longest_label = 14;  // where there is no room for more
constexpr std::size_t most_label = 24;     // where there is
constexpr std::size_t gap_width = 3;       // a column of "…"
constexpr std::size_t heat_cell = 4;       // a column of the heat map beside the digits
constexpr std::size_t between_tables = 4;

/// A step as a matrix. A list of numbers is a row, or a column when it stands beside matrices.
struct Matrix {
  const Step* step = nullptr;
  std::vector<std::string> rows;
  std::vector<std::string> columns;

  [[nodiscard]] double operator()(std::size_t i, std::size_t j) const {
    return static_cast<double>(step->value.values()[i * columns.size() + j]);
  }
};

Matrix as_matrix(const Step& step, const std::string& heading, bool alone) {
  if (step.value.rank() == 2) return {&step, step.rows, step.columns};
  if (step.value.rank() == 1 && !alone) return {&step, step.rows, {heading}};
  if (step.value.rank() == 1) return {&step, {""}, step.rows};
  if (step.value.rank() == 0) return {&step, {""}, {""}};
  throw std::invalid_argument(fmt::format("table: {} is {}: a page shows matrices, so slice one out of it", step.name,
                                          to_string(step.value.shape())));
}

/// How the numbers of one step are written: whole numbers whole, all others with the same decimals, exact zeros bare.
class NumberFormat {
 public:
  NumberFormat(const Matrix& matrix, std::size_t precision) : decimals_(precision) {
    const std::vector<float>& values = matrix.step->value.values();
    const bool whole = std::all_of(values.begin(), values.end(), [](float value) {
      return !std::isfinite(value) || (value == std::floor(value) && std::abs(value) < 1e7F);
    });
    if (whole) decimals_ = 0;
  }

  [[nodiscard]] std::string operator()(double number) const { return number == 0.0 ? "0" : fixed(number, decimals_); }
  [[nodiscard]] std::size_t decimals() const { return decimals_; }

 private:
  std::size_t decimals_;
};

/// At most `fit` of `count` places, in order: those that must be there, then from the start. gap_mark stands where some
/// are left out (a gap takes no place of its own: the caller reckons with it).
std::vector<std::size_t> windowed(const std::vector<std::size_t>& all, std::vector<std::size_t> wanted,
                                  std::size_t fit) {
  if (all.size() <= fit) return all;
  std::vector<bool> keep(all.size(), false);
  std::size_t kept = 0;
  const auto take = [&](std::size_t place) {
    if (kept < fit && place < all.size() && !keep[place]) {
      keep[place] = true;
      ++kept;
    }
  };
  for (const std::size_t index : wanted) {
    take(static_cast<std::size_t>(std::find(all.begin(), all.end(), index) - all.begin()));
  }
  for (std::size_t place = 0; place < all.size(); ++place) take(place);

  std::vector<std::size_t> window;
  for (std::size_t place = 0; place < all.size(); ++place) {
    if (keep[place]) window.push_back(all[place]);
    if (!keep[place] && (window.empty() || window.back() != gap_mark)) window.push_back(gap_mark);
  }
  return window;
}

std::vector<std::size_t> counted(std::size_t count) {
  std::vector<std::size_t> places(count);
  for (std::size_t i = 0; i < count; ++i) places[i] = i;
  return places;
}

std::size_t shown_count(const std::vector<std::size_t>& window) {
  return window.size() - static_cast<std::size_t>(std::count(window.begin(), window.end(), gap_mark));
}

/// One step of a table, laid out.
struct Panel {
  Matrix matrix;
  NumberFormat format;
  std::vector<std::size_t> columns;  // those that were asked for
  std::vector<std::size_t> window;   // those that fit, with gaps
  std::size_t number_width = 6;
  std::size_t cell_width = 8;
  std::string heading;
  double top = 0.0;  // what a full bar stands for; 0: no bars
};

/// Rows or columns (axis 0 or 1) of a step's cells that the page works out.
std::vector<std::size_t> worked_places(const TableContext& context, const Step& step, std::size_t axis) {
  std::vector<std::size_t> places;
  for (const WorkedCell& cell : context.worked) {
    if (cell.step == step.name && cell.index.size() == 2) places.push_back(cell.index[axis]);
  }
  return places;
}

bool is_worked(const TableContext& context, const Panel& panel, std::size_t i, std::size_t j) {
  return std::any_of(context.worked.begin(), context.worked.end(), [&](const WorkedCell& cell) {
    return cell.step == panel.matrix.step->name && cell.index == Index{i, j};
  });
}

/// What stands over a column: its label, or the name that the lesson gave it.
const std::string& column_name(const Matrix& matrix, const Look& look, std::size_t j) {
  return j < look.names.size() ? look.names[j] : matrix.columns[j];
}

double largest_finite(const Matrix& matrix) {
  double largest = 0.0;
  for (const float value : matrix.step->value.values()) {
    if (std::isfinite(value)) largest = std::max(largest, static_cast<double>(value));
  }
  return largest;
}

/// `roomy`: columns of successive tables stand under each other; else as narrow as the numbers allow.
Panel make_panel(const TableEntry& entry, const Look& look, const TableContext& context, bool alone,
                 bool roomy = true) {
  const Matrix matrix = as_matrix(context.trace->step(entry.step), entry.heading, alone);
  Panel panel{.matrix = matrix,
              .format = NumberFormat(matrix, context.style.precision),
              .columns = !entry.columns.empty() ? entry.columns : look.columns,
              .window = {},
              .heading = matrix.step->value.rank() == 2 ? glyphs(entry.heading, context.style.ascii) : ""};
  if (panel.columns.empty()) panel.columns = counted(matrix.columns.size());
  panel.number_width = roomy ? 6 : 4;
  if (look.shaded) panel.top = matrix.step->origin.op == "softmax" ? 1.0 : largest_finite(matrix);
  if (look.shaded && look.top > 0.0) panel.top = look.top;
  for (const std::size_t j : panel.columns) {
    for (std::size_t i = 0; i < matrix.rows.size(); ++i) {
      panel.number_width = std::max(panel.number_width, display_width(panel.format(matrix(i, j))));
    }
    const std::string label = glyphs(column_name(matrix, look, j), context.style.ascii);
    panel.number_width = std::max(panel.number_width, std::min<std::size_t>(display_width(label), roomy ? 9 : 6));
  }
  panel.cell_width = panel.number_width + (look.shaded ? 2 : 1);
  panel.window = panel.columns;
  return panel;
}

std::size_t panel_width(const Panel& panel) {
  return panel.columns.size() * panel.cell_width;
}

/// Eighths of a block, touching the number; nothing below a quarter, so a flat row stays empty.
std::string bar(double value, double top, bool ascii) {
  static constexpr const char* blocks[] = {" ", " ", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  if (!(top > 0.0) || !(value > 0.0) || !std::isfinite(value)) return " ";
  const auto eighths = static_cast<std::size_t>(std::clamp(value / top * 8.0, 0.0, 8.0));
  return glyphs(blocks[eighths], ascii);
}

std::string heat(double value, double top, bool ascii) {
  static constexpr const char* shades[] = {"···", "░░░", "▒▒▒", "▓▓▓", "███"};
  const double share = top > 0.0 ? std::abs(value) / top : 0.0;
  if (std::isinf(value)) return ascii ? "///" : "╱╱╱";
  if (std::isnan(value)) return "nan";
  if (value < 0.0 && share >= 0.15) return "---";
  const std::size_t level = share < 0.05 ? 0 : share < 0.25 ? 1 : share < 0.55 ? 2 : share < 0.8 ? 3 : 4;
  static constexpr const char* ascii_shades[] = {"...", ":::", "+++", "###", "@@@"};
  return ascii ? ascii_shades[level] : shades[level];
}

int tint_of(double value, double top) {
  if (!(top > 0.0) || !(value > 0.0) || !std::isfinite(value)) return 0;
  return static_cast<int>(std::clamp(value / top * 7.0, 0.0, 7.0));
}

/// Draws panels that stand side by side and share their rows.
class TableDrawing {
 public:
  TableDrawing(std::vector<Panel> panels, Look look, const TableContext& context)
      : panels_(std::move(panels)), look_(std::move(look)), context_(context) {
    const Matrix& first = panels_[0].matrix;
    std::size_t longest = 8;
    for (const std::string& row : first.rows) longest = std::max(longest, display_width(text(row)) + 1);
    const std::size_t spare =
        context.width + 2 > panel_width(panels_[0]) ? context.width + 2 - panel_width(panels_[0]) : 0;
    label_width_ = std::min(longest, std::max(longest_label, panels_.size() == 1 ? std::min(spare, most_label) : 0));
    corner_ = text(context.page->short_name(first.step->name));
    rows_ = windowed(counted(first.rows.size()), worked_rows(), most_rows);
    sum_width_ = look_.row_sums ? 8 : 0;
    fit_columns();
  }

  [[nodiscard]] std::vector<Line> draw() const {
    std::vector<Line> lines;
    const bool headed = std::any_of(panels_.begin(), panels_.end(), [](const Panel& p) { return !p.heading.empty(); });
    if (headed) lines.push_back(heading_line());
    std::string corner = headed ? "" : corner_;
    if (display_width(corner) > label_width_) {
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

  [[nodiscard]] const Panel& panel() const { return panels_[0]; }

  /// The column in which a cell's number ends, for what is drawn under a table.
  [[nodiscard]] std::size_t label_width() const { return label_width_; }

 private:
  [[nodiscard]] std::string text(const std::string& words) const { return glyphs(words, context_.style.ascii); }

  [[nodiscard]] std::vector<std::size_t> worked_rows() const {
    std::vector<std::size_t> rows;
    for (const Panel& panel : panels_) {
      for (const std::size_t i : worked_places(context_, *panel.matrix.step, 0)) rows.push_back(i);
    }
    if (!panels_[0].matrix.rows.empty()) rows.push_back(panels_[0].matrix.rows.size() - 1);
    return rows;
  }

  void fit_columns() {
    std::size_t room = context_.width > label_width_ + sum_width_ ? context_.width - label_width_ - sum_width_ : 1;
    room += 2;  // the last cell needs no blanks after it
    if (panels_.size() > 1) return;
    Panel& panel = panels_[0];
    if (panel_width(panel) > room) {
      const std::size_t for_cells = room > 2 * gap_width ? room - 2 * gap_width : 1;
      const std::size_t fit = std::max<std::size_t>(for_cells / panel.cell_width, 1);
      panel.window = windowed(panel.columns, worked_places(context_, *panel.matrix.step, 1), fit);
    }
    heat_map_ = panel.top > 0.0 && panel.window == panel.columns &&
                label_width_ + panel_width(panel) + sum_width_ + 2 + panel.columns.size() * heat_cell <= context_.width;
  }

  [[nodiscard]] Line heading_line() const {
    Line line = {{std::string(label_width_, ' ')}};
    for (std::size_t p = 0; p < panels_.size(); ++p) {
      if (p > 0) line.push_back({std::string(between_tables, ' ')});
      line.push_back({padded_left(panels_[p].heading, panel_width(panels_[p]) - 1) + " ", Ink::bold});
    }
    return line;
  }

  /// The label line, the number line and the rows share their columns: `cell` writes one place of one panel.
  template <typename Cell>
  [[nodiscard]] Line across(Span label, const Cell& cell) const {
    label.text = padded_right(shortened(label.text, label_width_, context_.style.ascii), label_width_);
    Line line = {std::move(label)};
    for (std::size_t p = 0; p < panels_.size(); ++p) {
      const Panel& panel = panels_[p];
      if (p > 0) line.push_back({std::string(between_tables, ' ')});
      for (const std::size_t j : panel.window) {
        if (j == gap_mark) {
          line.push_back({padded_right(text("…"), gap_width), Ink::faint});
        } else {
          cell(line, panel, j);
        }
      }
    }
    return line;
  }

  void put(Line& line, const Panel& panel, const std::string& number, const std::string& mark, Ink ink,
           int tint) const {
    const std::size_t spare = panel.cell_width - panel.number_width;
    line.push_back({padded_left(number, panel.number_width), ink, tint});
    line.push_back({spare == 2 ? mark + " " : std::string(spare, ' '), ink == Ink::accent ? ink : Ink::plain});
  }

  [[nodiscard]] Line label_line(const std::string& corner) const {
    Line line = across({corner, Ink::bold}, [&](Line& cells, const Panel& panel, std::size_t j) {
      const std::string label =
          shortened(text(column_name(panel.matrix, look_, j)), panel.number_width, context_.style.ascii);
      put(cells, panel, label, " ", Ink::plain, 0);
    });
    if (look_.row_sums) line.push_back({padded_left("sum", 6), Ink::faint});
    if (heat_map_) {
      line.push_back({look_.row_sums ? "  " : " "});
      for (const std::size_t j : panels_[0].window) {
        line.push_back({padded_right(shortened(text(panels_[0].matrix.columns[j]), 3, context_.style.ascii), heat_cell),
                        Ink::faint});
      }
    }
    return line;
  }

  /// Is there a name over some column, and not just its index?
  [[nodiscard]] bool has_names() const {
    return std::any_of(panels_.begin(), panels_.end(), [&](const Panel& panel) {
      return panel.matrix.step->value.rank() == 2 &&
             std::any_of(panel.columns.begin(), panel.columns.end(),
                         [&](std::size_t j) { return column_name(panel.matrix, look_, j) != std::to_string(j); });
    });
  }

  [[nodiscard]] Line number_line() const {
    return across({""}, [&](Line& cells, const Panel& panel, std::size_t j) {
      put(cells, panel, panel.matrix.step->value.rank() == 2 ? std::to_string(j) : "", " ", Ink::faint, 0);
    });
  }

  [[nodiscard]] Line gap_line() const { return {{text("…"), Ink::faint}}; }

  [[nodiscard]] Line row_line(std::size_t i) const {
    const std::vector<std::size_t> worked = worked_places(context_, *panels_[0].matrix.step, 0);
    const bool followed = std::find(worked.begin(), worked.end(), i) != worked.end();
    Line line = across(
        {text(panels_[0].matrix.rows[i]), followed ? Ink::bold : Ink::plain},
        [&](Line& cells, const Panel& panel, std::size_t j) {
          const double value = panel.matrix(i, j);
          const bool faint = panel.top > 0.0 && (value == 0.0 || std::isinf(value));
          const Ink ink = is_worked(context_, panel, i, j) ? Ink::accent : faint ? Ink::faint : Ink::plain;
          const int tint = context_.style.color ? tint_of(value, panel.top) : 0;
          const bool barred = panel.top > 0.0 && !context_.style.color && !heat_map_;
          put(cells, panel, panel.format(value), barred ? bar(value, panel.top, context_.style.ascii) : " ", ink, tint);
        });
    const Panel& first = panels_[0];
    if (look_.row_sums) line.push_back({padded_left(first.format(row_sum(first, i)), 6), Ink::faint});
    if (heat_map_) {
      line.push_back({look_.row_sums ? "  " : " "});
      for (const std::size_t j : first.window) {
        line.push_back({heat(first.matrix(i, j), first.top, context_.style.ascii) + " "});
      }
    }
    return line;
  }

  /// Of the full numbers, not of those printed.
  [[nodiscard]] static double row_sum(const Panel& panel, std::size_t i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < panel.matrix.columns.size(); ++j) sum += panel.matrix(i, j);
    return sum;
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
    const Panel& panel = panels_.back();
    // Columns that the lesson chose not to show are its own to speak of.
    const std::size_t columns = panel.columns.size();
    const std::size_t hidden_columns = columns - shown_count(panel.window);
    const std::size_t rows = panel.matrix.rows.size();
    const std::size_t hidden_rows = rows - shown_count(rows_);
    const std::size_t needed = 10 + label_width_ + panel_width(panel) + sum_width_;
    if (hidden_rows > 0 && hidden_columns > 0) {
      return remark(
          {"({hidden_rows} of {rows} rows and {hidden_columns} of {columns} columns are left out here; "
           "--face json has all.)",
           {{"hidden_rows", hidden_rows}, {"rows", rows}, {"hidden_columns", hidden_columns}, {"columns", columns}}});
    }
    if (hidden_rows > 0) {
      return remark({"({hidden} of {rows} rows are left out here; --face json has all.)",
                     {{"hidden", hidden_rows}, {"rows", rows}}});
    }
    if (hidden_columns > 0) {
      return remark({"({hidden} of {columns} columns are left out here; --width {width} or --face json shows all.)",
                     {{"hidden", hidden_columns}, {"columns", columns}, {"width", needed}}});
    }
    return {};
  }

  /// Rows that do not add up as printed are counted, so that a reader who adds them is not misled.
  [[nodiscard]] std::vector<Line> rounding_lines() const {
    const Panel& panel = panels_[0];
    if (!look_.row_sums || panel.window != panel.columns) return {};
    std::size_t missed = 0;
    double most = 0.0;
    for (const std::size_t i : rows_) {
      if (i == gap_mark) continue;
      double printed = 0.0;
      for (const std::size_t j : panel.columns) printed += as_printed(panel.matrix(i, j), panel.format.decimals());
      const double miss = std::abs(printed - as_printed(row_sum(panel, i), panel.format.decimals()));
      if (!(miss > 0.1 * std::pow(10.0, -static_cast<double>(panel.format.decimals())))) continue;
      ++missed;
      most = std::max(most, miss);
    }
    if (missed == 0) return {};
    const std::string miss = fixed(most, panel.format.decimals());
    if (missed == 1) return remark({"(Rounded as printed, one row misses its sum by {miss}.)", {{"miss", miss}}});
    return remark(
        {"(Rounded as printed, {count} rows miss their sum by up to {miss}.)", {{"count", missed}, {"miss", miss}}});
  }

  std::vector<Panel> panels_;
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
  Panel panel = make_panel(entry, look, context, /*alone=*/true);
  std::size_t labels = 8;
  for (const std::string& row : panel.matrix.rows) labels = std::max(labels, display_width(row) + 1);
  if (std::min(labels, most_label) + panel_width(panel) + (look.row_sums ? 8 : 0) > context.width + 2) {
    panel = make_panel(entry, look, context, /*alone=*/true, /*roomy=*/false);
  }
  return {{std::move(panel)}, look, context};
}

}  // namespace

std::vector<Line> draw_table(const Table& table, const TableContext& context) {
  if (table.entries.size() == 1) return single_table(table.entries[0], table.look, context).draw();

  std::vector<Panel> panels;
  std::size_t width = 8 - between_tables;
  for (const TableEntry& entry : table.entries) {
    panels.push_back(make_panel(entry, table.look, context, /*alone=*/false));
    width += panel_width(panels.back()) + between_tables;
  }
  if (width <= context.width + 1) return TableDrawing(std::move(panels), table.look, context).draw();

  // No room side by side: one below the other.
  std::vector<Line> lines;
  for (const TableEntry& entry : table.entries) {
    if (!lines.empty()) lines.push_back({});
    for (Line& line : single_table(entry, table.look, context).draw()) lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<Line> draw_arcs(const Arcs& arcs, const TableContext& context) {
  const TableDrawing table = single_table({.step = arcs.step}, arcs.look, context);
  const Panel& panel = table.panel();
  const bool ascii = context.style.ascii;

  // Where each shown word stands: near the end of its column in the table below.
  struct Target {
    std::size_t middle = 0;
    double weight = 0.0;
    std::string word;
  };
  std::vector<Target> targets;
  std::size_t from = 0;
  bool from_shown = false;
  std::size_t cursor = table.label_width();
  for (const std::size_t j : panel.window) {
    if (j == gap_mark) {
      cursor += gap_width;
      continue;
    }
    const std::size_t middle = cursor + panel.number_width - 2;
    if (j == arcs.row) {
      from = middle;
      from_shown = true;
    }
    targets.push_back({middle, panel.matrix(arcs.row, j), glyphs(panel.matrix.columns[j], ascii)});
    cursor += panel.cell_width;
  }
  if (!from_shown) return {};

  // The rail: each stretch is as thick as the weight that flows through it.
  const std::size_t end = cursor;
  std::vector<double> flow(end, 0.0);
  for (const Target& target : targets) {
    if (!(target.weight >= 0.1)) continue;
    for (std::size_t x = std::min(from, target.middle); x <= std::max(from, target.middle); ++x)
      flow[x] += target.weight;
  }
  const auto drawn = [&](std::size_t x) { return x < end && flow[x] >= 0.1; };
  if (std::none_of(flow.begin(), flow.end(), [](double weight) { return weight >= 0.1; })) return {};

  std::vector<std::string> rail(end, " ");
  std::vector<std::string> heads(end, " ");
  for (std::size_t x = 0; x < end; ++x) {
    if (drawn(x)) rail[x] = flow[x] >= 0.3 ? "━" : "─";
  }
  for (const Target& target : targets) {
    if (!(target.weight >= 0.1)) continue;
    const bool left = target.middle > 0 && drawn(target.middle - 1);
    const bool right = drawn(target.middle + 1);
    rail[target.middle] = left && right ? "┳" : left ? "┓" : right ? "┏" : "┃";
    heads[target.middle] = "▼";
  }
  const bool left = from > 0 && drawn(from - 1);
  const bool right = drawn(from + 1);
  const bool itself = heads[from] != " ";
  if (itself) {
    rail[from] = left && right ? "╋" : left ? "┫" : right ? "┣" : "┃";
  } else {
    rail[from] = left && right ? "┻" : left ? "┛" : "┗";
  }

  const auto joined = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (const std::string& cell : cells) line += cell;
    return glyphs(line, ascii);
  };
  const std::string word = glyphs(panel.matrix.rows[arcs.row], ascii);
  const std::string caption = "from " + word;
  const std::size_t half = display_width(caption) / 2;
  return {{{std::string(from > half ? from - half : 0, ' ') + caption, Ink::accent}},
          {{joined(rail), Ink::accent}},
          {{joined(heads), Ink::accent}}};
}

}  // namespace attn
