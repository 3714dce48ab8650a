#include "support/world/layer_world.hpp"

#include "support/words/pytorch_lines.hpp"
#include "tensor/random.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

namespace attn {

namespace {

/// Of all words and one matrix [d_model, d_model]; a page computes some fifty times as many.
constexpr std::size_t most_products = std::size_t{1} << 25U;

constexpr std::size_t widest_line = 60;  // of PyTorch's lines, so that a page of 80 columns need not break them

void check_work(std::size_t words, std::size_t d_model) {
  if (words * d_model * d_model <= most_products) return;
  throw std::invalid_argument(fmt::format(
      "{} words in both texts and d_model {} together are too much work for whole layers: give shorter texts "
      "or a smaller d_model",
      words, d_model));
}

TorchMultiheadWeights attention_of(const World& world) {
  return {.W_Q = world.weights.W_Q,
          .W_K = world.weights.W_K,
          .W_V = world.weights.W_V,
          .W_O = world.weights.W_O,
          .b_O = world.weights.b_O};
}

}  // namespace

LayerWorld layer_world(const std::vector<OneHead>& sentences, const Options& options) {
  const World& world = sentences.front().world;
  const std::size_t d_model = world.d_model;
  std::size_t words = 0;
  for (const OneHead& sentence : sentences) words += sentence.world.tokens.size();
  check_work(words, d_model);

  LayerWorld layer;
  layer.hidden_dim = 4 * d_model;
  layer.seed = options.seed + 1;  // the embeddings of the torch world take the options' own
  Random random(layer.seed);
  layer.network.W_1 = linear_weight(random, d_model, layer.hidden_dim);
  layer.network.b_1 = linear_bias(random, d_model, layer.hidden_dim);
  layer.network.W_2 = linear_weight(random, layer.hidden_dim, d_model);
  layer.network.b_2 = linear_bias(random, layer.hidden_dim, d_model);
  layer.norm = {.scale = Tensor({d_model}, 1.0F), .bias = Tensor({d_model})};
  layer.encoder = {
      .self_attention = attention_of(world), .norm_1 = layer.norm, .feed_forward = layer.network, .norm_2 = layer.norm};
  layer.decoder = {.self_attention = attention_of(world),
                   .norm_1 = layer.norm,
                   .cross_attention = attention_of(world),
                   .norm_2 = layer.norm,
                   .feed_forward = layer.network,
                   .norm_3 = layer.norm};
  layer.options = {.num_heads = world.num_heads, .compute = world.compute};
  return layer;
}

std::vector<std::string> pytorch_lines_of_layer(const World& world, const Options& options, const LayerWorld& layer,
                                                const Tensor& after_attention) {
  const std::size_t d_model = world.d_model;
  const std::string seed = fmt::format("torch.manual_seed({})", layer.seed);
  const std::string wide = fmt::format("nn.Linear({}, {})", d_model, layer.hidden_dim);
  const std::string narrow = fmt::format("nn.Linear({}, {})", layer.hidden_dim, d_model);
  std::vector<std::string> lines;
  if (options.weights == Options::Weights::crafted) {
    lines = {"import torch, torch.nn as nn"};
    std::string line = "row = torch.tensor([[";  // of after_attention
    for (std::size_t d = 0; d < d_model; ++d) {
      const float value = after_attention(0, d);
      const char* const point = value == std::floor(value) ? "." : "";  // else PyTorch takes it for a whole number
      const std::string number = fmt::format("{}{}{}", value, point, d + 1 < d_model ? "," : "]])");
      if (line.size() + 1 + number.size() > widest_line) {
        lines.push_back(line);
        line = "   ";
      }
      line += line.ends_with('[') ? number : fmt::format(" {}", number);
    }
    lines.push_back(line);
    lines.push_back(seed);
    lines.push_back(fmt::format("W_1, W_2 = {}, {}", wide, narrow));
    lines.push_back(fmt::format("norm = nn.LayerNorm({})", d_model));
    lines.insert(lines.end(),
                 {"y = norm(row); print(y)    # row: after_attention", "print(norm(y + W_2(W_1(y).relu())))"});
    return lines;
  }
  lines = pytorch_lines_to_scaled(world, options, 1);
  lines.resize(lines.size() - 2);  // up to X, and the modules
  const bool file = options.weights == Options::Weights::file;
  const bool causal = options.mask == Options::MaskKind::causal;
  const char* const layer_of_X = causal ? "print(layer(X, hide))" : "print(layer(X))";
  const auto put = [&](const std::string& line) { lines.push_back(line); };
  if (causal) put(fmt::format("hide = torch.ones({0}, {0}).triu(1) == 1    # True hides", world.tokens.size()));
  if (file) put("import torch.nn as nn");
  put(fmt::format("layer = nn.TransformerEncoderLayer({}, {}, {}, 0.0)", d_model, world.num_heads, layer.hidden_dim));
  put(fmt::format("{}; layer.linear1 = {}", seed, wide));
  put(fmt::format("layer.linear2 = {}", narrow));
  put("a = layer.self_attn");  // its biases of Q, K and V begin as 0
  if (file) {
    put("names = (\"W_Q\", \"W_K\", \"W_V\")");
    put("a.in_proj_weight.data = torch.cat([W[n] for n in names])");
    put("a.out_proj.weight.data = W[\"W_O\"]");
    put("a.out_proj.bias.data = W[\"b_O\"][0]");
  } else {
    lines.back() += "; a.out_proj = o";
    put("a.in_proj_weight.data = torch.cat([q.weight, k.weight, v.weight])");
  }
  put(layer_of_X);
  put(fmt::format("layer.norm_first = True; {}", layer_of_X));
  return lines;
}

}  // namespace attn
