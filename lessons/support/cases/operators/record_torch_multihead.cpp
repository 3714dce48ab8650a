#include "support/cases/operators/record_torch_multihead.hpp"

#include "attention/multi_head.hpp"
#include "board/origin.hpp"
#include "support/cases/operators/masks_of_case.hpp"
#include "support/cases/operators/operator.hpp"
#include "support/cases/operators/record_attention.hpp"
#include "support/cases/operators/record_moves.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"

#include <fmt/core.h>

#include <stdexcept>
#include <vector>

namespace attn {

namespace {

Origin map_of(const std::string& x, const std::string& weight, const std::string& bias) {
  return bias.empty() ? linear(x, weight) : linear(x, weight, bias);
}

/// Keys or values with those that the module adds at their end.
std::string record_added(CaseSteps& steps, const std::string& name, const Tensor& all, const std::string& bias,
                         bool add_zero) {
  const Shape fresh = steps.board().trace().step(name).value.shape();
  std::vector<std::string> parts = {name};
  const auto append = [&](const std::string& token) {
    const Tensor one = steps.board().trace().step(token).value;
    const Tensor row = reshape(one, {1, one.size()});
    const std::string row_name = fmt::format("{}_row_{}", token, name);
    steps.moved(row_name, row, reshape(token));
    parts.push_back(fresh.size() == 3 ? record_repeated(steps, row_name, row, fresh[0]) : row_name);
  };
  if (!bias.empty()) append(bias);
  if (add_zero) {
    const std::string zeros = name + "_zeros";
    steps.moved(zeros, Tensor({fresh.back()}), given());
    append(zeros);
  }
  if (parts.size() == 1) return name;
  std::string joined = name + "_with_added";
  steps.step(joined, all, concat(parts, -2), "The module adds a token of its own at the end.");
  return joined;
}

}  // namespace

TorchMultiheadWeightNames record_torch_weights(CaseSteps& steps, const std::string& prefix) {
  TorchMultiheadWeightNames names;
  const std::string stacked_weight = prefix + "in_proj_weight";
  const std::string stacked_bias = prefix + "in_proj_bias";
  const auto cut = [&](const std::string& stacked, const InProjection& parts, std::string& q, std::string& k,
                       std::string& v, const char* letter) {
    const std::size_t size = parts.query.dim(0);
    q = fmt::format("{}{}_Q", prefix, letter);
    k = fmt::format("{}{}_K", prefix, letter);
    v = fmt::format("{}{}_V", prefix, letter);
    steps.moved(q, parts.query, slice(stacked, 0, 0, size));
    steps.moved(k, parts.key, slice(stacked, 0, size, 2 * size));
    steps.moved(v, parts.value, slice(stacked, 0, 2 * size, 3 * size));
  };
  TorchMultiheadWeights& weights = names.weights;
  if (steps.has(stacked_weight)) {
    const InProjection parts = split_in_proj(steps.input(stacked_weight));
    cut(stacked_weight, parts, names.W_Q, names.W_K, names.W_V, "W");
    weights.W_Q = parts.query;
    weights.W_K = parts.key;
    weights.W_V = parts.value;
  } else {
    names.W_Q = prefix + "q_proj_weight";
    names.W_K = prefix + "k_proj_weight";
    names.W_V = prefix + "v_proj_weight";
    weights.W_Q = steps.input(names.W_Q);
    weights.W_K = steps.input(names.W_K);
    weights.W_V = steps.input(names.W_V);
  }
  if (steps.has(stacked_bias)) {
    const InProjection parts = split_in_proj(steps.input(stacked_bias));
    cut(stacked_bias, parts, names.b_Q, names.b_K, names.b_V, "b");
    weights.b_Q = parts.query;
    weights.b_K = parts.key;
    weights.b_V = parts.value;
  }
  names.W_O = prefix + "out_proj.weight";
  weights.W_O = steps.input(names.W_O);
  if (steps.has(prefix + "out_proj.bias")) {
    names.b_O = prefix + "out_proj.bias";
    weights.b_O = steps.input(names.b_O);
  }
  if (steps.has(prefix + "bias_k")) weights.bias_k = steps.input(prefix + "bias_k");
  if (steps.has(prefix + "bias_v")) weights.bias_v = steps.input(prefix + "bias_v");
  return names;
}

TorchMultiheadNames record_torch_multihead(CaseSteps& steps, const TorchMultiheadSteps& all,
                                           const std::array<std::string, 3>& inputs,
                                           const TorchMultiheadWeightNames& names, const TorchMultiheadOptions& options,
                                           const std::string& prefix) {
  const auto named = [&](const char* name) { return prefix + name; };
  const std::size_t num_heads = options.num_heads;
  const auto project = [&](const std::string& name, const std::string& input, const Tensor& with_added,
                           const std::string& weight, const std::string& bias, const char* sentence) {
    const std::size_t tokens = steps.board().trace().step(input).value.dim(-2);
    steps.step(name, slice(with_added, -2, 0, tokens), map_of(input, weight, bias), sentence);
  };
  project(named("Q"), inputs[0], all.Q, names.W_Q, names.b_Q, "A question for each token of query.");
  project(named("K"), inputs[1], all.K, names.W_K, names.b_K, "What each token of key offers.");
  project(named("V"), inputs[2], all.V, names.W_V, names.b_V, "What each token of value hands over.");
  const bool has_bias = names.weights.bias_k.has_value();
  const std::string K =
      record_added(steps, named("K"), all.K, has_bias ? prefix + "bias_k" : "", options.add_zero_attn);
  const std::string V =
      record_added(steps, named("V"), all.V, has_bias ? prefix + "bias_v" : "", options.add_zero_attn);

  AttentionOrigins origins{.query = named("Q_heads"), .key = named("K_heads"), .value = named("V_heads")};
  origins.prefix = prefix;
  if (all.mask.bias) {
    origins.bias = named("added");
    steps.given(origins.bias, *all.mask.bias, "What the masks of the case add to the scores, in one table.");
  }
  if (all.mask.keep) {
    origins.keep = named("kept");
    steps.given(origins.keep, *all.mask.keep,
                "What the masks of the case hide, in one table: 1 where a key may be seen.");
  }
  steps.moved(origins.query, split_heads(all.Q, num_heads), split_heads(named("Q"), num_heads));
  steps.moved(origins.key, split_heads(all.K, num_heads), split_heads(K, num_heads));
  steps.moved(origins.value, split_heads(all.V, num_heads), split_heads(V, num_heads));
  const AttentionNames attention = record_attention(steps, all.heads, origins);
  const std::string concat = named("concat");
  const std::string output = named("output");
  steps.step(concat, all.concat, merge_heads(attention.context, num_heads), "The heads' contexts side by side.");
  steps.step(output, all.output, map_of(concat, names.W_O, names.b_O), "The output map mixes what the heads found.");
  return {.weights = attention.weights, .output = output};
}

CaseCost torch_multihead_cost(const CaseFile& file, const Shape& query, const Shape& key, const Shape& value,
                              std::size_t num_heads, const std::string& prefix) {
  const std::size_t embed_dim = size_at(shape_of(file, prefix + "out_proj.weight"), 0);
  const bool has_bias = file.has_input(prefix + "bias_k");
  const bool has_zeros = flag_attribute(file, "add_zero_attn", false);
  const std::size_t added_keys = (has_bias ? 1U : 0U) + (has_zeros ? 1U : 0U);
  const Shape Q = with_last(query, embed_dim);
  const Shape K = matrices(key, size_at(key, -2) + added_keys, embed_dim);
  const Shape V = matrices(value, size_at(value, -2) + added_keys, embed_dim);
  CaseCost cost;
  if (file.has_input(prefix + "in_proj_weight")) cost.steps(1, shape_of(file, prefix + "in_proj_weight"));
  if (file.has_input(prefix + "in_proj_bias")) cost.steps(1, shape_of(file, prefix + "in_proj_bias"));
  cost.product(Q, size_at(query, -1)).product(K, size_at(key, -1)).product(V, size_at(value, -1));
  const auto parts = static_cast<double>(added_keys);
  cost.steps(added_keys > 0 ? 1 : 0, K).steps(added_keys > 0 ? 1 : 0, V);  // those with tokens added
  cost.steps(parts * 4, matrices(K, 1, embed_dim)).steps(parts * 4, matrices(V, 1, embed_dim));
  if (query.size() == 3) cost.labels += parts * 2.0 * static_cast<double>(query[0]);  // joined, one for each sentence

  const Shape heads = heads_apart(Q, num_heads);
  cost.steps(1, heads).steps(1, heads_apart(K, num_heads)).steps(1, heads_apart(V, num_heads));
  const Shape scores = matrices(heads, size_at(Q, -2), size_at(K, -2));
  Shape mask = scores;
  AttentionExtras extras;
  for (const char* input : {"attn_mask", "key_padding_mask", "src_mask", "src_key_padding_mask"}) {
    if (!file.has_input(input)) continue;
    mask = larger(mask, shape_of(file, input));
    (has_bool(file, input) ? extras.kept : extras.biased) = true;
  }
  cost.steps((extras.biased ? 1 : 0) + (extras.kept ? 1 : 0), mask);
  cost += attention_cost(heads, heads_apart(K, num_heads), heads_apart(V, num_heads), extras);
  cost.steps(2, matrices(query, size_at(Q, -2), size_at(K, -2)));  // the mean of the weights, and their sum
  return cost.steps(1, Q).product(Q, embed_dim);                   // concat, output
}

void record_averaged_weights(CaseSteps& steps, const TorchMultiheadSteps& all, const std::string& weights) {
  const auto heads = static_cast<float>(all.heads.dropped.dim(-3));
  steps.moved("summed_weights", sum(all.heads.dropped, -3), sum(weights, -3));
  steps.weights("averaged_weights", all.averaged_weights, scale("summed_weights", 1.0F / heads),
                "The weights of all heads, averaged.");
}

}  // namespace attn
