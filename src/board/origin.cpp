#include "board/origin.hpp"

#include <fmt/core.h>

#include <cmath>
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

double Origin::attribute(const std::string& name) const {
  for (const Attribute& candidate : attributes) {
    if (candidate.name == name) return candidate.number;
  }
  throw std::invalid_argument(fmt::format("origin: a step of op {} needs the attribute {}", op, name));
}

Origin given() {
  return {.op = "given"};
}

Origin tokenize(std::vector<std::string> tokens) {
  return {.op = "tokenize", .rows = std::move(tokens)};
}

Origin gather(const std::string& table, const std::string& ids) {
  return {.op = "gather", .inputs = {table, ids}};
}

Origin sinusoid(std::size_t positions, std::size_t d_model) {
  return {.op = "sinusoid",
          .attributes = {{"positions", static_cast<double>(positions)}, {"d_model", static_cast<double>(d_model)}}};
}

Origin add(const std::string& a, const std::string& b) {
  return {.op = "add", .inputs = {a, b}};
}
Origin subtract(const std::string& a, const std::string& b) {
  return {.op = "subtract", .inputs = {a, b}};
}
Origin multiply(const std::string& a, const std::string& b) {
  return {.op = "multiply", .inputs = {a, b}};
}
Origin matmul(const std::string& a, const std::string& b) {
  return {.op = "matmul", .inputs = {a, b}};
}

Origin matmul_transposed(const std::string& a, const std::string& b) {
  return {.op = "matmul_transposed", .inputs = {a, b}};
}

Origin linear(const std::string& x, const std::string& weight) {
  return {.op = "linear", .inputs = {x, weight}};
}

Origin linear(const std::string& x, const std::string& weight, const std::string& bias) {
  return {.op = "linear", .inputs = {x, weight, bias}};
}

Origin scale(const std::string& a, float factor) {
  return {.op = "scale", .inputs = {a}, .attributes = {{"factor", static_cast<double>(factor)}}};
}

Origin mask_fill(const std::string& a, const std::string& mask) {
  return {.op = "mask_fill", .inputs = {a, mask}};
}

Origin softmax(const std::string& a, int axis) {
  return {.op = "softmax", .inputs = {a}, .attributes = {{"axis", static_cast<double>(axis)}}};
}

Origin slice(const std::string& a, int axis, std::size_t start, std::size_t stop) {
  return {.op = "slice",
          .inputs = {a},
          .attributes = {{"axis", static_cast<double>(axis)},
                         {"start", static_cast<double>(start)},
                         {"stop", static_cast<double>(stop)}}};
}

namespace {

Origin along(const char* op, const std::string& a, int axis) {
  return {.op = op, .inputs = {a}, .attributes = {{"axis", static_cast<double>(axis)}}};
}

}  // namespace

Origin divide(const std::string& a, const std::string& b) {
  return {.op = "divide", .inputs = {a, b}};
}

Origin exp(const std::string& a) {
  return {.op = "exp", .inputs = {a}};
}

Origin tanh(const std::string& a) {
  return {.op = "tanh", .inputs = {a}};
}

Origin relu(const std::string& a) {
  return {.op = "relu", .inputs = {a}};
}

Origin abs(const std::string& a) {
  return {.op = "abs", .inputs = {a}};
}

Origin sum(const std::string& a, int axis) {
  return along("sum", a, axis);
}

Origin max(const std::string& a, int axis) {
  return along("max", a, axis);
}

Origin transpose(const std::string& a) {
  return {.op = "transpose", .inputs = {a}};
}

Origin reshape(const std::string& a) {
  return {.op = "reshape", .inputs = {a}};
}

Origin split_heads(const std::string& x, std::size_t num_heads) {
  return {.op = "split_heads", .inputs = {x}, .attributes = {{"num_heads", static_cast<double>(num_heads)}}};
}

Origin merge_heads(const std::string& x, std::size_t num_heads) {
  return {.op = "merge_heads", .inputs = {x}, .attributes = {{"num_heads", static_cast<double>(num_heads)}}};
}

Origin concat(const std::vector<std::string>& parts, int axis) {
  return {.op = "concat", .inputs = parts, .attributes = {{"axis", static_cast<double>(axis)}}};
}

std::string formula_of(const Origin& origin) {
  const std::vector<std::string>& in = origin.inputs;
  if (origin.op == "given" || origin.op == "tokenize") return "";
  if (origin.op == "gather") return fmt::format("{}[{}]", in[0], in[1]);
  if (origin.op == "sinusoid") return "sin, cos(pos / 10000^(2i / d_model))";
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
  if (origin.op == "mask_fill") return fmt::format("{} where {} is 1, else -inf", in[0], in[1]);
  std::string arguments;
  for (const std::string& input : in) arguments += (arguments.empty() ? "" : ", ") + input;
  return fmt::format("{}({})", origin.op, arguments);
}

}  // namespace attn
