#pragma once

#include "board/trace.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

// How a number of each op comes about. This is the one place that knows: the "by hand" lines and every face ask here.

/// One number that another was made of: a place in an earlier step.
struct Operand {
  const Step* step = nullptr;
  Index index;
  double value = 0.0;
};

/// One summand: the product of its factors, times a constant that stands in no step.
struct Term {
  std::vector<Operand> factors;
  double constant = 1.0;
  std::string label;  // of the place summed over, where it has one: the word whose value is collected

  [[nodiscard]] double value() const;
};

/// How one number came about. `sum` covers most ops: a dot product is a sum of products, a copy a sum of one term.
struct Working {
  enum class Form {
    given,     // nothing before it
    copy,      // moved here unchanged: terms[0] says from where
    sum,       // terms added up
    mean,      // terms added up, over how many there are
    quotient,  // terms[0] / terms[1]
    function,  // the op's function of terms[0]: exp, log, tanh, relu, gelu, abs
    largest,   // the largest of the terms
    softmax,   // e^terms[chosen] over the sum of e^terms
    hidden,    // -inf, because terms[0] (the mask) is 0
    sinusoid,  // sin or cos of place / 10000^(2i / d_model)
    norm,      // terms[chosen], less the row's mean, over its spread; besides: perhaps scale, perhaps bias
    access,    // of a cache: terms[0] is the address; besides: perhaps the last use of its line, `chosen` others since
    rotation,  // two terms whose constants are a cosine and a sine; besides: the place that gives the angle
  };
  Form form = Form::given;
  const Step* step = nullptr;
  Index index;
  double value = 0.0;
  std::vector<Term> terms;
  std::size_t chosen = 0;             // softmax, norm: which term of the row this number comes from; access: how many
  std::vector<Operand> besides = {};  // operands that are in no term
};

/// How the number at `index` of `step` came about, one level down.
/// Throws std::invalid_argument when the index is not in the step, or its op is not known.
[[nodiscard]] Working work_out(const Trace& trace, const Step& step, const Index& index);

/// What exp, log, tanh, relu, gelu and abs make of a number.
[[nodiscard]] double function_value(const std::string& op, double x);

/// A number as a step of floats holds it: what is too large for one, as e^89 is, is inf.
[[nodiscard]] double as_step_holds(double number);

/// The share of a normal distribution that lies below x, or for the op gelu_tanh what stands in for it: gelu is x times
/// that.
[[nodiscard]] double share_below(const std::string& op, double x);

/// What the operands give by the op, in double: what the number should be, within the rounding of float.
[[nodiscard]] double expected_value(const Working& working);

/// Does the number differ from what its operands give by more than rounding can explain? Then the source that computed
/// it does something else than its origin says: a reader has changed it, or it is wrong.
[[nodiscard]] bool is_something_else(const Working& working);

/// Is this a softmax over nothing but -inf, of which the origin says what it gives (attribute `empty`)?
[[nodiscard]] bool is_empty_row(const Working& working);

/// Softmax the way it is done by hand: the numbers exponentiated, after taking `shift` from each (0, or the largest one
/// where e^x would be too large or too small to write).
[[nodiscard]] double softmax_shift(const Working& working);

}  // namespace attn
