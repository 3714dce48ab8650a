#include "support/world/additive_weights.hpp"

#include "support/words/pytorch_lines.hpp"
#include "tensor/random.hpp"
#include "tensor/rearrange.hpp"
#include "text/vocabulary.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>

namespace attn {

namespace {

// Channels of the crafted world, by the names that it gives them.
std::size_t channel(const World& world, const char* name) {
  const auto found = std::find(world.channel_names.begin(), world.channel_names.end(), name);
  return static_cast<std::size_t>(found - world.channel_names.begin());
}

// The state of a verb brings the sum of unit "noun" from -4 up to 0: from where tanh is flat to where it is steep.
// Channel "one", which is about 1 in every row, takes the 4 off.
AdditiveWeights made_by_hand(const World& world) {
  const std::size_t noun = channel(world, "noun");
  const std::size_t verb = channel(world, "verb");
  const std::size_t one = channel(world, "one");
  AdditiveWeights weights{.W_query = Tensor({2, world.d_model}), .W_key = Tensor({2, world.d_model}), .v = {}};
  weights.W_query(0, verb) = 4.0F;
  weights.W_query(0, one) = -4.0F;
  weights.W_key(0, noun) = 2.0F;
  weights.W_query(1, noun) = 4.0F;
  weights.W_query(1, one) = -4.0F;
  weights.W_key(1, verb) = 2.0F;
  weights.v = Tensor({2}, {4.0F, 4.0F});
  return weights;
}

std::vector<std::string> unit_names(const World& world) {
  return world.crafted() ? std::vector<std::string>{"noun", "verb"} : std::vector<std::string>{};
}

/// Where the lines that load or draw the table end.
std::ptrdiff_t after_table(const std::vector<std::string>& lines, const World& world) {
  const auto table = std::find_if(lines.begin(), lines.end(),
                                  [](const std::string& line) { return line.starts_with("embedding = "); });
  return world.crafted() ? 1 : table - lines.begin() + 1;
}

/// The entries of a table that are not 0: "W[0, 12], W[0, 15] = 4, -4".
std::string entries(const std::string& name, const Tensor& table) {
  std::string places;
  std::string values;
  for (std::size_t i = 0; i < table.dim(0); ++i) {
    for (std::size_t d = 0; d < table.dim(1); ++d) {
      if (table(i, d) == 0.0F) continue;
      places += fmt::format("{}{}[{}, {}]", places.empty() ? "" : ", ", name, i, d);
      values += fmt::format("{}{}", values.empty() ? "" : ", ", table(i, d));
    }
  }
  return places + " = " + values;
}

}  // namespace

AdditiveWeights additive_weights(const World& world, const Options& options) {
  if (world.crafted()) return made_by_hand(world);
  const std::size_t units = std::min<std::size_t>(world.d_model / world.num_heads, 4);
  Random random(options.seed);
  static_cast<void>(embedding_weight(random, vocabulary_size, world.d_model));
  AdditiveWeights weights;
  weights.W_query = linear_weight(random, world.d_model, units);
  weights.W_key = linear_weight(random, world.d_model, units);
  weights.v = reshape(linear_weight(random, units, 1), {units});
  return weights;
}

void record_additive_weights(Board& board, const World& world, const AdditiveWeights& weights) {
  const std::vector<std::string> units = unit_names(world);
  board.record("W", weights.W_query, given().with_rows(units).with_columns(world.channel_names));
  board.record("U", weights.W_key, given().with_rows(units).with_columns(world.channel_names));
  board.record("v", reshape(weights.v, {1, weights.v.dim(0)}), given().with_rows({"v"}).with_columns(units));
}

std::string what_units_read(const World& world, std::size_t units) {
  if (!world.crafted()) {
    return units == 1 ? std::string("Here 1 hidden unit was drawn.")
                      : fmt::format("Here {} hidden units were drawn.", units);
  }
  return "Two hidden units, made by hand. \"noun\" reads 4·verb - 4·one of the state and 2·noun of a word; \"verb\" "
         "reads 4·noun - 4·one and 2·verb. v is 4 for both.";
}

std::vector<std::string> pytorch_lines_of_additive(const OneHead& text, const OneHead& memory,
                                                   const AdditiveWeights& weights, const Options& options) {
  const World& world = text.world;
  const std::size_t units = weights.v.dim(0);
  std::vector<std::string> lines = pytorch_lines_of_X(world, options);
  lines.back() = fmt::format("state = X[{}:{}]", text.i, text.i + 1);
  const std::vector<std::string> drawn = {
      fmt::format("W, U = [torch.nn.Linear({}, {}, bias=False).weight for _ in \"WU\"]", world.d_model, units),
      fmt::format("v = torch.nn.Linear({}, 1, bias=False).weight", units)};
  const bool torch = options.weights == Options::Weights::torch;
  if (torch) lines.insert(lines.begin() + after_table(lines, world), drawn.begin(), drawn.end());

  const std::vector<std::string> source = pytorch_lines_of_X(memory.world, options);
  lines.insert(lines.end(), source.begin() + after_table(source, world), source.end() - 1);
  if (world.crafted()) {
    lines.push_back(
        fmt::format("W, U, v = *torch.zeros(2, {}, {}), torch.full((1, {}), 4.)", units, world.d_model, units));
    lines.push_back(entries("W", weights.W_query));
    lines.push_back(entries("U", weights.W_key));
  } else if (!torch) {  // a file: its lines call its tables W
    lines.push_back(fmt::format("torch.manual_seed({})", options.seed));
    lines.push_back(fmt::format("torch.nn.Embedding({}, {})", vocabulary_size, world.d_model));
    lines.insert(lines.end(), drawn.begin(), drawn.end());
  }
  lines.emplace_back("w = torch.softmax(v @ torch.tanh(X @ U.T + state @ W.T).T, dim=-1)");
  lines.emplace_back("print(w, w @ X)");
  return lines;
}

}  // namespace attn
