// ONNX's operator Attention.

#include "attention/kinds/onnx_attention.hpp"

#include "attention/kinds/cache.hpp"
#include "attention/multi_head.hpp"
#include "support/cases/operators/masks_of_case.hpp"
#include "support/cases/operators/operator.hpp"
#include "support/cases/operators/record_attention.hpp"
#include "support/cases/operators/record_moves.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

namespace {

std::optional<std::size_t> size_if_given(const CaseFile& file, const char* name) {
  if (file.attrs.count(name) == 0) return std::nullopt;
  return size_attribute(file, name);
}

OnnxAttentionAttributes attributes_of(const CaseFile& file) {
  OnnxAttentionAttributes attributes;
  attributes.opset = file.integer("opset", attributes.opset);
  attributes.is_causal = flag_attribute(file, "is_causal", false);
  attributes.q_num_heads = size_if_given(file, "q_num_heads");
  attributes.kv_num_heads = size_if_given(file, "kv_num_heads");
  if (file.attrs.count("scale") > 0) attributes.scale = static_cast<float>(file.number("scale", 1.0));
  attributes.softcap = static_cast<float>(file.number("softcap", 0.0));
  if (file.attrs.count("softmax_precision") > 0) attributes.softmax_precision = file.integer("softmax_precision", 1);
  attributes.qk_matmul_output_mode = file.integer("qk_matmul_output_mode", 0);
  attributes.left_window_size = file.integer("left_window_size", -1);
  attributes.right_window_size = file.integer("right_window_size", -1);
  return attributes;
}

Precision precision_of(const OnnxAttentionAttributes& attributes) {
  const auto type = attributes.softmax_precision.value_or(1);
  return type == 10 ? Precision::float16 : type == 16 ? Precision::bfloat16 : Precision::float32;
}

/// Q, K or V with its heads apart, and the name of the step that holds it.
std::string record_heads(CaseSteps& steps, const std::string& name, const std::optional<std::size_t>& num_heads) {
  const Tensor& x = steps.input(name);
  if (x.rank() != 3) return name;
  std::string heads = name + "_heads";
  steps.step(heads, split_heads(x, *num_heads), split_heads(name, *num_heads), "The channels are cut into heads.");
  return heads;
}

/// All keys or values so far: the past, and the new ones at its end.
std::string record_present(CaseSteps& steps, const std::string& fresh, const char* past, const char* present,
                           const Tensor& joined) {
  if (!steps.has(past)) return fresh;
  static_cast<void>(steps.input(past));
  steps.step(present, joined, concat({past, fresh}, 2), "The new tokens come after those of the past.");
  return present;
}

/// Does a mask hide anything?
bool hides(const Tensor& keep) {
  return std::any_of(keep.values().begin(), keep.values().end(), [](float x) { return x != 1.0F; });
}

/// The step that is added to the scores: the mask of the case, with -inf for keys that it says nothing about.
std::string record_bias(CaseSteps& steps, const Tensor& bias) {
  const Tensor& table = steps.input("attn_mask");
  if (bias.shape() == table.shape()) return "attn_mask";
  Shape missing = table.shape();
  missing.back() = bias.dim(-1) - table.dim(-1);
  steps.moved("missing", Tensor(missing, -std::numeric_limits<float>::infinity()), given());
  steps.step("whole_mask", bias, concat({"attn_mask", "missing"}, -1),
             "The mask has fewer columns than there are keys: the others are hidden.");
  return "whole_mask";
}

void check_rank(const CaseFile& file) {
  for (const char* past : {"past_key", "past_value"}) {
    if (!file.has_input(past) || file.input(past).rank() == 4) continue;
    throw std::invalid_argument(
        fmt::format("Attention: {} is {}, and must have 4 axes", past, to_string(file.input(past).shape())));
  }
}

std::vector<CaseOutput> onnx(CaseSteps& steps) {
  const CaseFile& file = steps.file();
  const OnnxAttentionAttributes attributes = attributes_of(file);
  check_rank(file);
  OnnxAttentionInputs inputs{.Q = file.input("Q"), .K = file.input("K"), .V = file.input("V")};
  inputs.attn_mask = mask_of_case(file, "attn_mask", OnesIn::mask_keep);
  if (file.has_input("past_key")) inputs.past_key = file.input("past_key");
  if (file.has_input("past_value")) inputs.past_value = file.input("past_value");
  if (file.has_input("nonpad_kv_seqlen")) inputs.nonpad_kv_seqlen = file.input("nonpad_kv_seqlen");
  if (inputs.Q.rank() >= 3 && inputs.K.rank() >= 3) {
    const std::size_t past = inputs.past_key ? inputs.past_key->dim(-2) : 0;
    require_room("the table of scores", {inputs.Q.dim(0), attributes.q_num_heads.value_or(inputs.Q.dim(1)),
                                         inputs.Q.dim(-2), inputs.K.dim(-2) + past});
  }
  const OnnxAttentionSteps all = onnx_attention(inputs, attributes);

  const std::string query = record_heads(steps, "Q", attributes.q_num_heads);
  const std::string new_key = record_heads(steps, "K", attributes.kv_num_heads);
  const std::string new_value = record_heads(steps, "V", attributes.kv_num_heads);
  const std::string key = record_present(steps, new_key, "past_key", "present_key", all.present_key);
  const std::string value = record_present(steps, new_value, "past_value", "present_value", all.present_value);

  AttentionOrigins origins{.query = query,
                           .key = record_repeated_heads(steps, key, all.present_key, all.query.dim(1)),
                           .value = record_repeated_heads(steps, value, all.present_value, all.query.dim(1)),
                           .scale = attributes.scale,
                           .empty_rows = EmptyRows::zeros,
                           .softmax_precision = precision_of(attributes)};
  if (attributes.softcap != 0.0F) origins.soft_cap = attributes.softcap;
  for (const char* input : {"attn_mask", "nonpad_kv_seqlen"}) {
    if (steps.has(input)) static_cast<void>(steps.input(input));
  }
  if (all.mask.bias) origins.bias = record_bias(steps, *all.mask.bias);
  if (all.mask.keep && hides(*all.mask.keep)) {
    origins.keep = "mask";
    steps.given("mask", *all.mask.keep,
                "All that hides keys, in one table: the mask of the case, causal, window and padding.");
  }
  const AttentionNames names = record_attention(steps, all.attention, origins);
  const std::string Y(inputs.Q.rank() == 3 ? std::string_view("Y") : names.context);
  if (inputs.Q.rank() == 3) {
    steps.step(Y, all.Y, merge_heads(names.context, all.query.dim(1)), "The heads' contexts side by side.");
  }
  const std::string scores[] = {names.scaled, names.capped, names.masked, names.weights};
  return {{"Y", Y},
          {"present_key", key},
          {"present_value", value},
          {"qk_matmul_output", scores[attributes.qk_matmul_output_mode]}};
}

}  // namespace

std::vector<Operator> onnx_attention_operators() {
  return {
      {.name = "Attention",
       .what = "ONNX's attention: grouped heads, a cache, a soft cap, masks and windows, each when it is asked for.",
       .formula = "softmax(cap(Q Kᵀ · scale) + mask) V",
       .source = "ONNX, operator Attention, opset 23 to 25",
       .needs = {"Q", "K", "V"},
       .may_have = {"attn_mask", "past_key", "past_value", "nonpad_kv_seqlen"},
       .attributes = {"opset", "is_causal", "q_num_heads", "kv_num_heads", "scale", "softcap", "softmax_precision",
                      "qk_matmul_output_mode", "left_window_size", "right_window_size"},
       .compute = onnx},
  };
}

}  // namespace attn
