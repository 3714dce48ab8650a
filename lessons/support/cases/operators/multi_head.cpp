// Multi-head attention with its learned maps: the module of many tutorials, and PyTorch's own.

#include "attention/multi_head.hpp"
#include "attention/kinds/torch_multihead.hpp"
#include "support/cases/operators/masks_of_case.hpp"
#include "support/cases/operators/operator.hpp"
#include "support/cases/operators/record_attention.hpp"
#include "support/cases/operators/record_moves.hpp"
#include "support/cases/operators/record_torch_multihead.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

namespace {

CaseCost module_cost(const CaseFile& file) {
  const std::size_t num_heads = size_attribute(file, "num_heads");
  const auto projected = [&](const char* input) {
    return with_last(shape_of(file, input), size_at(shape_of(file, fmt::format("{}_linear.weight", input)), 0));
  };
  CaseCost cost;
  for (const char* input : {"query", "key", "value"}) {
    cost.product(projected(input), size_at(shape_of(file, input), -1));
    cost.steps(1, heads_apart(projected(input), num_heads));
  }
  cost.steps(1, shape_of(file, "mask"));  // once more, for every head
  cost += attention_cost(heads_apart(projected("query"), num_heads), heads_apart(projected("key"), num_heads),
                         heads_apart(projected("value"), num_heads), {.kept = file.has_input("mask")});
  const Shape concat = with_last(shape_of(file, "query"), size_at(projected("value"), -1));
  const std::size_t d_model = size_at(shape_of(file, "output_linear.weight"), 0);
  return cost.steps(1, concat).product(with_last(concat, d_model), size_at(concat, -1));
}

std::vector<CaseOutput> module(CaseSteps& steps) {
  const std::size_t num_heads = size_attribute(steps.file(), "num_heads");
  const Tensor& query = steps.input("query");
  const Tensor& key = steps.input("key");
  const Tensor& value = steps.input("value");
  const MultiHeadAttention attention(num_heads, {.W_Q = steps.input("query_linear.weight"),
                                                 .W_K = steps.input("key_linear.weight"),
                                                 .W_V = steps.input("value_linear.weight"),
                                                 .W_O = steps.input("output_linear.weight"),
                                                 .b_O = steps.input("output_linear.bias")});
  const Mask mask = steps.has("mask") ? keep_where(steps.input("mask")) : no_mask();
  const MultiHeadSteps all = attention.forward(query, key, value, mask);

  steps.step("Q", all.Q, linear("query", "query_linear.weight"), "A question for each token of query.");
  steps.step("K", all.K, linear("key", "key_linear.weight"), "What each token of key offers.");
  steps.step("V", all.V, linear("value", "value_linear.weight"), "What each token of value hands over.");
  AttentionOrigins origins{.query = "Q_heads", .key = "K_heads", .value = "V_heads"};
  if (steps.has("mask")) origins.keep = for_every_head(steps, "mask", query.rank());
  steps.moved("Q_heads", split_heads(all.Q, num_heads), split_heads("Q", num_heads));
  steps.moved("K_heads", split_heads(all.K, num_heads), split_heads("K", num_heads));
  steps.moved("V_heads", split_heads(all.V, num_heads), split_heads("V", num_heads));
  const AttentionNames names = record_attention(steps, as_family(all.heads), origins);
  steps.step("concat", all.concat, merge_heads(names.context, num_heads), "The heads' contexts side by side.");
  steps.step("output", all.output, linear("concat", "output_linear.weight", "output_linear.bias"),
             "The output map mixes what the heads found.");
  return {{"attention_weights", names.weights}, {"output", "output"}};
}

CaseCost torch_module_cost(const CaseFile& file) {
  return torch_multihead_cost(file, shape_of(file, "query"), shape_of(file, "key"), shape_of(file, "value"),
                              size_attribute(file, "num_heads"), "");
}

std::vector<CaseOutput> torch_module(CaseSteps& steps) {
  const CaseFile& file = steps.file();
  const std::size_t num_heads = size_attribute(file, "num_heads");
  const Tensor& query = steps.input("query");
  const Tensor& key = steps.input("key");
  const Tensor& value = steps.input("value");
  const TorchMultiheadWeightNames weight_names = record_torch_weights(steps, "");
  const TorchMultiheadOptions options{.num_heads = num_heads,
                                      .attn_mask = mask_of_case(file, "attn_mask", OnesIn::mask_hide),
                                      .key_padding = mask_of_case(file, "key_padding_mask", OnesIn::mask_hide),
                                      .add_zero_attn = flag_attribute(file, "add_zero_attn", false)};
  for (const char* mask : {"attn_mask", "key_padding_mask"}) {
    if (steps.has(mask)) static_cast<void>(steps.input(mask));
  }
  const TorchMultiheadSteps all = torch_multihead_attention(query, key, value, weight_names.weights, options);
  const TorchMultiheadNames names =
      record_torch_multihead(steps, all, {"query", "key", "value"}, weight_names, options, "");
  const bool averaged = flag_attribute(file, "average_attn_weights", true);
  if (averaged) record_averaged_weights(steps, all, names.weights);
  return {{"attn_output", names.output}, {"attn_output_weights", averaged ? "averaged_weights" : names.weights}};
}

}  // namespace

std::vector<Operator> multi_head_operators() {
  return {
      {.name = "MultiHeadAttentionModule",
       .what = "Several attentions at once, each with its own part of the channels; an output map mixes them.",
       .formula = "Concat(head_1, .., head_h) W_Oᵀ + b_O",
       .source = "Vaswani et al. 2017, section 3.2.2",
       .needs = {"query", "key", "value", "query_linear.weight", "key_linear.weight", "value_linear.weight",
                 "output_linear.weight", "output_linear.bias"},
       .may_have = {"mask"},
       .attributes = {"d_model", "num_heads"},
       .gives = {"attention_weights", "output"},
       .cost = module_cost,
       .compute = module},
      {.name = "TorchMultiheadAttention",
       .what = "PyTorch's nn.MultiheadAttention (batch_first). Its boolean masks have 1 where a key is ignored.",
       .formula = "Concat(head_1, .., head_h) W_Oᵀ + b_O",
       .source = "PyTorch 1.13, torch.nn.MultiheadAttention",
       .needs = {"query", "key", "value", "out_proj.weight"},
       .may_have = {"in_proj_weight", "in_proj_bias", "q_proj_weight", "k_proj_weight", "v_proj_weight",
                    "out_proj.bias", "bias_k", "bias_v", "attn_mask", "key_padding_mask"},
       .attributes = {"embed_dim", "num_heads", "average_attn_weights", "add_zero_attn", "kdim", "vdim"},
       .gives = {"attn_output", "attn_output_weights"},
       .cost = torch_module_cost,
       .compute = torch_module},
  };
}

}  // namespace attn
