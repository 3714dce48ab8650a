// Masks, and the slopes of linear biases: tables that follow from a size alone.

#include "attention/kinds/alibi.hpp"
#include "attention/mask.hpp"
#include "support/cases/operators/masks_of_case.hpp"
#include "support/cases/operators/operator.hpp"

#include <cstddef>
#include <vector>

namespace attn {

namespace {

/// So many tables of the mask's size.
CaseCost mask_cost(const CaseFile& file, double tables) {
  const std::size_t size = size_attribute(file, "size", 0);
  CaseCost cost;
  return cost.steps(tables, {size, size});
}

CaseCost causal_cost(const CaseFile& file) {
  return mask_cost(file, 3);
}

std::vector<CaseOutput> causal(CaseSteps& steps) {
  const std::size_t size = size_attribute(steps.file(), "size", 0);
  const Tensor mask = causal_mask(size);
  steps.given("mask", mask,
              "1 where the query of the row may see the key of the column: itself, and what came before.");
  const Tensor zeros({size, size});
  steps.moved("zeros", zeros, given());
  steps.step("additive", additive_mask(mask), mask_fill("zeros", "mask"),
             "The same mask in the form that is added to scores: 0 keeps, -inf hides.");
  return {{"mask", "mask"}, {"additive", "additive"}};
}

CaseCost window_cost(const CaseFile& file) {
  return mask_cost(file, 1);
}

std::vector<CaseOutput> window(CaseSteps& steps) {
  const Tensor mask = window_of_case(steps.file(), size_attribute(steps.file(), "size", 0));
  steps.given("mask", mask, "1 where the query of the row may see the key of the column.");
  return {{"mask", "mask"}};
}

CaseCost slopes_cost(const CaseFile& file) {
  CaseCost cost;
  return cost.steps(1, {size_attribute(file, "num_heads")});
}

std::vector<CaseOutput> slopes(CaseSteps& steps) {
  const std::size_t heads = size_attribute(steps.file(), "num_heads");
  steps.given("slopes", alibi_slopes(heads),
              "For other numbers of heads: those of the power of two below, then every second one of the power above.");
  return {{"slopes", "slopes"}};
}

}  // namespace

std::vector<Operator> mask_operators() {
  return {
      {.name = "CausalMask",
       .what = "Who may look at whom when nobody may look ahead.",
       .formula = "mask[i, j] = 1 where j ≤ i, else 0",
       .source = "Vaswani et al. 2017, 3.2.3",
       .needs = {},
       .may_have = {},
       .attributes = {"size"},
       .gives = {"mask", "additive"},
       .cost = causal_cost,
       .compute = causal},
      {.name = "SlidingWindowMask",
       .what = "Who may look at whom when each sees its neighbourhood only.",
       .formula = "causal: 0 ≤ i - j < window; else |i - j| ≤ window",
       .source = "Beltagy et al. 2020, section 3.1",
       .needs = {},
       .may_have = {},
       .attributes = {"size", "window", "causal"},
       .gives = {"mask"},
       .cost = window_cost,
       .compute = window},
      {.name = "AlibiSlopes",
       .what = "How strongly each head of attention with linear biases dislikes distance.",
       .formula = "slope_h = 2^(-8 h / n), h = 1, 2, .. n; n a power of two",
       .source = "Press et al. 2022, section 3",
       .needs = {},
       .may_have = {},
       .attributes = {"num_heads"},
       .gives = {"slopes"},
       .cost = slopes_cost,
       .compute = slopes},
  };
}

}  // namespace attn
