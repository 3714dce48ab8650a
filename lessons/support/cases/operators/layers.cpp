// A whole layer of a Transformer's encoder, as PyTorch has it.

#include "attention/kinds/encoder_layer.hpp"
#include "support/cases/operators/masks_of_case.hpp"
#include "support/cases/operators/operator.hpp"
#include "support/cases/operators/record_attention.hpp"
#include "support/cases/operators/record_norm.hpp"
#include "support/cases/operators/record_torch_multihead.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace attn {

namespace {

LayerOptions options_of(const CaseFile& file) {
  const std::string activation = file.word("activation", "relu");
  if (activation != "relu" && activation != "gelu") {
    throw std::invalid_argument(
        fmt::format("TransformerEncoderLayer: activation is {}, and must be relu or gelu", activation));
  }
  return {.num_heads = size_attribute(file, "num_heads"),
          .norm_order = flag_attribute(file, "norm_first", false) ? NormOrder::pre : NormOrder::post,
          .activation = activation == "gelu" ? Activation::gelu : Activation::relu,
          .epsilon = file.number("layer_norm_eps", 1e-5)};
}

std::string record_network(CaseSteps& steps, const FeedForwardSteps& all, const std::string& x, Activation activation) {
  steps.step("network.hidden", all.hidden, linear(x, "linear1.weight", "linear1.bias"),
             "The network: each token by itself, first into more channels.");
  if (activation == Activation::gelu) {
    steps.step("network.activated", all.activated, gelu("network.hidden"), "Through gelu, number by number.");
  } else {
    steps.step("network.activated", all.activated, relu("network.hidden"), "What is below 0 becomes 0.");
  }
  steps.step("network.output", all.output, linear("network.activated", "linear2.weight", "linear2.bias"),
             "And back to as many channels as before.");
  return "network.output";
}

CaseCost encoder_cost(const CaseFile& file) {
  const Shape src = shape_of(file, "src");
  const Shape hidden = with_last(src, size_at(shape_of(file, "linear1.weight"), 0));
  CaseCost cost = torch_multihead_cost(file, src, src, src, size_attribute(file, "num_heads"), "self_attn.");
  cost += norm_cost(src, -1);
  cost += norm_cost(src, -1);
  cost.product(hidden, size_at(src, -1)).steps(1, hidden).product(src, size_at(hidden, -1));
  return cost.steps(2, src);  // what went in, added again
}

std::vector<CaseOutput> encoder(CaseSteps& steps) {
  const CaseFile& file = steps.file();
  const Tensor& src = steps.input("src");
  const LayerOptions options = options_of(file);
  const TorchMultiheadWeightNames attention_weights = record_torch_weights(steps, "self_attn.");
  const EncoderLayerWeights weights{
      .self_attention = attention_weights.weights,
      .norm_1 = {.scale = steps.input("norm1.weight"), .bias = steps.input("norm1.bias")},
      .feed_forward = {.W_1 = steps.input("linear1.weight"),
                       .b_1 = steps.input("linear1.bias"),
                       .W_2 = steps.input("linear2.weight"),
                       .b_2 = steps.input("linear2.bias")},
      .norm_2 = {.scale = steps.input("norm2.weight"), .bias = steps.input("norm2.bias")}};
  for (const char* input : {"src_mask", "src_key_padding_mask"}) {
    if (steps.has(input)) static_cast<void>(steps.input(input));
  }
  const LayerMask mask{.attention = mask_of_case(file, "src_mask", OnesIn::mask_hide),
                       .key_padding = mask_of_case(file, "src_key_padding_mask", OnesIn::mask_hide)};
  const EncoderLayerSteps all = encoder_layer(src, weights, options, mask);

  const auto norm = [&](const char* which, const std::string& x, const LayerNormSteps& normed) {
    const std::string name = which;
    return record_layer_norm(steps, x, name + ".weight", name + ".bias", normed, options.epsilon, name + ".");
  };
  const auto attend = [&](const std::string& x) {
    return record_torch_multihead(steps, all.self_attention, {x, x, x}, attention_weights,
                                  {.num_heads = options.num_heads}, "self_attn.")
        .output;
  };
  const char* const added_back = "What went in is added again: the residual connection.";
  if (options.norm_order == NormOrder::post) {
    const std::string attended = attend("src");
    steps.step("after_attention", all.after_attention, add("src", attended), added_back);
    const std::string normed = norm("norm1", "after_attention", all.norm_1);
    const std::string network = record_network(steps, all.feed_forward, normed, options.activation);
    steps.step("after_network", all.after_feed_forward, add(normed, network), added_back);
    return {{"output", norm("norm2", "after_network", all.norm_2)}};
  }
  const std::string attended = attend(norm("norm1", "src", all.norm_1));
  steps.step("after_attention", all.after_attention, add("src", attended), added_back);
  const std::string normed = norm("norm2", "after_attention", all.norm_2);
  const std::string network = record_network(steps, all.feed_forward, normed, options.activation);
  steps.step("output", all.output, add("after_attention", network), added_back);
  return {{"output", "output"}};
}

}  // namespace

std::vector<Operator> layer_operators() {
  return {
      {.name = "TransformerEncoderLayer",
       .what = "One layer of an encoder: tokens look at each other, then each thinks by itself.",
       .formula = "norm(x + part(x)); with norm_first x + part(norm(x))",
       .source = "Vaswani et al. 2017, section 3.1; PyTorch 1.13",
       .needs = {"src", "self_attn.in_proj_weight", "self_attn.in_proj_bias", "self_attn.out_proj.weight",
                 "self_attn.out_proj.bias", "linear1.weight", "linear1.bias", "linear2.weight", "linear2.bias",
                 "norm1.weight", "norm1.bias", "norm2.weight", "norm2.bias"},
       .may_have = {"src_mask", "src_key_padding_mask"},
       .attributes = {"d_model", "num_heads", "dim_feedforward", "activation", "norm_first", "layer_norm_eps"},
       .gives = {"output"},
       .cost = encoder_cost,
       .compute = encoder},
  };
}

}  // namespace attn
