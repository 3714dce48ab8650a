// Softmax and its logarithm, and GELU: functions of numbers alone.

#include "tensor/softmax.hpp"
#include "attention/kinds/normalized_rows.hpp"
#include "attention/kinds/onnx_softmax.hpp"
#include "support/cases/operators/operator.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/layout.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace attn {

namespace {

/// What softmax runs over: before opset 13 all axes from `axis` on were one row.
struct Rows {
  std::string step;
  Tensor value;
  int axis = -1;
};

/// Before opset 13.
bool takes_axes_together(const CaseFile& file) {
  return file.integer("opset", 13) < 13;
}

int axis_of(const CaseFile& file) {
  return axis_attribute(file, "x", takes_axes_together(file) ? 1 : -1);
}

CaseCost softmax_cost(const CaseFile& file) {
  Shape rows = shape_of(file, "x");
  const bool flat = takes_axes_together(file);
  const auto at =
      static_cast<std::size_t>(axis_of(file) < 0 ? axis_of(file) + static_cast<int>(rows.size()) : axis_of(file));
  CaseCost cost;
  if (flat) {
    cost.steps(2, rows);  // the results in the shape of x
    Shape two = {1, 1};
    for (std::size_t k = 0; k < rows.size(); ++k) two[k < at ? 0 : 1] *= rows[k];
    rows = two;
    cost.steps(1, rows);
  }
  Shape folded = rows;
  folded[flat ? 1 : at] = 1;
  return cost.steps(4, rows).steps(5, folded);  // shares, shifted, powers, log_shares; the largest, the sum, its log
}

Rows record_rows(CaseSteps& steps) {
  const CaseFile& file = steps.file();
  const Tensor& x = steps.input("x");
  const bool flat = takes_axes_together(file);
  const int axis = axis_of(file);
  if (!flat) return {"x", x, axis};
  const NormalizedRows rows = normalized_rows("softmax", x.shape(), axis);
  const Tensor as_rows = reshape(x, {rows.count, rows.size});
  steps.step("rows", as_rows, reshape("x"), "Before opset 13 all axes from {axis} on are taken together as one row.",
             {{"axis", axis}});
  return {"rows", as_rows, -1};
}

/// The result in the shape of x.
std::string record_result(CaseSteps& steps, const Rows& rows, const std::string& name, const std::string& result,
                          const Tensor& value) {
  if (rows.step == "x") return result;
  steps.moved(name, reshape(value, steps.file().input("x").shape()), reshape(result));
  return name;
}

/// log softmax = x - max - log(sum of e^(x - max)): never a logarithm of a share that has become 0.
std::string record_log_softmax(CaseSteps& steps, const Rows& rows) {
  const Tensor result = log_softmax(rows.value, rows.axis);
  const std::size_t axis = axis_index("log_softmax", rows.value.shape(), rows.axis);
  Shape folded = rows.value.shape();
  folded[axis] = 1;
  if (rows.value.size() == 0) {
    steps.given("log_shares", result, "There are no numbers.");
    return record_result(steps, rows, "log_y", "log_shares", result);
  }
  const Tensor largest = reshape(max(rows.value, rows.axis), folded);
  const Tensor shifted = subtract(rows.value, largest);
  const Tensor powers = exp(shifted);
  const Tensor total = reshape(sum(powers, rows.axis), folded);
  const Tensor log_total = log(total);
  steps.moved("largest_of_row", max(rows.value, rows.axis), max(rows.step, rows.axis));
  steps.moved("largest", largest, reshape("largest_of_row"));
  steps.step("shifted", shifted, subtract(rows.step, "largest"), "The largest of each row is taken off.");
  steps.step("powers", powers, exp("shifted"), "e to the power of that.");
  steps.moved("sum_of_row", sum(powers, rows.axis), sum("powers", rows.axis));
  steps.moved("total", total, reshape("sum_of_row"));
  steps.step("log_total", log_total, log("total"), "Added up along the row; of that the natural logarithm.");
  steps.step("log_shares", result, subtract("shifted", "log_total"),
             "The logarithm of a share: no share is made first, for one that is 0 has no logarithm.");
  return record_result(steps, rows, "log_y", "log_shares", result);
}

std::vector<CaseOutput> softmax_and_log(CaseSteps& steps) {
  const Rows rows = record_rows(steps);
  const Tensor shares = softmax(rows.value, rows.axis);
  const auto last = static_cast<int>(rows.value.rank()) - 1;
  const char* const sentence = "Softmax: e to the power of each number, divided by the sum along the axis.";
  if (rows.axis == -1 || rows.axis == last) {
    steps.weights("shares", shares, softmax(rows.step, rows.axis), sentence);
  } else {
    steps.step("shares", shares, softmax(rows.step, rows.axis), sentence);
  }
  const std::string y = record_result(steps, rows, "y", "shares", shares);
  return {{"y", y}, {"log_y", record_log_softmax(steps, rows)}};
}

std::vector<CaseOutput> log_alone(CaseSteps& steps) {
  return {{"y", record_log_softmax(steps, record_rows(steps))}};
}

constexpr const char* exact_form =
    "x times the share of a normal distribution that lies below x, by the error function.";
constexpr const char* tanh_form = "x times nearly the share of a normal distribution that lies below x, by tanh.";

CaseCost gelu_cost(const CaseFile& file) {
  CaseCost cost;
  return cost.steps(1, shape_of(file, "x"));
}

CaseCost both_gelus_cost(const CaseFile& file) {
  CaseCost cost;
  return cost.steps(2, shape_of(file, "x"));
}

std::vector<CaseOutput> gelu_of(CaseSteps& steps) {
  const Tensor& x = steps.input("x");
  const std::string kind = steps.file().word("approximate", "none");
  if (kind != "none" && kind != "tanh") {
    throw std::invalid_argument(fmt::format("Gelu: approximate is {}, and must be none or tanh", kind));
  }
  if (kind == "tanh") {
    steps.step("y", gelu_tanh(x), gelu_tanh("x"), tanh_form);
  } else {
    steps.step("y", gelu(x), gelu("x"), exact_form);
  }
  return {{"y", "y"}};
}

std::vector<CaseOutput> gelu_both(CaseSteps& steps) {
  const Tensor& x = steps.input("x");
  steps.step("erf", gelu(x), gelu("x"), exact_form);
  steps.step("tanh", gelu_tanh(x), gelu_tanh("x"), tanh_form);
  return {{"erf", "erf"}, {"tanh", "tanh"}};
}

}  // namespace

std::vector<Operator> softmax_operators() {
  return {
      {.name = "Softmax",
       .what = "Numbers become shares that add up to 1; the larger a number, the larger its share.",
       .formula = "y = e^x / sum of e^x",
       .source = "ONNX, operator Softmax; PyTorch",
       .needs = {"x"},
       .may_have = {},
       .attributes = {"axis", "opset"},
       .gives = {"y", "log_y"},
       .cost = softmax_cost,
       .compute = softmax_and_log},
      {.name = "LogSoftmax",
       .what = "The logarithms of the shares that softmax makes.",
       .formula = "y = x - log(sum of e^x)",
       .source = "ONNX, operator LogSoftmax",
       .needs = {"x"},
       .may_have = {},
       .attributes = {"axis", "opset"},
       .gives = {"y"},
       .cost = softmax_cost,
       .compute = log_alone},
      {.name = "Gelu",
       .what = "Lets large numbers through, turns small ones off, and is smooth in between.",
       .formula = "y = x Φ(x), Φ(x) = (1 + erf(x / √2)) / 2, or nearly so by tanh",
       .source = "Hendrycks and Gimpel 2016; ONNX, operator Gelu",
       .needs = {"x"},
       .may_have = {},
       .attributes = {"approximate", "opset"},
       .gives = {"y"},
       .cost = gelu_cost,
       .compute = gelu_of},
      {.name = "GeluEdges",
       .what = "GELU in both its forms: by the error function, and by tanh.",
       .formula = "y = x Φ(x), Φ(x) = (1 + erf(x / √2)) / 2, or nearly so by tanh",
       .source = "Hendrycks and Gimpel 2016",
       .needs = {"x"},
       .may_have = {},
       .attributes = {},
       .gives = {"erf", "tanh"},
       .cost = both_gelus_cost,
       .compute = gelu_both},
  };
}

}  // namespace attn
