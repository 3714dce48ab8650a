#include "board/arithmetic.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace attn {

namespace {

Operand operand(const Step& step, Index index) {
  const auto value = static_cast<double>(step.value.at(index));
  return {.step = &step, .index = std::move(index), .value = value};
}

/// The place in a broadcast input that meets `index` of the result: axes count from the right, a size of 1 repeats.
Index broadcast_index(const Index& index, const Shape& shape) {
  Index source(shape.size());
  for (std::size_t k = 0; k < shape.size(); ++k) {
    const std::size_t from_right = shape.size() - 1 - k;
    source[k] = shape[k] == 1 ? 0 : index[index.size() - 1 - from_right];
  }
  return source;
}

/// The same place, with the last two axes as given.
Index matrix_index(const Index& index, const Shape& shape, std::size_t row, std::size_t column) {
  Index batch = index;
  batch[batch.size() - 2] = row;
  batch[batch.size() - 1] = column;
  Index source = broadcast_index(batch, shape);
  source[source.size() - 2] = row;
  source[source.size() - 1] = column;
  return source;
}

std::size_t axis_of(const Step& step, std::size_t rank) {
  const double axis = step.origin.attribute("axis");
  return static_cast<std::size_t>(axis < 0 ? axis + static_cast<double>(rank) : axis);
}

/// sum over k of a[.., i, k] b[.., k, j], or b[.., j, k] when b is transposed.
std::vector<Term> dot_product(const Step& a, const Step& b, const Index& index, bool transposed) {
  const std::size_t i = index[index.size() - 2];
  const std::size_t j = index[index.size() - 1];
  std::vector<Term> terms;
  for (std::size_t k = 0; k < a.value.dim(-1); ++k) {
    Operand left = operand(a, matrix_index(index, a.value.shape(), i, k));
    Operand right = operand(b, transposed ? matrix_index(index, b.value.shape(), j, k)  //
                                          : matrix_index(index, b.value.shape(), k, j));
    terms.push_back({.factors = {std::move(left), std::move(right)}, .label = a.columns[k]});
  }
  return terms;
}

/// sum over k of x[.., k] weight[j, k], then the bias.
std::vector<Term> linear_terms(const std::vector<const Step*>& in, const Index& index) {
  const Step& x = *in[0];
  const Step& weight = *in[1];
  const std::size_t j = index.back();
  std::vector<Term> terms;
  for (std::size_t k = 0; k < weight.value.dim(-1); ++k) {
    Index from = index;
    from.back() = k;
    const std::string& label = x.value.rank() < 2 ? x.rows[k] : x.columns[k];
    terms.push_back({.factors = {operand(x, from), operand(weight, {j, k})}, .label = label});
  }
  if (in.size() == 3) terms.push_back({.factors = {operand(*in[2], {j})}, .label = in[2]->name});
  return terms;
}

/// The place in one of several joined parts.
Operand joined_operand(const Step& step, const std::vector<const Step*>& parts, Index index) {
  const std::size_t axis = axis_of(step, index.size());
  for (const Step* part : parts) {
    const std::size_t size = part->value.shape()[axis];
    if (index[axis] < size) return operand(*part, std::move(index));
    index[axis] -= size;
  }
  throw std::invalid_argument(fmt::format("arithmetic: the parts of {} are shorter than it is", step.name));
}

}  // namespace

double Term::value() const {
  double product = constant;
  for (const Operand& factor : factors) product *= factor.value;
  return product;
}

Working work_out(const Trace& trace, const Step& step, const Index& index) {
  std::vector<const Step*> in;
  for (const std::string& name : step.origin.inputs) in.push_back(&trace.step(name));

  Working working{.step = &step, .index = index, .value = static_cast<double>(step.value.at(index)), .terms = {}};
  const std::string& op = step.origin.op;
  const auto elementwise = [&](const Step& input) {
    return operand(input, broadcast_index(index, input.value.shape()));
  };

  if (op == "given" || op == "tokenize") {
    working.form = Working::Form::given;
  } else if (op == "sinusoid") {
    working.form = Working::Form::sinusoid;
  } else if (op == "gather") {
    const auto id = static_cast<std::size_t>(in[1]->value.at({index.begin(), index.end() - 1}));
    working.form = Working::Form::copy;
    working.terms = {{.factors = {operand(*in[0], {id, index.back()})}, .label = {}}};
  } else if (op == "slice") {
    Index from = index;
    from[axis_of(step, index.size())] += static_cast<std::size_t>(step.origin.attribute("start"));
    working.form = Working::Form::copy;
    working.terms = {{.factors = {operand(*in[0], std::move(from))}, .label = {}}};
  } else if (op == "concat") {
    working.form = Working::Form::copy;
    working.terms = {{.factors = {joined_operand(step, in, index)}, .label = {}}};
  } else if (op == "add" || op == "subtract") {
    working.form = Working::Form::sum;
    working.terms = {{.factors = {elementwise(*in[0])}, .label = in[0]->name},
                     {.factors = {elementwise(*in[1])}, .constant = op == "add" ? 1.0 : -1.0, .label = in[1]->name}};
  } else if (op == "multiply") {
    working.form = Working::Form::sum;
    working.terms = {{.factors = {elementwise(*in[0]), elementwise(*in[1])}, .label = {}}};
  } else if (op == "scale") {
    working.form = Working::Form::sum;
    working.terms = {{.factors = {operand(*in[0], index)}, .constant = step.origin.attribute("factor"), .label = {}}};
  } else if (op == "matmul" || op == "matmul_transposed") {
    working.form = Working::Form::sum;
    working.terms = dot_product(*in[0], *in[1], index, op == "matmul_transposed");
  } else if (op == "linear") {
    working.form = Working::Form::sum;
    working.terms = linear_terms(in, index);
  } else if (op == "mask_fill") {
    const Operand mask = elementwise(*in[1]);
    working.form = mask.value == 0.0 ? Working::Form::hidden : Working::Form::copy;
    working.terms = {{.factors = {mask.value == 0.0 ? mask : operand(*in[0], index)}, .label = {}}};
  } else if (op == "softmax") {
    const std::size_t axis = axis_of(step, index.size());
    const std::vector<std::string>& labels = axis + 1 == index.size() && index.size() > 1 ? step.columns : step.rows;
    working.form = Working::Form::softmax;
    working.chosen = index[axis];
    for (std::size_t j = 0; j < step.value.shape()[axis]; ++j) {
      Index from = index;
      from[axis] = j;
      working.terms.push_back({.factors = {operand(*in[0], std::move(from))}, .label = labels[j]});
    }
  } else {
    throw std::invalid_argument(
        fmt::format("arithmetic: how op {} of step {} comes about is not known", op, step.name));
  }
  return working;
}

double softmax_shift(const Working& working) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const Term& term : working.terms) largest = std::max(largest, term.value());
  const bool writable = largest > -4.0 && largest < 9.0;  // e^-4 = 0.02, e^9 = 8103
  return writable || !std::isfinite(largest) ? 0.0 : largest;
}

}  // namespace attn
