#include "board/table_panel.hpp"

#include "board/digits.hpp"
#include "board/ink.hpp"
#include "board/window.hpp"
#include "text/unicode.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace attn {

namespace {

/// One matrix of a step of three axes or more.
Matrix one_of_many(const Step& step, const Index& leading) {
  const Shape& shape = step.value.shape();
  Matrix matrix{&step, step.rows, step.columns, leading};
  for (std::size_t axis = 0; axis < leading.size(); ++axis) {
    if (leading[axis] >= shape[axis]) {
      throw std::invalid_argument(
          fmt::format("table: {} is {}, and has no matrix {}", step.name, to_string(shape), to_string(leading)));
    }
    matrix.first = matrix.first * shape[axis] + leading[axis];
  }
  matrix.first *= step.rows.size() * step.columns.size();
  return matrix;
}

Matrix as_matrix(const Step& step, const TableEntry& entry, const std::string& heading, bool alone) {
  if (step.value.rank() == 2) return {&step, step.rows, step.columns};
  if (step.value.rank() > 2 && entry.matrix.size() + 2 == step.value.rank()) return one_of_many(step, entry.matrix);
  if (step.value.rank() == 1 && !alone) return {&step, step.rows, {heading}};
  if (step.value.rank() == 1) return {&step, {""}, step.rows};
  if (step.value.rank() == 0) return {&step, {""}, {""}};
  throw std::invalid_argument(fmt::format("table: {} is {}: a page shows matrices, so slice one out of it", step.name,
                                          to_string(step.value.shape())));
}

bool is_whole(float number) {
  return !std::isfinite(number) || (number == std::floor(number) && std::abs(number) < exponent_from);
}

bool all_whole(std::span<const float> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), is_whole);
}

/// Numbers that were typed in, or made of such by moving, adding and multiplying. Others may be whole by chance.
bool is_given(const Trace& trace, const Step& step) {
  const std::string& op = step.origin.op;
  if (op == "given") return true;
  if (op == "gather") return is_given(trace, trace.step(step.origin.inputs[0]));
  const bool keeps =
      op == "slice" || op == "reshape" || op == "concat" || op == "add" || op == "subtract" || op == "multiply";
  return keeps && std::all_of(step.origin.inputs.begin(), step.origin.inputs.end(),
                              [&](const std::string& name) { return is_given(trace, trace.step(name)); });
}

/// Of the numbers in these columns. Those between two that were looked at are no wider, unless the decimals change or
/// an exponent is written.
std::size_t widest_number(const Matrix& matrix, const NumberFormat& format, const std::vector<std::size_t>& columns) {
  std::size_t widest = 0;
  double low = 0.0;
  double high = 0.0;
  for (std::size_t i = 0; i < matrix.rows.size(); ++i) {
    if (i > 0 && format.decimals(i) != format.decimals(i - 1)) low = high = 0.0;
    for (const std::size_t j : columns) {
      const double number = matrix(i, j);
      if (low <= number && number <= high) continue;
      widest = std::max(widest, format(number, i).size());
      if (std::abs(number) < exponent_from) (number < 0.0 ? low : high) = number;
    }
  }
  return widest;
}

double largest_finite(const Matrix& matrix) {
  double largest = 0.0;
  for (const float value : matrix.values()) {
    if (std::isfinite(value)) largest = std::max(largest, static_cast<double>(value));
  }
  return largest;
}

}  // namespace

bool is_whole_by_nature(const Trace& trace, const Step& step) {
  return all_whole(step.value.values()) && is_given(trace, step);
}

double Matrix::row_sum(std::size_t i) const {
  double sum = 0.0;
  for (std::size_t j = 0; j < columns.size(); ++j) sum += (*this)(i, j);
  return sum;
}

NumberFormat::NumberFormat(const Matrix& matrix, const Trace& trace, std::size_t precision)
    : decimals_(matrix.rows.size(), all_whole(matrix.values()) ? 0 : precision) {
  const Step& step = *matrix.step;
  if (step.origin.op != "concat" || step.value.rank() != 2) return;
  if (const double axis = step.origin.attribute("axis"); axis != 0.0 && axis != -2.0) return;
  std::size_t i = 0;
  for (const std::string& name : step.origin.inputs) {
    const Step& part = trace.step(name);
    const bool whole = is_whole_by_nature(trace, part);
    for (const std::size_t end = i + part.value.dim(0); i < end; ++i) {
      if (whole) decimals_[i] = 0;
    }
  }
}

std::string NumberFormat::operator()(double number, std::size_t i) const {
  return number == 0.0 ? "0" : fixed(number, decimals_[i]);
}

const std::string& column_name(const Matrix& matrix, const Look& look, std::size_t j) {
  return j < look.names.size() ? look.names[j] : matrix.columns[j];
}

TablePanel make_panel(const TableEntry& entry, const Look& look, const TableContext& context, bool alone, bool roomy) {
  const Matrix matrix = as_matrix(context.trace->step(entry.step), entry, entry.heading, alone);
  TablePanel panel{.matrix = matrix,
                   .format = NumberFormat(matrix, *context.trace, context.style.precision),
                   .columns = !entry.columns.empty() ? entry.columns : look.columns,
                   .window = {},
                   .heading = matrix.step->value.rank() == 2 ? glyphs(entry.heading, context.style.ascii) : ""};
  if (panel.columns.empty()) panel.columns = counted(matrix.columns.size());
  for (const std::size_t j : panel.columns) {
    if (j < matrix.columns.size()) continue;
    throw std::invalid_argument(fmt::format("table: {} has {} columns, so there is no column {}: columns count from 0",
                                            entry.step, matrix.columns.size(), j));
  }
  panel.number_width = roomy ? 6 : 4;
  if (look.shaded) panel.top = matrix.step->origin.op == "softmax" ? 1.0 : largest_finite(matrix);
  if (look.shaded && look.top > 0.0) panel.top = look.top;
  panel.number_width = std::max(panel.number_width, widest_number(matrix, panel.format, panel.columns));
  for (const std::size_t j : panel.columns) {
    const std::string label = glyphs(column_name(matrix, look, j), context.style.ascii);
    panel.number_width = std::max(panel.number_width, std::min<std::size_t>(display_width(label), roomy ? 9 : 6));
  }
  for (std::size_t i = 0; look.row_sums && i < matrix.rows.size(); ++i) {
    panel.sum_width =
        std::max<std::size_t>({8, panel.sum_width, display_width(panel.format(matrix.row_sum(i), i)) + 2});
  }
  panel.cell_width = panel.number_width + (look.shaded ? 2 : 1);
  panel.window = panel.columns;
  return panel;
}

std::size_t panel_width(const TablePanel& panel) {
  return panel.columns.size() * panel.cell_width;
}

}  // namespace attn
