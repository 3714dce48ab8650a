// Scaled dot-product attention without learned maps: plain, windowed, with linear biases, with a cache, and what
// happens to a query that may see no key.

#include "attention/kinds/alibi.hpp"
#include "attention/kinds/attention.hpp"
#include "attention/kinds/cache.hpp"
#include "attention/kinds/grouped_heads.hpp"
#include "attention/kinds/masks.hpp"
#include "attention/scaled_dot_product.hpp"
#include "support/cases/operators/masks_of_case.hpp"
#include "support/cases/operators/operator.hpp"
#include "support/cases/operators/record_attention.hpp"
#include "support/cases/operators/record_moves.hpp"
#include "tensor/rearrange.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace attn {

namespace {

/// The input of that name if the case has it, else an empty name.
std::string if_given(CaseSteps& steps, const char* name) {
  if (!steps.has(name)) return "";
  static_cast<void>(steps.input(name));
  return name;
}

/// Attention of Q, K and V as they stand in the case.
CaseCost plain_cost(const CaseFile& file, const AttentionExtras& extras) {
  return attention_cost(shape_of(file, "Q"), shape_of(file, "K"), shape_of(file, "V"), extras);
}

CaseCost scaled_dot_product_cost(const CaseFile& file) {
  return plain_cost(file, {.biased = file.has_input("bias"), .kept = file.has_input("mask")});
}

std::vector<CaseOutput> scaled_dot_product(CaseSteps& steps) {
  const Tensor& query = steps.input("Q");
  const Tensor& key = steps.input("K");
  const Tensor& value = steps.input("V");
  const AttentionOrigins origins{.bias = if_given(steps, "bias"), .keep = if_given(steps, "mask")};
  Mask mask;
  if (steps.has("mask")) mask = keep_where(steps.input("mask"));
  if (steps.has("bias")) mask.bias = steps.input("bias");
  const AttentionNames names =
      record_attention(steps, as_family(scaled_dot_product_attention(query, key, value, mask)), origins);
  return {{"scores", names.scaled}, {"weights", names.weights}, {"output", names.context}};
}

CaseCost fully_masked_rows_cost(const CaseFile& file) {
  CaseCost cost;
  for (int choice = 0; choice < 3; ++choice) cost += plain_cost(file, {.kept = true});
  return cost;
}

std::vector<CaseOutput> fully_masked_rows(CaseSteps& steps) {
  const Tensor& query = steps.input("Q");
  const Tensor& key = steps.input("K");
  const Tensor& value = steps.input("V");
  const Mask mask = keep_where(steps.input("mask"));
  std::vector<CaseOutput> outputs;
  for (const auto& [name, choice] :
       {std::pair{"minus_inf", EmptyRows::nan}, {"minus_1e9", EmptyRows::uniform}, {"zero", EmptyRows::zeros}}) {
    const AttentionOrigins origins{.keep = "mask", .empty_rows = choice, .prefix = fmt::format("{}.", name)};
    const AttentionNames names =
        record_attention(steps, attention(query, key, value, {.mask = mask, .empty_rows = choice}), origins);
    outputs.push_back({fmt::format("weights_{}", name), names.weights});
    outputs.push_back({fmt::format("output_{}", name), names.context});
  }
  return outputs;
}

CaseCost sliding_window_cost(const CaseFile& file) {
  const std::size_t seq_len = size_at(shape_of(file, "Q"), -2);
  CaseCost cost = plain_cost(file, {.kept = true});
  return cost.steps(1, {seq_len, seq_len});
}

std::vector<CaseOutput> sliding_window(CaseSteps& steps) {
  const Tensor& query = steps.input("Q");
  const Tensor& key = steps.input("K");
  const Tensor& value = steps.input("V");
  if (query.rank() < 2) throw std::invalid_argument("SlidingWindowAttention: Q must be [.., seq_len, head_dim]");
  const Tensor mask = window_of_case(steps.file(), query.dim(-2));
  steps.given("mask", mask, "The window: 1 where the query of the row may see the key of the column.");
  const AttentionNames names =
      record_attention(steps, attention(query, key, value, {.mask = keep_where(mask)}), {.keep = "mask"});
  return {{"weights", names.weights}, {"output", names.context}};
}

CaseCost linear_biases_cost(const CaseFile& file) {
  const std::size_t heads = size_attribute(file, "num_heads");
  const std::size_t seq_len_q = size_at(shape_of(file, "Q"), -2);
  const std::size_t seq_len_kv = size_at(shape_of(file, "K"), -2);
  CaseCost cost = plain_cost(file, {.biased = true, .kept = true});
  cost.steps(2, {heads, 1, 1}).steps(2, {seq_len_q, seq_len_kv});  // slopes; distances, mask
  cost.steps(3, {heads, seq_len_q, seq_len_kv});                   // the distances of all heads, the bias
  cost.labels += static_cast<double>(heads) * 2.0 + static_cast<double>(heads) * static_cast<double>(seq_len_q);
  return cost;
}

std::vector<CaseOutput> linear_biases(CaseSteps& steps) {
  const Tensor& query = steps.input("Q");
  const Tensor& key = steps.input("K");
  const Tensor& value = steps.input("V");
  const Tensor slopes = alibi_slopes(size_attribute(steps.file(), "num_heads"));
  const AlibiSteps alibi = alibi_attention(query, key, value, slopes);

  steps.given("slopes", slopes, "How strongly each head dislikes distance.");
  steps.given("distances", alibi.distances, "How far each key lies from each query: j - i.");
  const std::size_t heads = slopes.dim(0);
  const Tensor slope_of_heads = reshape(slopes, {heads, 1, 1});
  Shape all = alibi.bias.shape();
  const Tensor all_distances = reshape(concat(std::vector<Tensor>(heads, alibi.distances), 0), all);
  steps.moved("distances_of_heads", concat(std::vector<Tensor>(heads, alibi.distances), 0),
              concat(std::vector<std::string>(heads, "distances"), 0));
  steps.moved("distances_by_head", all_distances, reshape("distances_of_heads"));
  steps.moved("slope_of_heads", slope_of_heads, reshape("slopes"));
  steps.step("bias", alibi.bias, multiply("distances_by_head", "slope_of_heads"),
             "What is added to the scores: slope times distance. The further back, the lower.");
  steps.given("mask", alibi.mask, "Causal: 1 where the key is not ahead of the query.");
  const AttentionNames names = record_attention(steps, as_family(alibi.attention), {.bias = "bias", .keep = "mask"});
  return {{"weights", names.weights}, {"output", names.context}};
}

constexpr std::size_t most_decoded_tokens = 256;  // each has steps of its own

CaseCost incremental_decoding_cost(const CaseFile& file) {
  const Shape query = shape_of(file, "Q");
  const Shape key = matrices(query, size_at(shape_of(file, "K"), -2), size_at(shape_of(file, "K"), -1));
  const Shape value = matrices(query, size_at(shape_of(file, "V"), -2), size_at(shape_of(file, "V"), -1));
  CaseCost cost;
  cost.steps(2, key).steps(2, value);  // one more copy each, where heads are repeated; the output
  for (std::size_t t = 0; t < std::min(size_at(query, -2), most_decoded_tokens); ++t) {
    const auto tokens = [](const Shape& x, std::size_t count) { return matrices(x, count, size_at(x, -1)); };
    cost += attention_cost(tokens(query, 1), tokens(key, t + 1), tokens(value, t + 1), {.kept = true});
    cost.steps(1, tokens(query, 1)).steps(1, tokens(key, 1)).steps(1, tokens(value, 1));
    cost.steps(1, tokens(key, t + 1)).steps(1, tokens(value, t + 1)).steps(1, {1, t + 1});
  }
  return cost;
}

/// One token after the other: what a decoder does when it writes. All at once gives the same rows.
std::vector<CaseOutput> incremental_decoding(CaseSteps& steps) {
  const Tensor& query = steps.input("Q");
  Tensor key = steps.input("K");
  Tensor value = steps.input("V");
  if (query.rank() != 4 || key.rank() != 4 || value.rank() != 4 || key.dim(-2) != query.dim(-2) ||
      value.dim(-2) != query.dim(-2)) {
    throw std::invalid_argument(fmt::format(
        "IncrementalDecoding: Q, K and V are [batch, heads, seq_len, dim] of one seq_len, but are {}, {} and {}",
        to_string(query.shape()), to_string(key.shape()), to_string(value.shape())));
  }
  const std::string key_name = record_repeated_heads(steps, "K", key, query.dim(1));
  const std::string value_name = record_repeated_heads(steps, "V", value, query.dim(1));
  key = repeat_heads(key, query.dim(1));
  value = repeat_heads(value, query.dim(1));

  const std::size_t seq_len = query.dim(-2);
  if (seq_len > most_decoded_tokens) {
    throw std::invalid_argument(
        fmt::format("IncrementalDecoding: Q has {} tokens, and each has steps of its own: give {} or less", seq_len,
                    most_decoded_tokens));
  }
  KeyValueCache cache = empty_cache(key, value);
  std::vector<std::string> rows;
  std::vector<Tensor> contexts;
  for (std::size_t t = 0; t < seq_len; ++t) {
    const std::string prefix = fmt::format("t{}.", t);
    const auto cut = [&](const Tensor& x) { return slice(x, -2, t, t + 1); };
    const CachedSteps step = cached_attention(cut(query), cut(key), cut(value), cache);
    steps.moved(prefix + "Q", cut(query), slice("Q", -2, t, t + 1));
    // Built up as the cache is: the past, and the new token at its end.
    for (const auto& [name, all, joined] :
         {std::tuple{"K", key_name, step.present.key}, {"V", value_name, step.present.value}}) {
      const std::string fresh = prefix + "new_" + name;
      steps.moved(fresh, cut(name[0] == 'K' ? key : value), slice(all, -2, t, t + 1));
      const std::vector<std::string> parts =
          t == 0 ? std::vector{fresh} : std::vector{fmt::format("t{}.{}", t - 1, name), fresh};
      steps.moved(prefix + name, joined, concat(parts, -2));
    }
    steps.moved(prefix + "mask", step.mask, given());
    const AttentionNames names = record_attention(
        steps, step.attention,
        {.query = prefix + "Q", .key = prefix + "K", .value = prefix + "V", .keep = prefix + "mask", .prefix = prefix});
    rows.push_back(names.context);
    contexts.push_back(step.attention.context);
    cache = step.present;
  }
  if (rows.empty()) throw std::invalid_argument("IncrementalDecoding: there is no token");
  steps.step("output", concat(contexts, -2), concat(rows, -2), "The rows of all tokens, as they came.");
  return {{"output", "output"}};
}

}  // namespace

std::vector<Operator> dot_product_operators() {
  return {
      {.name = "ScaledDotProductAttention",
       .what = "Each query looks at all keys, and takes home a mixture of the values.",
       .formula = "softmax(Q Kᵀ / √d_k) V",
       .source = "Vaswani et al. 2017, eq. (1)",
       .needs = {"Q", "K", "V"},
       .may_have = {"mask", "bias"},
       .attributes = {},
       .gives = {"scores", "weights", "output"},
       .cost = scaled_dot_product_cost,
       .compute = scaled_dot_product},
      {.name = "FullyMaskedRowConventions",
       .what = "A query that may see no key leaves softmax with 0 / 0. Three habits: nan, equal shares, zeros.",
       .formula = "softmax of a row of -inf: nan, 1/n or 0",
       .source = "PyTorch; masks of -1e9; ONNX",
       .needs = {"Q", "K", "V", "mask"},
       .may_have = {},
       .attributes = {},
       .gives = {"weights_minus_inf", "output_minus_inf", "weights_minus_1e9", "output_minus_1e9", "weights_zero",
                 "output_zero"},
       .cost = fully_masked_rows_cost,
       .compute = fully_masked_rows},
      {.name = "SlidingWindowAttention",
       .what = "Each query looks at its neighbourhood only.",
       .formula = "softmax(Q Kᵀ / √d_k, -inf outside the window) V",
       .source = "Beltagy et al. 2020, section 3.1",
       .needs = {"Q", "K", "V"},
       .may_have = {},
       .attributes = {"window", "causal"},
       .gives = {"weights", "output"},
       .cost = sliding_window_cost,
       .compute = sliding_window},
      {.name = "AlibiAttention",
       .what = "Causal attention in which distance costs: each head takes off its slope times the distance.",
       .formula = "softmax(Q Kᵀ / √d_k + slope · (j - i)) V",
       .source = "Press et al. 2022, section 3",
       .needs = {"Q", "K", "V"},
       .may_have = {},
       .attributes = {"num_heads"},
       .gives = {"weights", "output"},
       .cost = linear_biases_cost,
       .compute = linear_biases},
      {.name = "IncrementalDecoding",
       .what = "One token at a time, with the keys and values of earlier ones kept in a cache.",
       .formula = "token t: softmax(q_t K_0..tᵀ / √d_k) V_0..t",
       .source = "Vaswani et al. 2017, section 3.2.3",
       .needs = {"Q", "K", "V"},
       .may_have = {},
       .attributes = {},
       .gives = {"output"},
       .cost = incremental_decoding_cost,
       .compute = incremental_decoding},
  };
}

}  // namespace attn
