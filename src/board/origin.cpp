#include "board/origin.hpp"

#include <fmt/core.h>

#include <initializer_list>
#include <stdexcept>
#include <utility>

namespace attn {

Origin Origin::with_rows(std::vector<std::string> labels) const {
  Origin labelled = *this;
  labelled.rows = std::move(labels);
  return labelled;
}

Origin Origin::with_columns(std::vector<std::string> labels) const {
  Origin labelled = *this;
  labelled.columns = std::move(labels);
  return labelled;
}

double Origin::attribute_or(std::string_view name, double otherwise) const {
  for (const Attribute& candidate : attributes) {
    if (candidate.name == name) return candidate.number;
  }
  return otherwise;
}

double Origin::attribute(std::string_view name) const {
  for (const Attribute& candidate : attributes) {
    if (candidate.name == name) return candidate.number;
  }
  throw std::invalid_argument(fmt::format("origin: a step of op {} needs the attribute {}", op, name));
}

namespace {

Origin of(const char* op, std::initializer_list<std::string_view> inputs, std::vector<Attribute> attributes = {}) {
  return {.op = op, .inputs = {inputs.begin(), inputs.end()}, .attributes = std::move(attributes)};
}

Attribute axis_is(int axis) {
  return {.name = "axis", .number = static_cast<double>(axis)};
}

Attribute count(const char* name, std::size_t number) {
  return {.name = name, .number = static_cast<double>(number)};
}

}  // namespace

Origin given() {
  return of("given", {});
}
Origin tokenize(std::vector<std::string> tokens) {
  return of("tokenize", {}).with_rows(std::move(tokens));
}
Origin gather(std::string_view table, std::string_view ids) {
  return of("gather", {table, ids});
}
Origin sinusoid(std::size_t positions, std::size_t d_model) {
  return of("sinusoid", {}, {count("positions", positions), count("d_model", d_model)});
}
Origin sinusoid(std::size_t positions, std::size_t d_model, double base) {
  return of("sinusoid", {}, {count("positions", positions), count("d_model", d_model), {"base", base}});
}

Origin add(std::string_view a, std::string_view b) {
  return of("add", {a, b});
}
Origin subtract(std::string_view a, std::string_view b) {
  return of("subtract", {a, b});
}
Origin multiply(std::string_view a, std::string_view b) {
  return of("multiply", {a, b});
}
Origin divide(std::string_view a, std::string_view b) {
  return of("divide", {a, b});
}
Origin scale(std::string_view a, float factor) {
  return of("scale", {a}, {{"factor", static_cast<double>(factor)}});
}
Origin mask_fill(std::string_view a, std::string_view mask) {
  return of("mask_fill", {a, mask});
}
Origin exp(std::string_view a) {
  return of("exp", {a});
}
Origin log(std::string_view a) {
  return of("log", {a});
}
Origin tanh(std::string_view a) {
  return of("tanh", {a});
}
Origin relu(std::string_view a) {
  return of("relu", {a});
}
Origin gelu(std::string_view a) {
  return of("gelu", {a});
}
Origin gelu_tanh(std::string_view a) {
  return of("gelu_tanh", {a});
}
Origin abs(std::string_view a) {
  return of("abs", {a});
}
Origin dropout(std::string_view a, std::string_view kept, double rate) {
  return of("dropout", {a, kept}, {{"rate", rate}});
}

Origin matmul(std::string_view a, std::string_view b) {
  return of("matmul", {a, b});
}
Origin matmul_transposed(std::string_view a, std::string_view b) {
  return of("matmul_transposed", {a, b});
}
Origin linear(std::string_view x, std::string_view weight) {
  return of("linear", {x, weight});
}
Origin linear(std::string_view x, std::string_view weight, std::string_view bias) {
  return of("linear", {x, weight, bias});
}

Origin softmax(std::string_view a, int axis) {
  return of("softmax", {a}, {axis_is(axis)});
}
Origin softmax(std::string_view a, int axis, const SoftmaxChoices& choices) {
  Origin origin = softmax(a, axis);
  if (choices.empty) origin.attributes.push_back({"empty", *choices.empty});
  if (choices.digits > 0) origin.attributes.push_back(count("digits", choices.digits));
  return origin;
}
Origin sum(std::string_view a, int axis) {
  return of("sum", {a}, {axis_is(axis)});
}
Origin mean(std::string_view a, int axis) {
  return of("mean", {a}, {axis_is(axis)});
}
Origin max(std::string_view a, int axis) {
  return of("max", {a}, {axis_is(axis)});
}
Origin layer_norm(std::string_view x, double epsilon, int axis) {
  return of("layer_norm", {x}, {axis_is(axis), {"epsilon", epsilon}});
}
Origin layer_norm(std::string_view x, std::string_view scale, double epsilon, int axis) {
  return of("layer_norm", {x, scale}, {axis_is(axis), {"epsilon", epsilon}});
}
Origin layer_norm(std::string_view x, std::string_view scale, std::string_view bias, double epsilon, int axis) {
  return of("layer_norm", {x, scale, bias}, {axis_is(axis), {"epsilon", epsilon}});
}
Origin rms_norm(std::string_view x, double epsilon, int axis) {
  return of("rms_norm", {x}, {axis_is(axis), {"epsilon", epsilon}});
}
Origin rms_norm(std::string_view x, std::string_view scale, double epsilon, int axis) {
  return of("rms_norm", {x, scale}, {axis_is(axis), {"epsilon", epsilon}});
}
Origin rotate(std::string_view x, std::string_view places, const Turning& turning) {
  Origin origin = of("rotate", {x, places}, {{"base", turning.base}, {"interleaved", turning.interleaved ? 1.0 : 0.0}});
  if (turning.rotary_dim != 0) origin.attributes.push_back(count("rotary_dim", turning.rotary_dim));
  return origin;
}

Origin cache_misses(std::string_view addresses, const CacheLayout& cache) {
  return of("cache_misses", {addresses},
            {count("line", cache.line), count("sets", cache.sets), count("places", cache.places)});
}

Origin slice(std::string_view a, int axis, std::size_t start, std::size_t stop) {
  return of("slice", {a}, {axis_is(axis), count("start", start), count("stop", stop)});
}
Origin concat(const std::vector<std::string>& parts, int axis) {
  return {.op = "concat", .inputs = parts, .attributes = {axis_is(axis)}};
}
Origin transpose(std::string_view a) {
  return of("transpose", {a});
}
Origin reshape(std::string_view a) {
  return of("reshape", {a});
}
Origin split_heads(std::string_view x, std::size_t num_heads) {
  return of("split_heads", {x}, {count("num_heads", num_heads)});
}
Origin merge_heads(std::string_view x, std::size_t num_heads) {
  return of("merge_heads", {x}, {count("num_heads", num_heads)});
}
Origin repeat_heads(std::string_view x, std::size_t repeats) {
  return of("repeat_heads", {x}, {count("repeats", repeats)});
}

std::string formula_of(const Origin& origin) {
  const std::vector<std::string>& in = origin.inputs;
  if (origin.op == "given" || origin.op == "tokenize") return "";
  if (origin.op == "gather") return fmt::format("{}[{}]", in[0], in[1]);
  if (origin.op == "sinusoid")
    return fmt::format("sin, cos(pos / {}^(2i / d_model))",
                       static_cast<long long>(origin.attribute_or("base", 10000.0)));
  if (origin.op == "add") return fmt::format("{} + {}", in[0], in[1]);
  if (origin.op == "subtract") return fmt::format("{} - {}", in[0], in[1]);
  if (origin.op == "multiply") return fmt::format("{} * {}", in[0], in[1]);
  if (origin.op == "divide") return fmt::format("{} / {}", in[0], in[1]);
  if (origin.op == "exp") return fmt::format("e^{}", in[0]);
  if (origin.op == "transpose") return fmt::format("{}^T", in[0]);
  if (origin.op == "matmul") return fmt::format("{} {}", in[0], in[1]);
  if (origin.op == "matmul_transposed") return fmt::format("{} {}^T", in[0], in[1]);
  if (origin.op == "linear") {
    return in.size() == 3 ? fmt::format("{} {}^T + {}", in[0], in[1], in[2]) : fmt::format("{} {}^T", in[0], in[1]);
  }
  if (origin.op == "scale") return fmt::format("{} * {}", in[0], static_cast<float>(origin.attribute("factor")));
  if (origin.op == "dropout") {
    return fmt::format("{} * {} / {}", in[0], in[1], static_cast<float>(1.0 - origin.attribute("rate")));
  }
  if (origin.op == "mask_fill") return fmt::format("{} where {} is 1, else -inf", in[0], in[1]);
  std::string arguments;
  for (const std::string& input : in) arguments += (arguments.empty() ? "" : ", ") + input;
  return fmt::format("{}({})", origin.op, arguments);
}

}  // namespace attn
