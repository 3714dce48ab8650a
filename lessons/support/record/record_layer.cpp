#include "support/record/record_layer.hpp"

#include "attention/embedding.hpp"
#include "attention/kinds/layer_norm.hpp"
#include "attention/mask.hpp"
#include "attention/multi_head.hpp"
#include "support/record/record_head.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"
#include "text/vocabulary.hpp"

#include <cmath>

namespace attn {

namespace {

const LayerNormOptions norm_options = {};

const Tensor& value_of(const Board& board, const std::string& step) {
  return board.trace().step(step).value;
}

void record_sum(Board& board, const std::string& name, const std::string& a, const std::string& b) {
  board.record(name, add(value_of(board, a), value_of(board, b)), add(a, b));
}

/// How many numbers a linear map or a norm learns.
std::size_t size_of(const std::optional<Tensor>& learned) {
  return learned ? learned->size() : 0;
}

std::size_t parameters_of(const TorchMultiheadWeights& attention) {
  return attention.W_Q.size() + attention.W_K.size() + attention.W_V.size() + size_of(attention.b_Q) +
         size_of(attention.b_K) + size_of(attention.b_V) + attention.W_O.size() + size_of(attention.b_O);
}

std::size_t parameters_of(const FeedForwardWeights& network) {
  return network.W_1.size() + size_of(network.b_1) + network.W_2.size() + size_of(network.b_2);
}

std::size_t parameters_of(const LayerNormWeights& norm) {
  return norm.scale.size() + size_of(norm.bias);
}

}  // namespace

void record_inputs(Board& board, const OneHead& text, const OneHead& memory, const LayerWorld& layer) {
  const World& world = text.world;
  board.option("head", text.head);
  board.record("embedding_table", world.embedding_table,
               given().with_rows(row_labels(world.encoding)).with_columns(world.channel_names));
  const auto record = [&](const std::string& prefix, const OneHead& sentence) {
    const std::vector<std::string> words = sentence.world.token_texts();
    board.record(prefix + "tokens", sentence.world.ids, tokenize(words));
    board.record(prefix + "embeddings", sentence.embeddings, gather("embedding_table", prefix + "tokens"));
    board.record(prefix + "positions", sentence.positions,
                 sentence.waves ? sinusoid(words.size(), world.d_model) : given());
    board.record(prefix + "X", sentence.X, add(prefix + "embeddings", prefix + "positions"));
  };
  record("", text);
  record("memory.", memory);
  const std::vector<std::string> words = world.token_texts();
  const Tensor causal = causal_mask(words.size());
  board.record("mask", text.mask, given().with_rows(words).with_columns(words));
  board.record("causal", causal, given().with_rows(words).with_columns(words));
  board.record("W_Q", world.weights.W_Q, given().with_columns(world.channel_names));
  board.record("W_K", world.weights.W_K, given().with_columns(world.channel_names));
  board.record("W_V", world.weights.W_V, given().with_columns(world.channel_names));
  board.record("W_O", world.weights.W_O, given().with_rows(world.channel_names));
  board.record("b_O", world.weights.b_O, given().with_rows(world.channel_names));
  board.record("W_1", layer.network.W_1, given().with_columns(world.channel_names));
  board.record("b_1", *layer.network.b_1, given());
  board.record("W_2", layer.network.W_2, given().with_rows(world.channel_names));
  board.record("b_2", *layer.network.b_2, given().with_rows(world.channel_names));
  board.record("scale", layer.norm.scale, given().with_rows(world.channel_names));
  board.record("shift", *layer.norm.bias, given().with_rows(world.channel_names));
}

void record_attend(Board& board, const World& world, const std::string& prefix, const Attended& attended) {
  const Tensor& query = value_of(board, attended.query);
  const Tensor& memory = value_of(board, attended.memory);
  const bool masked = !attended.mask.empty();
  const Mask mask = masked ? keep_where(value_of(board, attended.mask)) : no_mask();
  const std::size_t num_heads = world.num_heads;
  const MultiHeadSteps steps =
      multi_head_attention(query, memory, memory, world.weights, num_heads, mask, world.compute);
  const std::vector<std::string> asking = board.trace().step(attended.query).rows;
  const std::vector<std::string> asked = board.trace().step(attended.memory).rows;

  const auto name = [&](const char* step) { return prefix + step; };
  const auto record_heads_of = [&](const char* step, const char* weight, const std::string& from, const Tensor& value) {
    board.record(name(step), value, linear(from, weight));
    board.record(name(step) + "_heads", split_heads(value, num_heads),
                 split_heads(name(step), num_heads).with_rows(board.trace().step(from).rows));
  };
  record_heads_of("Q", "W_Q", attended.query, steps.Q);
  record_heads_of("K", "W_K", attended.memory, steps.K);
  record_heads_of("V", "W_V", attended.memory, steps.V);
  const float factor = 1.0F / std::sqrt(static_cast<float>(world.d_model / num_heads));
  const AttentionSteps& heads = steps.heads;
  board.record(name("scores"), heads.scores,
               matmul_transposed(name("Q_heads"), name("K_heads")).with_rows(asking).with_columns(asked));
  board.record(name("scaled"), heads.scaled, scale(name("scores"), factor));
  if (masked) board.record(name("masked"), heads.masked, mask_fill(name("scaled"), attended.mask));
  board.record(name("weights"), heads.weights, softmax(name(masked ? "masked" : "scaled"), -1));
  board.record(name("context"), heads.context, matmul(name("weights"), name("V_heads")));
  board.record(name("concat"), steps.concat, merge_heads(name("context"), num_heads).with_rows(asking));
  board.record(name("attention"), steps.output, linear(name("concat"), "W_O", "b_O"));
}

void record_norm(Board& board, const std::string& name, const std::string& from) {
  const LayerNormWeights learned = {.scale = value_of(board, "scale"), .bias = value_of(board, "shift")};
  board.record(name, layer_norm(value_of(board, from), learned, norm_options).output,
               layer_norm(from, "scale", "shift", norm_options.epsilon));
}

void record_think(Board& board, const LayerWorld& layer, const std::string& prefix, const std::string& from) {
  const FeedForwardSteps steps =
      feed_forward(value_of(board, from), layer.network, Activation::relu, layer.options.compute);
  board.record(prefix + "hidden", steps.hidden, linear(from, "W_1", "b_1"));
  board.record(prefix + "activated", steps.activated, relu(prefix + "hidden"));
  board.record(prefix + "network", steps.output, linear(prefix + "activated", "W_2", "b_2"));
}

void record_first_sum(Board& board, const World& world, const Tensor& after_attention) {
  record_attend(board, world, "", {"X", "X", "mask"});
  board.record("after_attention", after_attention, add("X", "attention"));
}

void record_to_output(Board& board, const LayerWorld& layer) {
  record_think(board, layer, "", "norm_1");
  record_sum(board, "after_network", "norm_1", "network");
  record_norm(board, "output", "after_network");
}

Tensor column(const Tensor& list) {
  return reshape(list, {list.size(), 1});
}

void record_moments(Board& board, const Tensor& row_mean, const Tensor& centered, const Tensor& variance) {
  const std::vector<std::string> words = board.trace().step("after_attention").rows;
  board.record("row_mean", row_mean, mean("after_attention", -1));
  board.record("mean_column", column(row_mean), reshape("row_mean").with_rows(words));
  board.record("centered", centered, subtract("after_attention", "mean_column"));
  board.record("squares", multiply(centered, centered), multiply("centered", "centered"));
  board.record("variance", variance, mean("squares", -1));
}

void record_pre_norm(Board& board, const World& world, const LayerWorld& layer, const Tensor& after_attention,
                     const Tensor& output) {
  record_norm(board, "pre.norm_1", "X");
  record_attend(board, world, "pre.", {"pre.norm_1", "pre.norm_1", "mask"});
  board.record("pre.after_attention", after_attention, add("X", "pre.attention"));
  record_norm(board, "pre.norm_2", "pre.after_attention");
  record_think(board, layer, "pre.", "pre.norm_2");
  board.record("pre.output", output, add("pre.after_attention", "pre.network"));
}

void record_decoder(Board& board, const OneHead& text, const LayerWorld& layer, const Decoded& steps) {
  const World& world = text.world;
  record_attend(board, world, "source.", {"memory.X", "memory.X"});
  record_sum(board, "source.after_attention", "memory.X", "source.attention");
  record_norm(board, "source.norm_1", "source.after_attention");
  record_think(board, layer, "source.", "source.norm_1");
  record_sum(board, "source.after_network", "source.norm_1", "source.network");
  const auto record_result = [&](const char* name, const Tensor& value, const std::string& from) {
    board.record(name, value, layer_norm(from, "scale", "shift", norm_options.epsilon));
  };
  record_result("memory", steps.memory, "source.after_network");

  record_attend(board, world, "self.", {"X", "X", "causal"});
  record_sum(board, "self.after_attention", "X", "self.attention");
  record_result("y", steps.y, "self.after_attention");
  record_attend(board, world, "cross.", {"y", "memory"});
  record_sum(board, "cross.after_attention", "y", "cross.attention");
  record_result("z", steps.z, "cross.after_attention");
  record_think(board, layer, "last.", "z");
  record_sum(board, "last.after_network", "z", "last.network");
  record_result("decoded", steps.decoded, "last.after_network");
}

void show_cross_weights(Board& board, const OneHead& text) {
  const Step& weights = board.trace().step("cross.weights");
  const std::vector<std::string> rows = weights.rows;
  const std::vector<std::string> columns = weights.columns;
  const Tensor of_head = slice(weights.value, 0, text.head - 1, text.head);
  board.record("cross.head", of_head, slice("cross.weights", 0, text.head - 1, text.head));
  board.record("cross_weights", reshape(of_head, {rows.size(), columns.size()}),
               reshape("cross.head").with_rows(rows).with_columns(columns));
  board.bars("cross_weights", text.i);
}

void show_parameters(Board& board, const LayerWorld& layer) {
  const EncoderLayerWeights& encoder = layer.encoder;
  const DecoderLayerWeights& decoder = layer.decoder;
  const std::vector<std::size_t> counts = {
      parameters_of(encoder.self_attention),
      parameters_of(decoder.self_attention) + parameters_of(decoder.cross_attention),
      parameters_of(encoder.feed_forward),
      parameters_of(decoder.feed_forward),
      parameters_of(encoder.norm_1) + parameters_of(encoder.norm_2),
      parameters_of(decoder.norm_1) + parameters_of(decoder.norm_2) + parameters_of(decoder.norm_3)};
  const Tensor parts({3, 2}, std::vector<float>(counts.begin(), counts.end()));
  const Tensor total = sum(parts, 0);
  board.record("parts", parts,
               given().with_rows({"attention", "network", "norms"}).with_columns({"encoder", "decoder"}));
  board.record("total", total, sum("parts", 0));
  board.record("total_row", reshape(total, {1, 2}), reshape("total").with_rows({"together"}));
  board.show("learned", concat(std::vector<Tensor>{parts, reshape(total, {1, 2})}, 0),
             concat(std::vector<std::string>{"parts", "total_row"}, 0));
}

}  // namespace attn
