#include "support/cases/operators/record_attention.hpp"

#include "attention/mask.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

namespace {

bool has_empty_row(const Tensor& masked) {
  const std::size_t size = masked.rank() == 0 ? 0 : masked.dim(-1);
  for (std::size_t first = 0; size > 0 && first < masked.size(); first += size) {
    const auto row = masked.values().begin() + static_cast<std::ptrdiff_t>(first);
    if (std::all_of(row, row + static_cast<std::ptrdiff_t>(size),
                    [](float x) { return x == -std::numeric_limits<float>::infinity(); })) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string shares_sentence(const Tensor& masked, EmptyRows empty_rows) {
  const std::string shares = "Softmax makes shares of each row.";
  if (!has_empty_row(masked)) return shares;
  switch (empty_rows) {
    case EmptyRows::zeros:
      return shares + " A query that may see no key would get 0 / 0; it gets zeros.";
    case EmptyRows::uniform:
      return shares + " A query that may see no key would get 0 / 0; it gets equal shares, as after a mask of -1e9.";
    case EmptyRows::nan:
      break;
  }
  return shares +
         " A query that may see no key gets 0 / 0, which is nan: by the definition, and in PyTorch. ONNX gives zeros; "
         "lesson 15 shows all three conventions.";
}

AttentionNames record_attention(CaseSteps& steps, const FamilySteps& attention, const AttentionOrigins& origins) {
  const auto named = [&](const char* name) { return origins.prefix + name; };
  AttentionNames names;

  const std::string scores = named("scores");
  steps.step(scores, attention.scores, matmul_transposed(origins.query, origins.key),
             "Each query meets each key: their dot product says how well they fit.");

  const auto head_dim = static_cast<float>(steps.board().trace().step(origins.query).value.dim(-1));
  const float factor = origins.scale ? *origins.scale : 1.0F / std::sqrt(head_dim);
  names.scaled = named("scaled");
  steps.step(names.scaled, attention.scaled, scale(scores, factor),
             origins.scale ? "Multiplied by the scale that the case asks for, {factor}."
                           : "Divided by the square root of head_dim, that is multiplied by {factor}.",
             {{"factor", factor}});
  names.capped = names.scaled;
  if (origins.soft_cap) {
    const std::string by_cap = named("by_cap");
    const std::string bent = named("bent");
    names.capped = named("capped");
    const Tensor divided = scale(attention.scaled, 1.0F / *origins.soft_cap);
    steps.moved(by_cap, divided, scale(names.scaled, 1.0F / *origins.soft_cap));
    steps.moved(bent, tanh(divided), tanh(by_cap));
    steps.step(names.capped, attention.capped, scale(bent, *origins.soft_cap),
               "A soft cap: divided by {cap}, through tanh, and times {cap}. No score passes it.",
               {{"cap", *origins.soft_cap}});
  }

  names.masked = names.capped;
  if (!origins.bias.empty()) {
    const Tensor biased = add(attention.capped, steps.board().trace().step(origins.bias).value);
    names.masked = named(origins.keep.empty() ? "masked" : "biased");
    steps.step(names.masked, biased, add(names.capped, origins.bias),
               "The numbers of {bias} are added; -inf hides a key.", {{"bias", origins.bias}});
  }
  if (!origins.keep.empty()) {
    const std::string before = names.masked;
    names.masked = named("masked");
    steps.step(names.masked, attention.masked, mask_fill(before, origins.keep),
               "Where {mask} is 0, the key is hidden: its score becomes -inf.", {{"mask", origins.keep}});
  }

  SoftmaxChoices choices;
  if (origins.softmax_precision == Precision::float16) choices.digits = 11;
  if (origins.softmax_precision == Precision::bfloat16) choices.digits = 8;
  if (origins.empty_rows != EmptyRows::nan && has_empty_row(attention.masked)) {
    const auto keys = static_cast<double>(attention.masked.dim(-1));
    choices.empty = origins.empty_rows == EmptyRows::zeros ? 0.0 : 1.0 / keys;
  }
  names.weights = named("weights");
  steps.weights(names.weights, attention.weights, softmax(names.masked, -1, choices),
                shares_sentence(attention.masked, origins.empty_rows));

  names.context = named("context");
  steps.step(names.context, attention.context, matmul(names.weights, origins.value),
             "Each query collects the values, each by its share.");
  return names;
}

FamilySteps as_family(const AttentionSteps& attention) {
  return {.scores = attention.scores,
          .scaled = attention.scaled,
          .capped = attention.scaled,
          .masked = attention.masked,
          .weights = attention.weights,
          .dropped = attention.weights,
          .context = attention.context};
}

CaseCost attention_cost(const Shape& query, const Shape& key, const Shape& value, const AttentionExtras& extras) {
  const Shape scores = matrices(query, size_at(query, -2), size_at(key, -2));
  CaseCost cost;
  cost.product(scores, size_at(query, -1)).steps(2, scores);  // scores; scaled, weights
  if (extras.capped) cost.steps(3, scores);
  if (extras.biased) cost.steps(1, scores);
  if (extras.kept) cost.steps(1, scores);
  return cost.product(matrices(query, size_at(query, -2), size_at(value, -1)), size_at(key, -2));
}

std::string for_every_head(CaseSteps& steps, const std::string& mask, std::size_t input_rank) {
  const Tensor& table = steps.input(mask);
  if (table.rank() != input_rank || table.rank() < 3) return mask;
  Shape shape = table.shape();
  shape.insert(shape.end() - 2, 1);
  std::string name = mask + "_of_heads";
  steps.moved(name, reshape(table, shape), reshape(mask));
  return name;
}

}  // namespace attn
