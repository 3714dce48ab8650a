// Normalization of rows, and BERT's embeddings, which end with one.

#include "attention/embedding.hpp"
#include "attention/kinds/layer_norm.hpp"
#include "attention/kinds/learned_positions.hpp"
#include "attention/kinds/rms_norm.hpp"
#include "support/cases/operators/operator.hpp"
#include "support/cases/operators/record_norm.hpp"
#include "tensor/elementwise.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace attn {

namespace {

CaseCost normalization_cost(const CaseFile& file) {
  return norm_cost(shape_of(file, "X"), axis_attribute(file, "X", -1));
}

std::vector<CaseOutput> layer_normalization(CaseSteps& steps) {
  const CaseFile& file = steps.file();
  const Tensor& X = steps.input("X");
  LayerNormWeights weights{.scale = steps.input("W"), .bias = std::nullopt};
  if (steps.has("B")) weights.bias = steps.input("B");
  const double epsilon = file.number("epsilon", 1e-5);
  const LayerNormSteps all = layer_norm(X, weights, {.axis = axis_attribute(file, "X", -1), .epsilon = epsilon});
  const std::string output = record_layer_norm(steps, "X", "W", steps.has("B") ? "B" : "", all, epsilon, "");
  return {{"Y", output}, {"Mean", "mean"}, {"InvStdDev", "inverse_std"}};
}

std::vector<CaseOutput> rms_normalization(CaseSteps& steps) {
  const CaseFile& file = steps.file();
  const Tensor& X = steps.input("X");
  const double epsilon = file.number("epsilon", 1e-5);
  const RmsNormSteps all = rms_norm(X, steps.input("W"), {.axis = axis_attribute(file, "X", -1), .epsilon = epsilon});
  return {{"Y", record_rms_norm(steps, "X", "W", all, epsilon, "")}};
}

CaseCost bert_embeddings_cost(const CaseFile& file) {
  const Shape ids = shape_of(file, "input_ids");
  const std::size_t d_model = size_at(shape_of(file, "word_embeddings"), 1);
  const Shape rows = and_last(ids, d_model);
  CaseCost cost;
  cost.steps(4, rows).steps(1, {size_at(ids, 1), d_model});  // words, types, their sums; places
  return cost += norm_cost(rows, -1);
}

std::vector<CaseOutput> bert_embeddings(CaseSteps& steps) {
  const Tensor& words = steps.input("word_embeddings");
  const Tensor& places = steps.input("position_embeddings");
  const Tensor& types = steps.input("token_type_embeddings");
  const Tensor& ids = steps.input("input_ids");
  const Tensor& type_ids = steps.input("token_type_ids");
  if (ids.rank() != 2 || type_ids.shape() != ids.shape() || words.rank() != 2) {
    throw std::invalid_argument(
        fmt::format("BertEmbeddings: input_ids and token_type_ids are [batch, seq_len], and word_embeddings [rows, "
                    "d_model], not {}, {} and {}",
                    to_string(ids.shape()), to_string(type_ids.shape()), to_string(words.shape())));
  }
  const Tensor word_rows = gather(words, ids);
  const Tensor place_rows = learned_positions(places, ids.dim(1));
  const Tensor type_rows = gather(types, type_ids);
  const Tensor with_places = add(word_rows, place_rows);
  const Tensor all_three = add(with_places, type_rows);
  steps.step("words", word_rows, gather("word_embeddings", "input_ids"), "Each id takes its row of the table.");
  steps.step("places", place_rows, slice("position_embeddings", 0, 0, ids.dim(1)), "Each place takes its row.");
  steps.step("types", type_rows, gather("token_type_embeddings", "token_type_ids"),
             "First sentence or second: each takes the row of its type.");
  steps.moved("words_and_places", with_places, add("words", "places"));
  steps.step("sum", all_three, add("words_and_places", "types"), "All three are added up.");
  const double epsilon = steps.file().number("layer_norm_eps", 1e-12);
  const LayerNormSteps norm = layer_norm(
      all_three, {.scale = steps.input("norm_weight"), .bias = steps.input("norm_bias")}, {.epsilon = epsilon});
  const std::string output = record_layer_norm(steps, "sum", "norm_weight", "norm_bias", norm, epsilon, "norm.");
  return {{"sum", "sum"}, {"output", output}};
}

}  // namespace

std::vector<Operator> norm_operators() {
  return {
      {.name = "LayerNormalization",
       .what =
           "The mean of each row is taken off, it is divided by its spread, and each channel gets a learned factor.",
       .formula = "Y = (X - mean) / √(variance + ε) · W, and + B if there is one",
       .source = "Ba et al. 2016, section 3; ONNX",
       .needs = {"X", "W"},
       .may_have = {"B"},
       .attributes = {"axis", "epsilon", "opset", "stash_type"},
       .gives = {"Y", "Mean", "InvStdDev"},
       .cost = normalization_cost,
       .compute = layer_normalization},
      {.name = "RMSNormalization",
       .what = "Each row is divided by its size, and each channel gets a learned factor.",
       .formula = "Y = X / √(mean of X² + ε) · W",
       .source = "Zhang and Sennrich 2019, eq. (4); ONNX",
       .needs = {"X", "W"},
       .may_have = {},
       .attributes = {"axis", "epsilon", "opset", "stash_type"},
       .gives = {"Y"},
       .cost = normalization_cost,
       .compute = rms_normalization},
      {.name = "BertEmbeddings",
       .what = "What enters BERT: the rows of word, place and type of sentence added up and normalized.",
       .formula = "LayerNorm(word[id] + position[i] + type[t])",
       .source = "Devlin et al. 2019, section 3",
       .needs = {"word_embeddings", "position_embeddings", "token_type_embeddings", "norm_weight", "norm_bias",
                 "input_ids", "token_type_ids"},
       .may_have = {},
       .attributes = {"layer_norm_eps"},
       .gives = {"sum", "output"},
       .cost = bert_embeddings_cost,
       .compute = bert_embeddings},
  };
}

}  // namespace attn
