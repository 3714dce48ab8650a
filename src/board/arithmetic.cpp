#include "board/arithmetic.hpp"

#include "board/cache_arithmetic.hpp"
#include "board/moved_numbers.hpp"
#include "board/norm_arithmetic.hpp"
#include "board/operands.hpp"
#include "board/turn_arithmetic.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace attn {

namespace {

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

// One function per family of ops: each fills in the form and the terms of the number at working.index.

void given_number(Working& working, const Inputs&) {
  working.form = Working::Form::given;
}

void sinusoid_number(Working& working, const Inputs&) {
  working.form = Working::Form::sinusoid;
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

/// The kept mask is 1 or 0, and what is kept grows by 1 / (1 - rate), so that the sum stays as it was on average.
void dropped_out(Working& working, const Inputs& in) {
  working.form = Working::Form::sum;
  working.terms = {{.factors = {operand(*in[0], working.index), elementwise(working, *in[1])},
                    .constant = 1.0 / (1.0 - working.step->origin.attribute("rate")),
                    .label = {}}};
}

/// sum, mean and max: the axis that they fold is gone from the result.
void folded(Working& working, const Inputs& in) {
  const std::size_t axis = axis_of(*working.step, in[0]->value.rank());
  Index line = working.index;
  line.insert(line.begin() + static_cast<std::ptrdiff_t>(axis), 0);
  const std::string& op = working.step->origin.op;
  working.form = op == "sum" ? Working::Form::sum : op == "mean" ? Working::Form::mean : Working::Form::largest;
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
    {"given", given_number},
    {"tokenize", given_number},
    {"sinusoid", sinusoid_number},
    {"gather", gathered},
    {"slice", sliced},
    {"concat", joined},
    {"transpose", transposed},
    {"reshape", reshaped},
    {"split_heads", split},
    {"merge_heads", merged},
    {"repeat_heads", repeated},
    {"mask_fill", masked},
    {"add", added},
    {"subtract", added},
    {"multiply", multiplied},
    {"divide", divided},
    {"scale", scaled},
    {"dropout", dropped_out},
    {"matmul", product_summed},
    {"matmul_transposed", product_summed},
    {"linear", linear_summed},
    {"exp", function_of_one},
    {"log", function_of_one},
    {"tanh", function_of_one},
    {"relu", function_of_one},
    {"gelu", function_of_one},
    {"gelu_tanh", function_of_one},
    {"abs", function_of_one},
    {"sum", folded},
    {"mean", folded},
    {"max", folded},
    {"softmax", softmaxed},
    {"layer_norm", normalized},
    {"rms_norm", normalized},
    {"rotate", turned},
    {"cache_misses", accessed},
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

bool is_empty_row(const Working& working) {
  const std::vector<Attribute>& attributes = working.step->origin.attributes;
  const bool has_choice =
      std::any_of(attributes.begin(), attributes.end(), [](const Attribute& one) { return one.name == "empty"; });
  return has_choice && std::all_of(working.terms.begin(), working.terms.end(), [](const Term& term) {
           return term.value() == -std::numeric_limits<double>::infinity();
         });
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
  if (is_empty_row(working)) return working.step->origin.attribute("empty");
  double sum = 0.0;
  for (const Term& term : working.terms) sum += std::exp(term.value() - largest);
  return std::exp(working.terms[working.chosen].value() - largest) / sum;
}

}  // namespace

double share_below(const std::string& op, double x) {
  if (op == "gelu") return 0.5 * std::erfc(-x / std::numbers::sqrt2);
  const double root_of_2_over_pi = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
  return 0.5 * (1.0 + std::tanh(root_of_2_over_pi * (x + 0.044715 * x * x * x)));
}

double as_step_holds(double number) {
  return std::abs(number) > static_cast<double>(std::numeric_limits<float>::max())
             ? std::copysign(std::numeric_limits<double>::infinity(), number)
             : number;
}

double function_value(const std::string& op, double x) {
  if (op == "gelu" || op == "gelu_tanh") return x * share_below(op, x);
  if (op == "log") return std::log(x);
  if (op == "exp") return as_step_holds(std::exp(x));
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
    case Working::Form::norm:
      return normalized_value(working);
    case Working::Form::access:
      return miss_value(working);
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
    case Working::Form::mean:
    case Working::Form::rotation:
      break;
  }
  double sum = 0.0;
  for (const Term& term : working.terms) sum += term.value();
  return as_step_holds(working.form == Working::Form::mean ? sum / static_cast<double>(working.terms.size()) : sum);
}

bool is_something_else(const Working& working) {
  const double expected = expected_value(working);
  if (std::isnan(expected) || std::isnan(working.value)) return std::isnan(expected) != std::isnan(working.value);
  if (std::isinf(expected) || std::isinf(working.value)) return expected != working.value;
  // Sums cancel, so what rounding can explain goes by what was added up.
  double magnitude = std::abs(expected);
  const double digits = working.step->origin.attribute_or("digits", 0.0);
  if (digits > 0.0) {  // rounded to so many binary digits at each step, first of all the exponents
    for (const Term& term : working.terms) magnitude += std::isfinite(term.value()) ? std::abs(term.value()) : 0.0;
    return std::abs(working.value - expected) > 4.0 * std::exp2(-digits) * magnitude;
  }
  switch (working.form) {
    case Working::Form::sum:
    case Working::Form::mean:
    case Working::Form::rotation:
      for (const Term& term : working.terms) magnitude += std::abs(term.value());
      break;
    case Working::Form::norm:
      for (const Operand& scale_or_bias : working.besides) magnitude += std::abs(scale_or_bias.value);
      break;
    default:
      break;
  }
  return std::abs(working.value - expected) > 1e-6 + 1e-5 * magnitude;
}

}  // namespace attn
