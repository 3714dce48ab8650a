// Every reference case of ONNX and PyTorch for the scaled-dot-product family. A new file in one of these folders is
// picked up by itself.

#include "attention/kinds/attention.hpp"
#include "attention/kinds/cache.hpp"
#include "attention/kinds/fused_attention.hpp"
#include "attention/kinds/masks.hpp"
#include "attention/kinds/onnx_attention.hpp"
#include "attention/kinds/torch_multihead.hpp"
#include "attention/mask.hpp"
#include "attention/multi_head.hpp"
#include "catch.hpp"
#include "check_close.hpp"
#include "golden/golden_cases.hpp"
#include "tensor/rearrange.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

using namespace attn;

namespace {

/// What we compute for the outputs of a case, under the names that the case gives them.
using Outputs = std::map<std::string, Tensor>;

std::size_t size_of(const CaseFile& reference, const std::string& attribute) {
  return static_cast<std::size_t>(reference.integer(attribute, 0));
}

std::optional<std::size_t> optional_size(const CaseFile& reference, const std::string& attribute) {
  if (reference.attrs.count(attribute) == 0) return std::nullopt;
  return size_of(reference, attribute);
}

std::optional<float> optional_number(const CaseFile& reference, const std::string& attribute) {
  const auto found = reference.attrs.find(attribute);
  if (found == reference.attrs.end()) return std::nullopt;
  return std::stof(found->second);
}

std::optional<Tensor> optional_input(const CaseFile& reference, const std::string& name) {
  if (!reference.has_input(name)) return std::nullopt;
  return reference.input(name);
}

/// A case's Tensor holds numbers only, so whether a mask was written as bool is read from the file itself.
bool is_bool(const std::string& path, const std::string& input) {
  std::ifstream file(path);
  std::string word;
  while (file >> word) {
    if (word != "input") continue;
    std::string name;
    std::string type;
    file >> name >> type;
    if (name == input) return type == "bool";
  }
  return false;
}

Outputs onnx(const CaseFile& reference, const std::string& path, const Compute& how) {
  OnnxAttentionInputs inputs{.Q = reference.input("Q"), .K = reference.input("K"), .V = reference.input("V")};
  if (reference.has_input("attn_mask")) {
    const Tensor& mask = reference.input("attn_mask");
    inputs.attn_mask = is_bool(path, "attn_mask") ? keep_where(mask) : added(mask);
  }
  inputs.past_key = optional_input(reference, "past_key");
  inputs.past_value = optional_input(reference, "past_value");
  inputs.nonpad_kv_seqlen = optional_input(reference, "nonpad_kv_seqlen");

  OnnxAttentionAttributes attributes;
  attributes.opset = reference.integer("opset", attributes.opset);
  attributes.is_causal = reference.integer("is_causal", 0) == 1;
  attributes.q_num_heads = optional_size(reference, "q_num_heads");
  attributes.kv_num_heads = optional_size(reference, "kv_num_heads");
  attributes.scale = optional_number(reference, "scale");
  attributes.softcap = optional_number(reference, "softcap").value_or(0.0F);
  if (reference.attrs.count("softmax_precision") > 0) {
    attributes.softmax_precision = reference.integer("softmax_precision", 1);
  }
  attributes.qk_matmul_output_mode = reference.integer("qk_matmul_output_mode", 0);
  attributes.left_window_size = reference.integer("left_window_size", -1);
  attributes.right_window_size = reference.integer("right_window_size", -1);

  const OnnxAttentionSteps steps = onnx_attention(inputs, attributes, how);
  if (!attributes.softmax_precision) {  // the same without the steps
    const Tensor fused = fused_attention(
        steps.query, steps.key, steps.value,
        {.mask = steps.mask,
         .scale = attributes.scale,
         .soft_cap = attributes.softcap == 0.0F ? std::nullopt : std::optional<float>(attributes.softcap),
         .empty_rows = EmptyRows::zeros,
         .threads = how.threads});
    check_close(inputs.Q.rank() == 3 ? merge_heads(fused) : fused, reference.outputs.at("Y"), reference.tolerance);
  }
  return {{"Y", steps.Y},
          {"present_key", steps.present_key},
          {"present_value", steps.present_value},
          {"qk_matmul_output", steps.qk_matmul_output}};
}

/// PyTorch's modules: True is a key to ignore, and numbers are added.
Mask torch_mask(const CaseFile& reference, const std::string& path, const std::string& name) {
  if (!reference.has_input(name)) return no_mask();
  return is_bool(path, name) ? hide_where(reference.input(name)) : added(reference.input(name));
}

Outputs torch_multihead(const CaseFile& reference, const std::string& path, const Compute& how) {
  TorchMultiheadWeights weights;
  if (reference.has_input("in_proj_weight")) {
    const InProjection stacked = split_in_proj(reference.input("in_proj_weight"));
    weights.W_Q = stacked.query;
    weights.W_K = stacked.key;
    weights.W_V = stacked.value;
  } else {
    weights.W_Q = reference.input("q_proj_weight");
    weights.W_K = reference.input("k_proj_weight");
    weights.W_V = reference.input("v_proj_weight");
  }
  if (reference.has_input("in_proj_bias")) {
    const InProjection stacked = split_in_proj(reference.input("in_proj_bias"));
    weights.b_Q = stacked.query;
    weights.b_K = stacked.key;
    weights.b_V = stacked.value;
  }
  weights.W_O = reference.input("out_proj.weight");
  weights.b_O = optional_input(reference, "out_proj.bias");

  const TorchMultiheadSteps steps =
      torch_multihead_attention(reference.input("query"), reference.input("key"), reference.input("value"), weights,
                                {.num_heads = size_of(reference, "num_heads"),
                                 .attn_mask = torch_mask(reference, path, "attn_mask"),
                                 .key_padding = torch_mask(reference, path, "key_padding_mask"),
                                 .compute = how});
  const bool averaged = reference.integer("average_attn_weights", 1) == 1;
  return {{"attn_output", steps.output},
          {"attn_output_weights", averaged ? steps.averaged_weights : steps.heads.dropped}};
}

Tensor window(const CaseFile& reference, std::size_t size) {
  const std::size_t reach = size_of(reference, "window");
  if (reference.integer("causal", 1) == 1) return sliding_window_mask(size, reach);
  return window_mask({.seq_len_q = size, .seq_len_kv = size, .left = reach, .right = reach});
}

Outputs sliding_window(const CaseFile& reference, const Compute& how) {
  const Tensor& query = reference.input("Q");
  const FamilySteps steps = attention(query, reference.input("K"), reference.input("V"),
                                      {.mask = keep_where(window(reference, query.dim(-2))), .compute = how});
  return {{"weights", steps.weights}, {"output", steps.context}};
}

Outputs one_token_at_a_time(const CaseFile& reference) {
  const Tensor& query = reference.input("Q");
  const Tensor& key = reference.input("K");
  const Tensor& value = reference.input("V");
  KeyValueCache cache = empty_cache(key, value);
  std::vector<Tensor> rows;
  for (std::size_t t = 0; t < query.dim(-2); ++t) {
    CachedSteps step =
        cached_attention(slice(query, -2, t, t + 1), slice(key, -2, t, t + 1), slice(value, -2, t, t + 1), cache);
    rows.push_back(step.attention.context);
    cache = step.present;
  }
  return {{"output", concat(rows, -2)}};
}

Outputs three_conventions(const CaseFile& reference, const Compute& how) {
  Outputs ours;
  const std::map<std::string, EmptyRows> conventions = {
      {"minus_inf", EmptyRows::nan}, {"minus_1e9", EmptyRows::uniform}, {"zero", EmptyRows::zeros}};
  for (const auto& [name, empty_rows] : conventions) {
    const FamilySteps steps =
        attention(reference.input("Q"), reference.input("K"), reference.input("V"),
                  {.mask = keep_where(reference.input("mask")), .empty_rows = empty_rows, .compute = how});
    ours[fmt::format("weights_{}", name)] = steps.weights;
    ours[fmt::format("output_{}", name)] = steps.context;
  }
  return ours;
}

Outputs compute(const CaseFile& reference, const std::string& path, const Compute& how) {
  if (reference.op == "Attention") return onnx(reference, path, how);
  if (reference.op == "TorchMultiheadAttention") return torch_multihead(reference, path, how);
  if (reference.op == "SlidingWindowMask") return {{"mask", window(reference, size_of(reference, "size"))}};
  if (reference.op == "SlidingWindowAttention") return sliding_window(reference, how);
  if (reference.op == "IncrementalDecoding") return one_token_at_a_time(reference);
  if (reference.op == "FullyMaskedRowConventions") return three_conventions(reference, how);
  if (reference.op == "CausalMask") {
    const std::size_t size = size_of(reference, "size");
    const Tensor mask = causal_mask({.seq_len_q = size, .seq_len_kv = size});
    return {{"mask", mask}, {"additive", additive_mask(mask)}};
  }
  FAIL("no function for the operator " << reference.op);
  return {};
}

/// Operators that share the folder torch/masks and are no part of this family.
bool is_tested_elsewhere(const std::string& op) {
  return op == "AlibiSlopes" || op == "AlibiAttention" || op == "Rope";
}

}  // namespace

TEST_CASE("every reference case of the family gives every number that ONNX and PyTorch give, naive, blocked and fused",
          "[golden]") {
  const std::string folder = GENERATE("onnx/attention", "torch/nn_multihead_attention", "torch/masks");
  const auto kind = GENERATE(Matmul::naive, Matmul::blocked);
  for (const std::string& path : golden_cases(folder)) {
    const CaseFile reference = read_case(path);
    if (is_tested_elsewhere(reference.op)) continue;
    // A Tensor is float: a case computed in double is held to 1e-5, absolute and relative.
    INFO(path << (reference.has_float64 ? ", computed in double, held to 1e-5" : ""));

    const Outputs ours = compute(reference, path, {.kind = kind, .threads = 2});
    for (const auto& [name, expected] : reference.outputs) {
      INFO(name);
      REQUIRE(ours.count(name) == 1);
      check_close(ours.at(name), expected, reference.tolerance);
    }
  }
}

TEST_CASE("as many reference cases of the family are there as were taken over", "[golden]") {
  CHECK(golden_cases("onnx/attention").size() >= 67);
  CHECK(golden_cases("torch/nn_multihead_attention").size() >= 9);
  CHECK(golden_cases("torch/masks").size() >= 9);
}
