#include "lessons/checker/ops.hpp"

#include <cmath>
#include <limits>

namespace checker {

namespace {

template <typename Combine>
Expected elementwise(const Array& a, const Array& b, const Combine& combine) {
  Expected expected(broadcast(a.shape, b.shape));
  for (std::size_t k = 0; k < count_of(expected.shape); ++k)
    combine(expected, a.values[partner(k, expected.shape, a.shape)], b.values[partner(k, expected.shape, b.shape)]);
  return expected;
}

template <typename Function>
Expected each(const Array& a, const Function& function) {
  Expected expected(a.shape);
  for (const double x : a.values) {
    const double y = function(x);
    expected.computed(y, std::abs(y));
  }
  return expected;
}

Expected mask_fill(const Array& a, const Array& mask) {
  require_spreads(mask, a);
  return elementwise(a, mask, [](Expected& expected, double x, double keep) {
    require(keep == 0.0 || keep == 1.0, "a mask holds 0 and 1, not {}", keep);
    expected.moved(keep == 0.0 ? -std::numeric_limits<double>::infinity() : x);
  });
}

Expected dropout(const Step& step) {
  const double rate = step.attribute("rate");
  require(rate >= 0.0 && rate < 1.0, "the rate must be from 0 to less than 1, not {}", rate);
  require_spreads(*step.inputs[1], *step.inputs[0]);
  return elementwise(*step.inputs[0], *step.inputs[1], [rate](Expected& expected, double x, double kept) {
    require(kept == 0.0 || kept == 1.0, "the kept mask holds 0 and 1, not {}", kept);
    expected.computed(x * kept / (1.0 - rate), std::abs(x * kept / (1.0 - rate)));
  });
}

double gelu_by_tanh(double x) {
  return 0.5 * x * (1.0 + std::tanh(std::sqrt(2.0 / std::acos(-1.0)) * (x + 0.044715 * std::pow(x, 3))));
}

}  // namespace

const std::map<std::string, std::pair<std::size_t, std::size_t>>& arity() {
  static const std::map<std::string, std::pair<std::size_t, std::size_t>> inputs = {
      {"given", {0, 0}},    {"tokenize", {0, 0}},    {"sinusoid", {0, 0}},     {"gather", {2, 2}},
      {"add", {2, 2}},      {"subtract", {2, 2}},    {"multiply", {2, 2}},     {"matmul", {2, 2}},
      {"linear", {2, 3}},   {"scale", {1, 1}},       {"mask_fill", {2, 2}},    {"matmul_transposed", {2, 2}},
      {"softmax", {1, 1}},  {"split_heads", {1, 1}}, {"merge_heads", {1, 1}},  {"slice", {1, 1}},
      {"concat", {1, 999}}, {"exp", {1, 1}},         {"log", {1, 1}},          {"tanh", {1, 1}},
      {"relu", {1, 1}},     {"abs", {1, 1}},         {"divide", {2, 2}},       {"sum", {1, 1}},
      {"max", {1, 1}},      {"transpose", {1, 1}},   {"reshape", {1, 1}},      {"mean", {1, 1}},
      {"gelu", {1, 1}},     {"gelu_tanh", {1, 1}},   {"layer_norm", {1, 3}},   {"rms_norm", {1, 2}},
      {"dropout", {2, 2}},  {"rotate", {2, 2}},      {"repeat_heads", {1, 1}}, {"cache_misses", {1, 1}},
  };
  return inputs;
}

Expected recompute(const Step& step) {
  const std::string& op = step.op;
  const auto& in = step.inputs;
  if (op == "sinusoid") return sinusoid(step);
  if (op == "gather") return gather(*in[0], *in[1]);
  if (op == "add")
    return elementwise(*in[0], *in[1],
                       [](Expected& e, double x, double y) { e.computed(x + y, std::abs(x) + std::abs(y)); });
  if (op == "subtract")
    return elementwise(*in[0], *in[1],
                       [](Expected& e, double x, double y) { e.computed(x - y, std::abs(x) + std::abs(y)); });
  if (op == "multiply")
    return elementwise(*in[0], *in[1], [](Expected& e, double x, double y) { e.computed(x * y, std::abs(x * y)); });
  if (op == "divide")
    return elementwise(*in[0], *in[1], [](Expected& e, double x, double y) { e.computed(x / y, std::abs(x / y)); });
  if (op == "matmul") return matmul(*in[0], *in[1], false);
  if (op == "matmul_transposed") return matmul(*in[0], *in[1], true);
  if (op == "linear") return linear(step);
  if (op == "scale") return each(*in[0], [factor = step.attribute("factor")](double x) { return x * factor; });
  if (op == "mask_fill") return mask_fill(*in[0], *in[1]);
  if (op == "softmax") return softmax(step);
  if (op == "split_heads") return split_heads(step);
  if (op == "merge_heads") return merge_heads(step);
  if (op == "slice") return slice(step);
  if (op == "concat") return concat(step);
  if (op == "exp") return each(*in[0], [](double x) { return std::exp(x); });
  if (op == "log") return each(*in[0], [](double x) { return std::log(x); });
  if (op == "tanh") return each(*in[0], [](double x) { return std::tanh(x); });
  if (op == "relu") return each(*in[0], [](double x) { return x > 0.0 ? x : 0.0; });
  if (op == "abs") return each(*in[0], [](double x) { return std::abs(x); });
  if (op == "gelu") return each(*in[0], [](double x) { return 0.5 * x * (1.0 + std::erf(x / std::sqrt(2.0))); });
  if (op == "gelu_tanh") return each(*in[0], gelu_by_tanh);
  if (op == "layer_norm") return normalized(step, /*take_mean_off=*/true);
  if (op == "rms_norm") return normalized(step, /*take_mean_off=*/false);
  if (op == "dropout") return dropout(step);
  if (op == "rotate") return rotate(step);
  if (op == "cache_misses") return cache_misses(step);
  if (op == "repeat_heads") return repeat_heads(step);
  if (op == "sum") return sum(step);
  if (op == "mean") return mean(step);
  if (op == "max") return max(step);
  if (op == "transpose") return transpose(*in[0]);
  if (op == "reshape") return reshape(step);
  throw Problem(fmt::format("how op {} is computed is not known here", op));
}

}  // namespace checker
