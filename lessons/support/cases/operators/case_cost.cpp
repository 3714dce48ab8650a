#include "support/cases/operators/case_cost.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace attn {

namespace {

double count_of(const Shape& shape) {
  double count = 1.0;
  for (const std::size_t size : shape) count *= static_cast<double>(size);
  return count;
}

/// The trace has one for each row and each column of a matrix. What splits and joins axes changes which ones these are,
/// so all axes are counted.
double labels_of(const Shape& shape) {
  double labels = 0.0;
  for (const std::size_t size : shape) labels += static_cast<double>(size);
  return labels;
}

}  // namespace

CaseCost& CaseCost::steps(double count, const Shape& shape) {
  numbers += count * count_of(shape);
  labels += count * labels_of(shape);
  const double size = count_of(shape) + labels_of(shape);
  if (count > 0.0 && size > largest_size) {
    largest = shape;
    largest_size = size;
  }
  return *this;
}

CaseCost& CaseCost::product(const Shape& shape, std::size_t inner) {
  products += count_of(shape) * static_cast<double>(inner);
  return steps(1, shape);
}

CaseCost& CaseCost::operator+=(const CaseCost& other) {
  numbers += other.numbers;
  labels += other.labels;
  products += other.products;
  if (other.largest_size > largest_size) {
    largest = other.largest;
    largest_size = other.largest_size;
  }
  return *this;
}

CaseCost inputs_cost(const CaseFile& file) {
  CaseCost cost;
  for (const auto& [name, value] : file.inputs) cost.steps(1, value.shape());
  return cost;
}

void require_affordable(const std::string& op, const CaseCost& cost) {
  const auto refuse_above = [&](double most, double amount, const char* what) {
    if (amount <= most) return;
    throw std::invalid_argument(
        fmt::format("{}: all steps together would take {:.0f} {} (the largest step is {}), and may take {:.0f}: give "
                    "smaller sizes",
                    op, amount, what, to_string(cost.largest), most));
  };
  refuse_above(most_step_numbers, cost.numbers, "numbers");
  refuse_above(most_labels, cost.labels, "labels of rows and columns");
  refuse_above(most_products, cost.products, "multiplications");
}

Shape shape_of(const CaseFile& file, const std::string& input) {
  return file.has_input(input) ? file.input(input).shape() : Shape{};
}

std::size_t size_at(const Shape& shape, int axis) {
  const auto rank = static_cast<int>(shape.size());
  const int at = axis < 0 ? axis + rank : axis;
  return at < 0 || at >= rank ? 1 : shape[static_cast<std::size_t>(at)];
}

Shape matrices(const Shape& leading, std::size_t rows, std::size_t columns) {
  Shape shape(leading.begin(), leading.size() < 2 ? leading.begin() : leading.end() - 2);
  shape.insert(shape.end(), {rows, columns});
  return shape;
}

Shape with_last(Shape shape, std::size_t last) {
  if (shape.empty()) return {last};
  shape.back() = last;
  return shape;
}

Shape and_last(Shape shape, std::size_t last) {
  shape.push_back(last);
  return shape;
}

Shape heads_apart(const Shape& shape, std::size_t num_heads) {
  const std::size_t heads = std::max<std::size_t>(num_heads, 1);
  Shape apart = matrices(shape, size_at(shape, -2), (size_at(shape, -1) + heads - 1) / heads);
  apart.insert(apart.end() - 2, heads);
  return apart;
}

Shape larger(const Shape& a, const Shape& b) {
  Shape result = a.size() >= b.size() ? a : b;
  const Shape& other = a.size() >= b.size() ? b : a;
  const std::size_t missing = result.size() - other.size();
  for (std::size_t axis = 0; axis < other.size(); ++axis) {
    result[missing + axis] = std::max(result[missing + axis], other[axis]);
  }
  return result;
}

}  // namespace attn
