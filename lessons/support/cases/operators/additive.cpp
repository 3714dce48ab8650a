// Attention before the Transformer: Bahdanau's and Luong's. One query per sentence, [batch, width].

#include "attention/kinds/additive.hpp"
#include "attention/kinds/luong.hpp"
#include "attention/mask.hpp"
#include "support/cases/operators/operator.hpp"
#include "support/cases/operators/record_attention.hpp"
#include "tensor/rearrange.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace attn {

namespace {

/// From the scores on.
CaseCost from_scores_cost(const CaseFile& file, bool masked) {
  const Shape keys = shape_of(file, "keys");
  const std::size_t batch = size_at(keys, 0);
  const std::size_t seq_len = size_at(keys, 1);
  CaseCost cost;
  cost.steps(1, shape_of(file, "query"));                                      // as rows
  cost.steps(masked ? 4 : 2, {batch, 1, seq_len}).steps(2, {batch, seq_len});  // scores, shares, mask, masked; lists
  return cost.product({batch, 1, size_at(keys, -1)}, seq_len).steps(1, {batch, size_at(keys, -1)});
}

/// The small network: every query with every key.
CaseCost network_cost(const CaseFile& file) {
  const Shape query = shape_of(file, "query");
  const Shape keys = shape_of(file, "keys");
  const std::size_t batch = size_at(keys, 0);
  const std::size_t seq_len = size_at(keys, 1);
  const std::size_t width = size_at(shape_of(file, "v"), 0);
  CaseCost cost;
  cost.product({batch, 1, width}, size_at(query, -1)).steps(1, {batch, 1, 1, width});
  cost.product({batch, seq_len, width}, size_at(keys, -1)).steps(1, {batch, 1, seq_len, width});
  cost.steps(2, {batch, 1, seq_len, width}).steps(1, {1, width});  // sums, hidden; v as a row
  return cost.product({batch, 1, seq_len, 1}, width);
}

/// The query of each sentence as a row of its own: [batch, 1, width].
Tensor record_query(CaseSteps& steps) {
  const Tensor& query = steps.input("query");
  const Tensor& keys = steps.input("keys");
  if (query.rank() != 2 || keys.rank() != 3) {
    throw std::invalid_argument(
        fmt::format("{}: query is [batch, width] and keys [batch, seq_len, width], not {} and {}", steps.file().op,
                    to_string(query.shape()), to_string(keys.shape())));
  }
  Tensor row = reshape(query, {query.dim(0), 1, query.dim(1)});
  steps.moved("query_row", row, reshape("query"));
  return row;
}

/// An axis of size 1 is taken out: [batch, 1, n] to [batch, n].
void record_list(CaseSteps& steps, const char* name, const Tensor& x, const std::string& from) {
  steps.moved(name, reshape(x, {x.dim(0), x.dim(2)}), reshape(from));
}

/// From the scores on, both kinds are alike.
template <typename Steps>
std::vector<CaseOutput> record_from_scores(CaseSteps& steps, const Steps& all, const std::string& keep) {
  const std::string masked(keep.empty() ? "scores" : "masked");
  if (!keep.empty()) {
    steps.step(masked, all.masked, mask_fill("scores", keep), "Padding is hidden: its score becomes -inf.");
  }
  steps.weights("shares", all.weights, softmax(masked, -1), shares_sentence(all.masked, EmptyRows::nan));
  steps.step("collected", all.context, matmul("shares", "keys"), "The query collects the keys, each by its share.");
  record_list(steps, "energies", all.scores, "scores");
  record_list(steps, "weights", all.weights, "shares");
  record_list(steps, "context", all.context, "collected");
  return {{"energies", "energies"}, {"weights", "weights"}, {"context", "context"}};
}

/// Every query with every key: tanh(W_query query + W_key key), and v times that.
void record_additive(CaseSteps& steps, const AdditiveSteps& all, const std::string& W_query, const std::string& W_key) {
  steps.step("projected_query", all.projected_query, linear("query_row", W_query),
             "The query, seen by the small network.");
  steps.step("projected_key", all.projected_key, linear("keys", W_key), "Each key, likewise.");
  const Tensor& K = all.projected_key;
  const Tensor& Q = all.projected_query;
  steps.moved("keys_apart", reshape(K, {K.dim(0), 1, K.dim(1), K.dim(2)}), reshape("projected_key"));
  steps.moved("query_apart", reshape(Q, {Q.dim(0), 1, 1, Q.dim(2)}), reshape("projected_query"));
  steps.step("sums", all.sums, add("keys_apart", "query_apart"), "The query is added to each key.");
  steps.step("hidden", all.hidden, tanh("sums"), "Through tanh, number by number.");
  const Tensor& v = steps.input("v");
  steps.moved("v_row", reshape(v, {1, v.size()}), reshape("v"));
  Shape with_axis = all.scores.shape();
  with_axis.push_back(1);
  steps.moved("score_column", reshape(all.scores, with_axis), linear("hidden", "v_row"));
  steps.step("scores", all.scores, reshape("score_column"), "v weighs them: one score for each key.");
}

CaseCost bahdanau_cost(const CaseFile& file) {
  CaseCost cost = from_scores_cost(file, file.has_input("lengths"));
  return cost += network_cost(file);
}

CaseCost luong_cost(const CaseFile& file) {
  CaseCost cost = from_scores_cost(file, /*masked=*/false);
  const Shape keys = shape_of(file, "keys");
  const Shape W = shape_of(file, "W");
  const std::string kind = file.word("kind", "dot");
  if (kind == "concat") {
    cost.steps(1, W);  // in two parts
    return cost += network_cost(file);
  }
  const std::size_t batch = size_at(keys, 0);
  if (kind == "general") cost.steps(1, W).product({batch, 1, size_at(keys, -1)}, size_at(W, 0));
  cost.products +=
      static_cast<double>(batch) * static_cast<double>(size_at(keys, 1)) * static_cast<double>(size_at(keys, -1));
  return cost;
}

std::vector<CaseOutput> bahdanau(CaseSteps& steps) {
  const Tensor query = record_query(steps);
  const Tensor& keys = steps.input("keys");
  Mask mask = no_mask();
  if (steps.has("lengths")) {
    std::vector<std::size_t> lengths;
    for (const float length : steps.input("lengths").values()) {
      if (!(length >= 0.0F) || length != std::floor(length) || length > 1e7F) {
        throw std::invalid_argument(
            fmt::format("BahdanauAttention: a length is {}, and must be a whole number", length));
      }
      lengths.push_back(static_cast<std::size_t>(length));
    }
    mask = keep_where(padding_mask(lengths, keys.dim(1)));
    steps.given("mask", *mask.keep, "1 for the words of a sentence, 0 for its padding.");
  }
  const AdditiveWeights weights{
      .W_query = steps.input("W_query"), .W_key = steps.input("W_key"), .v = steps.input("v")};
  const AdditiveSteps all = additive_attention(query, keys, keys, weights, mask);
  record_additive(steps, all, "W_query", "W_key");
  return record_from_scores(steps, all, steps.has("lengths") ? "mask" : "");
}

std::vector<CaseOutput> luong(CaseSteps& steps) {
  const CaseFile& file = steps.file();
  const std::string kind = file.word("kind", "dot");
  const Tensor query = record_query(steps);
  const Tensor& keys = steps.input("keys");
  if (kind == "dot") {
    const MultiplicativeSteps all = luong_dot(query, keys, keys);
    steps.step("scores", all.scores, matmul_transposed("query_row", "keys"),
               "The query meets each key: a dot product.");
    return record_from_scores(steps, all, "");
  }
  if (kind == "general") {
    const Tensor& W = steps.input("W");
    const MultiplicativeSteps all = luong_general(query, keys, keys, W);
    steps.moved("W_turned", transpose(W), transpose("W"));
    steps.step("projected_query", all.projected_query, linear("query_row", "W_turned"), "The query times W.");
    steps.step("scores", all.scores, matmul_transposed("projected_query", "keys"), "It meets each key: a dot product.");
    return record_from_scores(steps, all, "");
  }
  if (kind == "concat") {
    const Tensor& W = steps.input("W");
    const Tensor& v = steps.input("v");
    const AdditiveSteps all = luong_concat(query, keys, keys, W, v);
    const std::size_t width = query.dim(-1);
    steps.moved("W_query", slice(W, 1, 0, width), slice("W", 1, 0, width));
    steps.moved("W_key", slice(W, 1, width, W.dim(1)), slice("W", 1, width, W.dim(1)));
    record_additive(steps, all, "W_query", "W_key");
    return record_from_scores(steps, all, "");
  }
  throw std::invalid_argument(fmt::format("LuongAttention: kind is {}, and must be dot, general or concat", kind));
}

}  // namespace

std::vector<Operator> additive_operators() {
  return {
      {.name = "BahdanauAttention",
       .what = "The first attention: a small network scores the decoder's state against each state of the encoder.",
       .formula = "energy_j = v · tanh(W_query query + W_key key_j)",
       .source = "Bahdanau et al. 2015, section 3.1",
       .needs = {"query", "keys", "W_query", "W_key", "v"},
       .may_have = {"lengths"},
       .attributes = {},
       .gives = {"energies", "weights", "context"},
       .cost = bahdanau_cost,
       .compute = bahdanau},
      {.name = "LuongAttention",
       .what = "Three ways to score the decoder's state against each state of the encoder.",
       .formula = "dot: q·k   general: q W k   concat: v · tanh(W [q; k])",
       .source = "Luong et al. 2015, section 3.1",
       .needs = {"query", "keys"},
       .may_have = {"W", "v"},
       .attributes = {"kind"},
       .gives = {"energies", "weights", "context"},
       .cost = luong_cost,
       .compute = luong},
  };
}

}  // namespace attn
