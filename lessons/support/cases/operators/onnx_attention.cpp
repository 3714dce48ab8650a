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
  if (file.attrs.count("scale") > 0) attributes.scale = file.float_number("scale", 1.0F);
  attributes.softcap = file.float_number("softcap", 0.0F);
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

CaseCost onnx_cost(const CaseFile& file) {
  const auto apart = [&](const char* input, const char* num_heads) {
    const Shape x = shape_of(file, input);
    return x.size() == 3 ? heads_apart(x, size_if_given(file, num_heads).value_or(1)) : x;
  };
  const Shape query = apart("Q", "q_num_heads");
  const std::size_t past = file.has_input("past_key") ? size_at(shape_of(file, "past_key"), -2) : 0;
  const auto present = [&](const char* input) {
    const Shape x = apart(input, "kv_num_heads");
    return matrices(x, size_at(x, -2) + past, size_at(x, -1));
  };
  const auto repeated = [&](const Shape& x) { return matrices(query, size_at(x, -2), size_at(x, -1)); };
  const Shape key = present("K");
  const Shape value = present("V");
  CaseCost cost;
  if (shape_of(file, "Q").size() == 3) {
    cost.steps(1, query).steps(1, apart("K", "kv_num_heads")).steps(1, apart("V", "kv_num_heads"));
    cost.steps(1, matrices(query, size_at(query, -2), size_at(value, -1)));  // Y
  }
  if (past > 0) cost.steps(1, key).steps(1, value);
  if (size_at(key, 1) != size_at(query, 1)) cost.steps(1, repeated(key)).steps(1, repeated(value));

  // One table out of all that hides keys, which may be larger than the mask of the case, and that mask made whole.
  const std::size_t seq_len_kv = size_at(key, -2);
  const bool is_added = file.has_input("attn_mask") && !has_bool(file, "attn_mask");
  const bool hides = (file.has_input("attn_mask") && !is_added) || file.has_input("nonpad_kv_seqlen") ||
                     flag_attribute(file, "is_causal", false) || file.attrs.count("left_window_size") > 0 ||
                     file.attrs.count("right_window_size") > 0;
  const Shape table = with_last(shape_of(file, "attn_mask"), seq_len_kv);
  if (is_added) cost.steps(2, table);
  if (hides) {
    const Shape by_place = {file.has_input("nonpad_kv_seqlen") ? size_at(query, 0) : 1, 1, size_at(query, -2),
                            seq_len_kv};
    cost.steps(1, is_added ? by_place : larger(table, by_place));
  }
  cost += attention_cost(query, repeated(key), repeated(value),
                         {.capped = file.number("softcap", 0.0) != 0.0, .biased = is_added, .kept = hides});
  return cost;
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
       .gives = {"Y", "present_key", "present_value", "qk_matmul_output"},
       .cost = onnx_cost,
       .compute = onnx},
  };
}

}  // namespace attn
