#include "lessons/checker/ops.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace checker {

namespace {

/// `fold` makes one number, and the size of what went into it, of all numbers of a line along the axis.
template <typename Fold>
Expected folded(const Step& step, const Fold& fold) {
  const Array& a = *step.inputs[0];
  const std::size_t along = step.axis_in(a);
  const Axis axis(a.shape, along);
  Shape shape = a.shape;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(along));
  Expected expected(shape);
  for (std::size_t o = 0; o < axis.outer; ++o)
    for (std::size_t i = 0; i < axis.inner; ++i) {
      std::vector<double> line;
      for (std::size_t k = 0; k < axis.size; ++k) line.push_back(a.values[axis.at(o, k, i)]);
      fold(expected, line);
    }
  return expected;
}

}  // namespace

Expected softmax(const Step& step) {
  const Array& a = *step.inputs[0];
  const Axis axis(a.shape, step.axis_in(a));
  Expected expected(a.shape);
  // In how many binary digits it was computed, where not in those of a float; each exponent was rounded too.
  const bool few_digits = step.attributes.count("digits") == 1;
  const double rounding = few_digits ? 4.0 * std::exp2(-step.attribute("digits")) : 0.0;
  expected.values.resize(a.values.size());
  expected.slack.resize(a.values.size());
  for (std::size_t o = 0; o < axis.outer; ++o) {
    for (std::size_t i = 0; i < axis.inner; ++i) {
      double largest = -std::numeric_limits<double>::infinity();
      for (std::size_t k = 0; k < axis.size; ++k) largest = std::max(largest, a.values[axis.at(o, k, i)]);
      bool chosen = step.attributes.count("empty") == 1;  // what a row of nothing but -inf gets
      for (std::size_t k = 0; k < axis.size; ++k) chosen = chosen && a.values[axis.at(o, k, i)] == -INFINITY;
      double largest_size = 1.0;
      double sum = 0.0;
      for (std::size_t k = 0; k < axis.size; ++k) {
        const double x = a.values[axis.at(o, k, i)];
        if (std::isfinite(x)) largest_size = std::max(largest_size, std::abs(x) + std::abs(largest));
        sum += std::exp(x - largest);
      }
      for (std::size_t k = 0; k < axis.size; ++k) {
        // All hidden: -inf minus -inf is nan, and so is the share, unless the step says what it should be.
        const double share = chosen ? step.attribute("empty") : std::exp(a.values[axis.at(o, k, i)] - largest) / sum;
        expected.values[axis.at(o, k, i)] = share;
        expected.slack[axis.at(o, k, i)] = 1e-6 + (1e-5 + rounding * largest_size) * share;
      }
    }
  }
  return expected;
}

Expected sum(const Step& step) {
  return folded(step, [](Expected& expected, const std::vector<double>& line) {
    double total = 0.0;
    double size = 0.0;
    for (const double x : line) {
      total += x;
      size += std::abs(x);
    }
    expected.computed(total, size);
  });
}

Expected mean(const Step& step) {
  return folded(step, [](Expected& expected, const std::vector<double>& line) {
    const auto count = static_cast<double>(line.size());
    double total = 0.0;
    double size = 0.0;
    for (const double x : line) {
      total += x;
      size += std::abs(x);
    }
    expected.computed(total / count, size / count);
  });
}

Expected max(const Step& step) {
  return folded(step, [](Expected& expected, const std::vector<double>& line) {
    require(!line.empty(), "nothing is no largest number");
    double largest = line[0];
    for (const double x : line) largest = std::isnan(x) || std::isnan(largest) ? NAN : std::max(largest, x);
    expected.moved(largest);
  });
}

Expected normalized(const Step& step, bool take_mean_off) {
  const Array& x = *step.inputs[0];
  const Array* scale = step.inputs.size() > 1 ? step.inputs[1] : nullptr;
  const Array* bias = step.inputs.size() > 2 ? step.inputs[2] : nullptr;
  if (scale != nullptr) require_spreads(*scale, x);
  if (bias != nullptr) require_spreads(*bias, x);
  const double epsilon = step.attribute("epsilon");
  std::size_t row_size = 1;
  for (std::size_t axis = step.axis_in(x); axis < x.rank(); ++axis) row_size *= x.shape[axis];
  const auto count = static_cast<double>(row_size);

  Expected expected(x.shape);
  for (std::size_t first = 0; first < x.values.size(); first += row_size) {
    double mean = 0.0;
    for (std::size_t k = first; take_mean_off && k < first + row_size; ++k) mean += x.values[k] / count;
    double variance = 0.0;
    for (std::size_t k = first; k < first + row_size; ++k) {
      variance += (x.values[k] - mean) * (x.values[k] - mean) / count;
    }
    const double spread = std::sqrt(as_step_holds(variance) + epsilon);
    for (std::size_t k = first; k < first + row_size; ++k) {
      const double factor = scale != nullptr ? scale->values[partner(k, x.shape, scale->shape)] : 1.0;
      const double summand = bias != nullptr ? bias->values[partner(k, x.shape, bias->shape)] : 0.0;
      const double size = (std::abs(x.values[k]) + std::abs(mean)) / spread;
      expected.computed(as_step_holds(x.values[k] - mean) / spread * factor + summand,
                        size * std::abs(factor) + std::abs(summand));
    }
  }
  return expected;
}

}  // namespace checker
