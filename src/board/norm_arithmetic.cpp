#include "board/norm_arithmetic.hpp"

#include "tensor/layout.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

namespace attn {

void normalized(Working& working, const Inputs& in) {
  const Step& x = *in[0];
  const std::size_t first = axis_of(*working.step, x.value.rank());
  working.form = Working::Form::norm;

  // All places that share their axes before the first normalized one, in row-major order.
  Shape row;
  for (std::size_t axis = first; axis < x.value.rank(); ++axis) row.push_back(x.value.shape()[axis]);
  const bool one_axis = row.size() == 1;
  const std::vector<std::string>& labels = x.value.rank() < 2 ? x.rows : x.columns;
  for (std::size_t k = 0; k < element_count(row); ++k) {
    const Index within = index_at(row, k);
    Index place(working.index.begin(), working.index.begin() + static_cast<std::ptrdiff_t>(first));
    place.insert(place.end(), within.begin(), within.end());
    if (place == working.index) working.chosen = k;
    const std::string label = one_axis ? labels[k] : std::to_string(k);
    working.terms.push_back({.factors = {operand(x, std::move(place))}, .label = label});
  }
  for (std::size_t k = 1; k < in.size(); ++k) working.besides.push_back(elementwise(working, *in[k]));
}

bool takes_mean_off(const Working& working) {
  return working.step->origin.op == "layer_norm";
}

RowStatistics row_statistics(const Working& working) {
  RowStatistics row;
  const auto count = static_cast<double>(working.terms.size());
  if (takes_mean_off(working)) {
    for (const Term& term : working.terms) row.mean += term.value();
    row.mean /= count;
  }
  for (const Term& term : working.terms) row.variance += (term.value() - row.mean) * (term.value() - row.mean);
  row.variance = as_step_holds(row.variance / count);
  return row;
}

double normalized_value(const Working& working) {
  const RowStatistics row = row_statistics(working);
  const double spread = std::sqrt(row.variance + working.step->origin.attribute("epsilon"));
  const double normalized = as_step_holds(working.terms[working.chosen].value() - row.mean) / spread;
  const double scale = working.besides.empty() ? 1.0 : working.besides[0].value;
  const double bias = working.besides.size() > 1 ? working.besides[1].value : 0.0;
  return normalized * scale + bias;
}

}  // namespace attn
