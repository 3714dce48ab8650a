#include "support/cases/operators/record_norm.hpp"

#include "board/origin.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/rearrange.hpp"

#include <cstddef>

namespace attn {

namespace {

/// The mean of each row of step `x` as a step: one number per row, in the shape of `means`.
void record_row_means(CaseSteps& steps, const std::string& x, const Tensor& means, const std::string& name,
                      const char* sentence) {
  const Tensor& value = steps.board().trace().step(x).value;
  const std::size_t rows = means.size();
  steps.moved(name + "_rows", reshape(value, {rows, rows == 0 ? 0 : value.size() / rows}), reshape(x));
  steps.moved(name + "_list", reshape(means, {rows}), mean(name + "_rows", -1));
  steps.step(name, means, reshape(name + "_list"), sentence);
}

/// 1 / √(x + epsilon), which is e^(-ln(x + epsilon) / 2).
void record_inverse_root(CaseSteps& steps, const std::string& x, const Tensor& inverse, double epsilon,
                         const std::string& prefix, const std::string& name) {
  const Tensor& value = steps.board().trace().step(x).value;
  const Tensor small({}, static_cast<float>(epsilon));
  const Tensor safe = add(value, small);
  const Tensor logarithm = log(safe);
  const std::string named_safe = prefix + "with_epsilon";
  const std::string named_log = prefix + "log";
  const std::string named_half = prefix + "minus_half_log";
  steps.moved(prefix + "epsilon", small, given());
  steps.moved(named_safe, safe, add(x, prefix + "epsilon"));
  steps.moved(named_log, logarithm, log(named_safe));
  steps.moved(named_half, scale(logarithm, -0.5F), scale(named_log, -0.5F));
  steps.step(name, inverse, exp(named_half),
             "1 divided by the root of that and epsilon ({epsilon}); the trace has it as e^(-ln(..) / 2).",
             {{"epsilon", Value::difference(epsilon)}});
}

std::string record_scaled(CaseSteps& steps, const std::string& normalized, const std::string& factor,
                          const std::string& bias, const Tensor& output, const std::string& prefix) {
  std::string name = prefix + "output";
  if (bias.empty()) {
    steps.step(name, output, multiply(normalized, factor), "Each channel times its learned factor.");
    return name;
  }
  const Tensor product =
      multiply(steps.board().trace().step(normalized).value, steps.board().trace().step(factor).value);
  steps.moved(prefix + "product", product, multiply(normalized, factor));
  steps.step(name, output, add(prefix + "product", bias), "Each channel times its learned factor, and its bias added.");
  return name;
}

}  // namespace

std::string record_layer_norm(CaseSteps& steps, const std::string& x, const std::string& factor,
                              const std::string& bias, const LayerNormSteps& all, double epsilon,
                              const std::string& prefix) {
  const auto named = [&](const char* name) { return prefix + name; };
  record_row_means(steps, x, all.mean, named("mean"), "The mean of each row.");
  steps.step(named("centered"), all.centered, subtract(x, named("mean")), "The mean is taken off.");
  steps.moved(named("squares"), multiply(all.centered, all.centered), multiply(named("centered"), named("centered")));
  record_row_means(steps, named("squares"), all.variance, named("variance"),
                   "The variance of each row: the mean of the squares.");
  record_inverse_root(steps, named("variance"), all.inverse_std, epsilon, prefix, named("inverse_std"));
  steps.step(named("normalized"), all.normalized, multiply(named("centered"), named("inverse_std")),
             "Each row is divided by its spread.");
  return record_scaled(steps, named("normalized"), factor, bias, all.output, prefix);
}

std::string record_rms_norm(CaseSteps& steps, const std::string& x, const std::string& factor, const RmsNormSteps& all,
                            double epsilon, const std::string& prefix) {
  const auto named = [&](const char* name) { return prefix + name; };
  const Tensor& value = steps.board().trace().step(x).value;
  steps.moved(named("squares"), multiply(value, value), multiply(x, x));
  record_row_means(steps, named("squares"), all.mean_square, named("mean_square"), "The mean of each row's squares.");
  record_inverse_root(steps, named("mean_square"), all.inverse_rms, epsilon, prefix, named("inverse_rms"));
  steps.step(named("normalized"), all.normalized, multiply(x, named("inverse_rms")),
             "Each row is divided by its size.");
  return record_scaled(steps, named("normalized"), factor, "", all.output, prefix);
}

CaseCost norm_cost(const Shape& x, long long axis) {
  const long long first = axis < 0 ? axis + static_cast<long long>(x.size()) : axis;
  Shape statistics = x;
  Shape rows = {1, 1};
  for (std::size_t k = 0; k < x.size(); ++k) {
    const bool is_folded = static_cast<long long>(k) >= first;
    rows[is_folded ? 1 : 0] *= x[k];
    if (is_folded) statistics[k] = 1;
  }
  CaseCost cost;
  cost.steps(2, rows).steps(5, x);  // x and the squares as rows; centered, squares, normalized, product, output
  return cost.steps(6, statistics).steps(2, {rows[0]}).steps(1, {});  // from the mean to the inverse of the spread
}

}  // namespace attn
