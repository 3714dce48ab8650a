// Where a token stands, and rows of tables: sinusoids, embeddings, and positions that turn queries and keys.

#include "attention/positions.hpp"
#include "attention/embedding.hpp"
#include "attention/kinds/onnx_rotary.hpp"
#include "attention/kinds/rotary.hpp"
#include "attention/multi_head.hpp"
#include "support/cases/operators/operator.hpp"
#include "support/cases/operators/record_rotation.hpp"
#include "tensor/rearrange.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace attn {

namespace {

/// How many rows a table has that holds each of the positions.
std::size_t rows_up_to_furthest(const Tensor& positions) {
  float furthest = 0.0F;
  for (const float position : positions.values()) {
    if (!(position >= 0.0F) || position != std::floor(position) || position > static_cast<float>(most_case_numbers)) {
      throw std::invalid_argument(fmt::format("SinusoidalPositions: a position is {}, and must be 0, 1, 2, .. {}",
                                              position, most_case_numbers));
    }
    furthest = std::max(furthest, position);
  }
  return static_cast<std::size_t>(furthest) + 1;
}

CaseCost sinusoidal_cost(const CaseFile& file) {
  const std::size_t d_model = size_attribute(file, "d_model");
  CaseCost cost;
  cost.steps(1, {rows_up_to_furthest(file.input("positions")), d_model});
  return cost.steps(1, and_last(shape_of(file, "positions"), d_model));
}

std::vector<CaseOutput> sinusoidal(CaseSteps& steps) {
  const std::size_t d_model = size_attribute(steps.file(), "d_model");
  const Tensor& positions = steps.input("positions");
  const std::size_t rows = rows_up_to_furthest(positions);
  const Tensor table = sinusoidal_positions(rows, d_model);
  steps.step("table", table, sinusoid(rows, d_model),
             "Waves: channels 0, 2, .. are sines and 1, 3, .. cosines; each pair is slower than the one before.");
  steps.step("encoding", gather(table, positions), gather("table", "positions"), "The rows of the positions.");
  return {{"encoding", "encoding"}};
}

CaseCost embedding_cost(const CaseFile& file) {
  CaseCost cost;
  return cost.steps(1, and_last(shape_of(file, "ids"), size_at(shape_of(file, "weight"), 1)));
}

std::vector<CaseOutput> embedding(CaseSteps& steps) {
  const Tensor& table = steps.input("weight");
  const Tensor& ids = steps.input("ids");
  steps.step("output", gather(table, ids), gather("weight", "ids"), "Each id takes its row of the table.");
  return {{"output", "output"}};
}

RotaryLayout layout_of(const CaseFile& file) {
  return flag_attribute(file, "interleaved", false) ? RotaryLayout::interleaved : RotaryLayout::halves;
}

CaseCost rope_cost(const CaseFile& file) {
  const Shape x = shape_of(file, "x");
  CaseCost cost = turns_cost(size_at(x, -2), size_at(x, -1));
  return cost += rotation_cost(x, size_at(x, -1), layout_of(file));
}

std::vector<CaseOutput> rope(CaseSteps& steps) {
  const Tensor& x = steps.input("x");
  if (x.rank() < 2) throw std::invalid_argument("Rope: x must be [.., seq_len, head_dim]");
  const RotaryLayout layout = layout_of(steps.file());
  const double base = steps.file().number("base", 10000.0);
  const RotarySteps all = rotary_embedding(x, consecutive_positions(x.dim(-2)), {.layout = layout, .base = base});
  record_turns(steps, x.dim(-2), x.dim(-1), base);
  record_rotation(steps, "x", "cos", "sin", all.rotated, layout, "y");
  return {{"y", "y"}};
}

/// The cosines or sines that the tokens take, the same for every head: [batch, 1, seq_len, rotary_dim / 2].
std::string record_cache(CaseSteps& steps, const std::string& cache) {
  const Tensor& table = steps.input(cache);
  std::string rows = cache;
  Tensor taken = table;
  if (steps.has("position_ids")) {
    taken = gather(table, steps.input("position_ids"));
    rows = cache + "_rows";
    steps.step(rows, taken, gather(cache, "position_ids"), "Each token takes the row of its position.");
  }
  std::string of_heads = cache + "_of_heads";
  steps.moved(of_heads, reshape(taken, {taken.dim(0), 1, taken.dim(1), taken.dim(2)}), reshape(rows));
  return of_heads;
}

CaseCost onnx_rotary_cost(const CaseFile& file) {
  const Shape input = shape_of(file, "input");
  const std::size_t pairs = size_at(shape_of(file, "cos_cache"), -1);
  const Shape turns =
      file.has_input("position_ids") ? and_last(shape_of(file, "position_ids"), pairs) : shape_of(file, "cos_cache");
  CaseCost cost;
  cost.steps(file.has_input("position_ids") ? 4 : 2, turns);
  if (input.size() == 4) return cost += rotation_cost(input, 2 * pairs, layout_of(file));
  const Shape heads = heads_apart(input, file.attrs.count("num_heads") > 0 ? size_attribute(file, "num_heads", 0) : 1);
  cost.steps(1, heads).steps(1, input);
  return cost += rotation_cost(heads, 2 * pairs, layout_of(file));
}

std::vector<CaseOutput> onnx_rotary(CaseSteps& steps) {
  const CaseFile& file = steps.file();
  std::optional<Tensor> position_ids;
  if (file.has_input("position_ids")) position_ids = file.input("position_ids");
  const auto size = [&](const char* name) {
    return file.attrs.count(name) > 0 ? size_attribute(file, name, 0) : std::size_t{0};
  };
  const RotaryLayout layout = layout_of(file);
  const OnnxRotaryOptions options{.interleaved = layout == RotaryLayout::interleaved,
                                  .num_heads = size("num_heads"),
                                  .rotary_embedding_dim = size("rotary_embedding_dim")};
  const Tensor& input = steps.input("input");
  const Tensor output =
      onnx_rotary_embedding(input, file.input("cos_cache"), file.input("sin_cache"), position_ids, options);
  const std::string cos = record_cache(steps, "cos_cache");
  const std::string sin = record_cache(steps, "sin_cache");
  if (input.rank() == 4) {
    record_rotation(steps, "input", cos, sin, output, layout, "output");
    return {{"output", "output"}};
  }
  steps.step("heads", split_heads(input, options.num_heads), split_heads("input", options.num_heads),
             "The channels are cut into heads.");
  record_rotation(steps, "heads", cos, sin, split_heads(output, options.num_heads), layout, "rotated");
  steps.step("output", output, merge_heads("rotated", options.num_heads), "The heads side by side again.");
  return {{"output", "output"}};
}

}  // namespace

std::vector<Operator> position_operators() {
  return {
      {.name = "SinusoidalPositions",
       .what = "Each place gets a row of waves, from fast ones to slow ones.",
       .formula = "sin, cos(pos / 10000^(2i / d_model))",
       .source = "Vaswani et al. 2017, section 3.5",
       .needs = {"positions"},
       .may_have = {},
       .attributes = {"d_model"},
       .gives = {"encoding"},
       .cost = sinusoidal_cost,
       .compute = sinusoidal},
      {.name = "Embedding",
       .what = "Each id takes its row of a table.",
       .formula = "output[i] = weight[ids[i]]",
       .source = "Vaswani et al. 2017, section 3.4",
       .needs = {"weight", "ids"},
       .may_have = {},
       .attributes = {},
       .gives = {"output"},
       .cost = embedding_cost,
       .compute = embedding},
      {.name = "Rope",
       .what = "Pairs of channels turn by an angle that grows with the place.",
       .formula = "(a cos - b sin, a sin + b cos), angle pos / base^(2i / d)",
       .source = "Su et al. 2021, section 3.2.2",
       .needs = {"x"},
       .may_have = {},
       .attributes = {"base", "interleaved"},
       .gives = {"y"},
       .cost = rope_cost,
       .compute = rope},
      {.name = "RotaryEmbedding",
       .what = "ONNX's rotary positions: pairs of channels turn, with cosines and sines from tables.",
       .formula = "(a cos - b sin, a sin + b cos)",
       .source = "ONNX, operator RotaryEmbedding, opset 23",
       .needs = {"input", "cos_cache", "sin_cache"},
       .may_have = {"position_ids"},
       .attributes = {"opset", "interleaved", "num_heads", "rotary_embedding_dim"},
       .gives = {"output"},
       .cost = onnx_rotary_cost,
       .compute = onnx_rotary},
  };
}

}  // namespace attn
