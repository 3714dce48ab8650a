#include "board/arithmetic.hpp"

#include "tensor/layout.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

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

/// Where an element lies in the row-major list; index_at is the way back.
std::size_t offset_of(const Shape& shape, const Index& index) {
  std::size_t offset = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) offset = offset * shape[axis] + index[axis];
  return offset;
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

// One function per family of ops: each fills in the form and the terms of the number at working.index.

using Inputs = std::vector<const Step*>;

Operand elementwise(const Working& working, const Step& input) {
  return operand(input, broadcast_index(working.index, input.value.shape()));
}

void given_number(Working& working, const Inputs&) {
  working.form = Working::Form::given;
}

void sinusoid_number(Working& working, const Inputs&) {
  working.form = Working::Form::sinusoid;
}

/// Ops that only move numbers say where each came from.
void copied(Working& working, Operand source) {
  working.form = Working::Form::copy;
  working.terms = {{.factors = {std::move(source)}, .label = {}}};
}

void gathered(Working& working, const Inputs& in) {
  const Index& index = working.index;
  const auto id = static_cast<std::size_t>(in[1]->value.at({index.begin(), index.end() - 1}));
  copied(working, operand(*in[0], {id, index.back()}));
}

void sliced(Working& working, const Inputs& in) {
  Index from = working.index;
  from[axis_of(*working.step, from.size())] += static_cast<std::size_t>(working.step->origin.attribute("start"));
  copied(working, operand(*in[0], std::move(from)));
}

void joined(Working& working, const Inputs& in) {
  copied(working, joined_operand(*working.step, in, working.index));
}

void transposed(Working& working, const Inputs& in) {
  Index from = working.index;
  std::swap(from[from.size() - 2], from[from.size() - 1]);
  copied(working, operand(*in[0], std::move(from)));
}

void reshaped(Working& working, const Inputs& in) {
  const std::size_t place = offset_of(working.step->value.shape(), working.index);
  copied(working, operand(*in[0], index_at(in[0]->value.shape(), place)));
}

/// [.., h, i, d] comes from [.., i, h * head_dim + d].
void split(Working& working, const Inputs& in) {
  const std::size_t head_dim = working.step->value.dim(-1);
  Index from(working.index.begin(), working.index.end() - 3);
  const std::size_t h = working.index[from.size()];
  from.push_back(working.index[from.size() + 1]);
  from.push_back(h * head_dim + working.index.back());
  copied(working, operand(*in[0], std::move(from)));
}

/// [.., i, c] comes from [.., c / head_dim, i, c % head_dim].
void merged(Working& working, const Inputs& in) {
  const std::size_t head_dim = in[0]->value.dim(-1);
  Index from(working.index.begin(), working.index.end() - 2);
  const std::size_t c = working.index.back();
  from.push_back(c / head_dim);
  from.push_back(working.index[working.index.size() - 2]);
  from.push_back(c % head_dim);
  copied(working, operand(*in[0], std::move(from)));
}

void masked(Working& working, const Inputs& in) {
  const Operand mask = elementwise(working, *in[1]);
  if (mask.value != 0.0) return copied(working, operand(*in[0], working.index));
  working.form = Working::Form::hidden;
  working.terms = {{.factors = {mask}, .label = {}}};
}

void added(Working& working, const Inputs& in) {
  working.form = Working::Form::sum;
  const double sign = working.step->origin.op == "subtract" ? -1.0 : 1.0;
  working.terms = {{.factors = {elementwise(working, *in[0])}, .label = in[0]->name},
                   {.factors = {elementwise(working, *in[1])}, .constant = sign, .label = in[1]->name}};
}

void multiplied(Working& working, const Inputs& in) {
  working.form = Working::Form::sum;
  working.terms = {{.factors = {elementwise(working, *in[0]), elementwise(working, *in[1])}, .label = {}}};
}

void divided(Working& working, const Inputs& in) {
  working.form = Working::Form::quotient;
  working.terms = {{.factors = {elementwise(working, *in[0])}, .label = {}},
                   {.factors = {elementwise(working, *in[1])}, .label = {}}};
}

void scaled(Working& working, const Inputs& in) {
  working.form = Working::Form::sum;
  working.terms = {
      {.factors = {operand(*in[0], working.index)}, .constant = working.step->origin.attribute("factor"), .label = {}}};
}

void product_summed(Working& working, const Inputs& in) {
  working.form = Working::Form::sum;
  working.terms = dot_product(*in[0], *in[1], working.index, working.step->origin.op == "matmul_transposed");
}

void linear_summed(Working& working, const Inputs& in) {
  working.form = Working::Form::sum;
  working.terms = linear_terms(in, working.index);
}

void function_of_one(Working& working, const Inputs& in) {
  working.form = Working::Form::function;
  working.terms = {{.factors = {operand(*in[0], working.index)}, .label = {}}};
}

/// The numbers along one axis of the input; `index` is a place on that line.
std::vector<Term> line_of_terms(const Step& input, Index index, std::size_t axis) {
  const bool last = axis + 1 == index.size() && index.size() > 1;
  const bool labelled = last || axis + 2 == index.size() || index.size() == 1;
  std::vector<Term> terms;
  for (std::size_t j = 0; j < input.value.shape()[axis]; ++j) {
    index[axis] = j;
    const std::string label = !labelled ? std::to_string(j) : last ? input.columns[j] : input.rows[j];
    terms.push_back({.factors = {operand(input, index)}, .label = label});
  }
  return terms;
}

/// sum and max: the axis that they fold is gone from the result.
void folded(Working& working, const Inputs& in) {
  const std::size_t axis = axis_of(*working.step, in[0]->value.rank());
  Index line = working.index;
  line.insert(line.begin() + static_cast<std::ptrdiff_t>(axis), 0);
  working.form = working.step->origin.op == "sum" ? Working::Form::sum : Working::Form::largest;
  working.terms = line_of_terms(*in[0], std::move(line), axis);
}

void softmaxed(Working& working, const Inputs& in) {
  const std::size_t axis = axis_of(*working.step, working.index.size());
  working.form = Working::Form::softmax;
  working.chosen = working.index[axis];
  working.terms = line_of_terms(*in[0], working.index, axis);
}

struct Op {
  const char* name;
  void (*work_out)(Working& working, const Inputs& in);
};

constexpr Op ops[] = {
    {"given", given_number},   {"tokenize", given_number}, {"sinusoid", sinusoid_number},
    {"gather", gathered},      {"slice", sliced},          {"concat", joined},
    {"transpose", transposed}, {"reshape", reshaped},      {"split_heads", split},
    {"merge_heads", merged},   {"mask_fill", masked},      {"add", added},
    {"subtract", added},       {"multiply", multiplied},   {"divide", divided},
    {"scale", scaled},         {"matmul", product_summed}, {"matmul_transposed", product_summed},
    {"linear", linear_summed}, {"exp", function_of_one},   {"tanh", function_of_one},
    {"relu", function_of_one}, {"abs", function_of_one},   {"sum", folded},
    {"max", folded},           {"softmax", softmaxed},
};

}  // namespace

double Term::value() const {
  double product = constant;
  for (const Operand& factor : factors) product *= factor.value;
  return product;
}

Working work_out(const Trace& trace, const Step& step, const Index& index) {
  Inputs in;
  for (const std::string& name : step.origin.inputs) in.push_back(&trace.step(name));
  Working working{.step = &step, .index = index, .value = static_cast<double>(step.value.at(index)), .terms = {}};
  for (const Op& op : ops) {
    if (step.origin.op != op.name) continue;
    op.work_out(working, in);
    return working;
  }
  throw std::invalid_argument(
      fmt::format("arithmetic: how op {} of step {} comes about is not known", step.origin.op, step.name));
}

double softmax_shift(const Working& working) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const Term& term : working.terms) largest = std::max(largest, term.value());
  const bool writable = largest > -4.0 && largest < 9.0;  // e^-4 = 0.02, e^9 = 8103
  return writable || !std::isfinite(largest) ? 0.0 : largest;
}

namespace {

double sinusoid_value(const Working& working) {
  const auto channel = working.index[1];
  const double even = static_cast<double>(channel - channel % 2);
  const double base = working.step->origin.attribute_or("base", 10000.0);
  const double angle =
      static_cast<double>(working.index[0]) / std::pow(base, even / working.step->origin.attribute("d_model"));
  return channel % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

double softmax_value(const Working& working) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const Term& term : working.terms) largest = std::max(largest, term.value());
  double sum = 0.0;
  for (const Term& term : working.terms) sum += std::exp(term.value() - largest);
  return std::exp(working.terms[working.chosen].value() - largest) / sum;
}

}  // namespace

double function_value(const std::string& op, double x) {
  if (op == "exp") {
    // The step holds floats: e^89 is too large for one, and is inf.
    const double power = std::exp(x);
    return power > static_cast<double>(std::numeric_limits<float>::max()) ? std::numeric_limits<double>::infinity()
                                                                          : power;
  }
  if (op == "tanh") return std::tanh(x);
  if (op == "abs") return std::abs(x);
  return std::isnan(x) ? x : std::max(x, 0.0);  // relu
}

double expected_value(const Working& working) {
  switch (working.form) {
    case Working::Form::given:
      return working.value;
    case Working::Form::copy:
      return working.terms[0].value();
    case Working::Form::hidden:
      return -std::numeric_limits<double>::infinity();
    case Working::Form::sinusoid:
      return sinusoid_value(working);
    case Working::Form::softmax:
      return softmax_value(working);
    case Working::Form::quotient:
      return working.terms[0].value() / working.terms[1].value();
    case Working::Form::function:
      return function_value(working.step->origin.op, working.terms[0].value());
    case Working::Form::largest: {
      double largest = -std::numeric_limits<double>::infinity();
      for (const Term& term : working.terms) {
        if (std::isnan(term.value())) return term.value();
        largest = std::max(largest, term.value());
      }
      return largest;
    }
    case Working::Form::sum:
      break;
  }
  double sum = 0.0;
  for (const Term& term : working.terms) sum += term.value();
  return sum;
}

bool is_something_else(const Working& working) {
  const double expected = expected_value(working);
  if (std::isnan(expected) || std::isnan(working.value)) return std::isnan(expected) != std::isnan(working.value);
  if (std::isinf(expected) || std::isinf(working.value)) return expected != working.value;
  double magnitude = std::abs(expected);
  if (working.form == Working::Form::sum) {
    for (const Term& term : working.terms) magnitude += std::abs(term.value());
  }
  return std::abs(working.value - expected) > 1e-6 + 1e-5 * magnitude;
}

}  // namespace attn
