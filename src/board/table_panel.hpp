#pragma once

#include "board/look.hpp"
#include "board/page.hpp"
#include "board/table.hpp"
#include "board/trace.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace attn {

// One step of a table, laid out: its numbers, how they are written, and how wide that makes it.

/// A step as a matrix. A list of numbers is a row, or a column when it stands beside matrices.
struct Matrix {
  const Step* step = nullptr;
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  Index leading = {};     // which matrix of a step of three axes or more
  std::size_t first = 0;  // where its numbers begin

  [[nodiscard]] std::span<const float> values() const {
    return {step->value.values().data() + first, rows.size() * columns.size()};
  }

  [[nodiscard]] double operator()(std::size_t i, std::size_t j) const {
    return static_cast<double>(values()[i * columns.size() + j]);
  }

  /// Of the full numbers, not of those printed.
  [[nodiscard]] double row_sum(std::size_t i) const;
};

/// How the numbers of one step are written: whole numbers whole, all others with the same decimals, exact zeros bare.
/// Rows that were joined from several steps keep what was given as whole numbers whole: a mask between scores stays 0
/// and 1.
class NumberFormat {
 public:
  NumberFormat(const Matrix& matrix, const Trace& trace, std::size_t precision);

  /// A number of row i.
  [[nodiscard]] std::string operator()(double number, std::size_t i) const;
  [[nodiscard]] std::size_t decimals(std::size_t i) const { return decimals_[i]; }

 private:
  std::vector<std::size_t> decimals_;  // of each row
};

/// Whole numbers that were given, such as a mask, or made of such by moving, adding and multiplying; not shares that
/// are 1 by chance.
[[nodiscard]] bool is_whole_by_nature(const Trace& trace, const Step& step);

struct TablePanel {
  Matrix matrix;
  NumberFormat format;
  std::vector<std::size_t> columns;  // those that were asked for
  std::vector<std::size_t> window;   // those that fit, with gaps
  std::size_t number_width = 6;
  std::size_t cell_width = 8;
  std::string heading;
  std::size_t sum_width = 0;  // 0: no column of sums
  double top = 0.0;           // what a full bar stands for; 0: no bars
};

/// What stands over a column: its label, or the name that the lesson gave it.
[[nodiscard]] const std::string& column_name(const Matrix& matrix, const Look& look, std::size_t j);

/// `roomy`: columns of successive tables stand under each other; else as narrow as the numbers allow.
/// Throws std::invalid_argument for a step that is no matrix, and for a column that is not there.
[[nodiscard]] TablePanel make_panel(const TableEntry& entry, const Look& look, const TableContext& context, bool alone,
                                    bool roomy = true);

/// Columns for the cells; the sums come after them.
[[nodiscard]] std::size_t panel_width(const TablePanel& panel);

}  // namespace attn
