// Lesson 20: a layer
//
// Question   Where does attention sit in a model?
// Equation   y = LayerNorm(x + Attention(x)), output = LayerNorm(y + FFN(y))    Vaswani et al. 2017, 3.1
//            FFN(y) = max(0, y W_1^T + b_1) W_2^T + b_2                         Vaswani et al. 2017, eq. (2)
// Builds on  08 (mask), 12 (output projection), 13 (three kinds)

#include "attention/kinds/encoder_layer.hpp"
#include "support/lesson.hpp"
#include "support/record/record_layer.hpp"
#include "support/words/layer_words.hpp"
#include "support/world/layer_world.hpp"
#include "support/world/sentences.hpp"

namespace attn {

void lesson(Board& board, const Options& options) {
  const std::string source_text = memory_text(board, options, "Is the cat here?");
  const std::vector<OneHead> two = sentences(options, {options.text, source_text});
  const OneHead& one = two[0];
  const OneHead& source = two[1];
  const World& world = one.world;
  const Compute& compute = options.compute;  // how products are computed: lesson 25
  const Tensor& X = one.X;                   // [seq_len, d_model]
  const std::size_t i = one.i;
  const Mask mask = keep_where(one.mask);
  const LayerWorld layer = layer_world(two, options);
  record_inputs(board, one, source, layer);
  const std::vector<std::size_t> channels = channels_to_show(world, world.kind_channels);
  const auto attend = [&](const Tensor& query, const Tensor& memory, const Mask& hidden) {
    return multi_head_attention(query, memory, memory, world.weights, world.num_heads, hidden, compute).output;
  };
  const auto norm = [&](const Tensor& x) { return layer_norm(x, layer.norm).output; };
  const auto think = [&](const Tensor& x) { return feed_forward(x, layer.network, Activation::relu, compute).output; };

  board.title("A layer");
  board.map("output");
  board.say("Where does attention sit in a model?");
  board.say(
      "A layer is attention and then a small network, each followed by a sum and a norm. Its output has the shape of "
      "X: "
      "the next layer's X.");
  notice_each(board, remarks_on_text(world));

  // 1. What attention found is added to what was there.
  const Tensor attention = attend(X, X, mask);       // [seq_len, d_model], the output of lesson 12
  const Tensor after_attention = add(X, attention);  // [seq_len, d_model]
  record_first_sum(board, world, after_attention);

  board.part("Add what was there", "X + attention → [after_attention]");
  board.say("Attention's output (lesson 12) is added to X. For {word}:", {{"word", one.word}});
  board.formula("x + Attention(x): a residual connection", "Vaswani et al. 2017, 3.1");
  board.code({"after_attention"});
  show_rows(board, "residual", {"X", "attention", "after_attention"}, {"X", "attention", "sum"}, i,
            {.columns = channels});
  board.by_hand("after_attention", {i, largest_of(attention, i, channels)});
  board.notice("{sentence}", {{"sentence", what_the_sum_keeps(board, one, channels)}});

  // 2. Layer normalization: each word's row gets mean 0 and variance 1.
  const Tensor row_mean = mean(after_attention, -1);  // [seq_len]
  const Tensor centered = subtract(after_attention, column(row_mean));
  const Tensor variance = mean(multiply(centered, centered), -1);  // [seq_len]
  const Tensor norm_1 = norm(after_attention);                     // [seq_len, d_model]
  record_moments(board, row_mean, centered, variance);
  record_norm(board, "norm_1", "after_attention");

  board.part("Norm: each word on one scale", "after_attention → [norm_1]");
  board.say(
      "Each word's row is brought to mean 0 and variance 1. Training may then change the channels' scale (γ, here 1) "
      "and "
      "shift (β, here 0). By hand, a long sum writes out its own largest of all {d} channels.",
      {{"d", world.d_model}});
  board.formula("LN(x) = (x - mean) / √(variance+ε) · scale + shift", "Ba et al. 2016, 3");
  board.code({"row_mean", "centered", "variance", "norm_1"});
  show_rows(board, "normed", {"centered", "norm_1"}, {"x - mean", "norm_1"}, i, {.columns = channels});
  board.by_hand("norm_1", {i, largest_of(norm_1, i, channels)});
  board.notice("{sentence}", {{"sentence", what_the_norm_reaches(norm_1)}});

  // 3. The feed-forward network: each word by itself.
  const auto& [W_1, b_1, W_2, b_2] = layer.network;              // [hidden_dim, d_model] and back
  const Tensor hidden = linear(norm_1, W_1, *b_1, compute);      // [seq_len, hidden_dim]
  const Tensor activated = relu(hidden);                         // [seq_len, hidden_dim]
  const Tensor network = linear(activated, W_2, *b_2, compute);  // [seq_len, d_model]
  const Tensor output = norm(add(norm_1, network));              // [seq_len, d_model]
  record_to_output(board, layer);

  board.part("A network for each word by itself", "norm_1 → network → [output]");
  board.say("{sentence}", {{"sentence", what_the_network_is(layer)}});
  board.formula("FFN(y) = max(0, y W_1ᵀ + b_1) W_2ᵀ + b_2", "Vaswani et al. 2017, eq. (2)");
  board.shapes("hidden");
  board.code({"hidden", "activated", "network", "output"});
  show_rows(board, "inside", {"hidden", "activated"}, {"hidden", "activated"}, i,
            {.columns = first_columns(std::min<std::size_t>(7, layer.hidden_dim))});
  show_rows(board, "through", {"norm_1", "network", "output"}, {"norm_1", "network", "output"}, i,
            {.columns = channels});
  board.notice("{does} {same}", {{"does", what_the_network_does(one, layer, activated, norm_1, network)},
                                 {"same", same_in_one_call(output, one, layer, NormOrder::post)}});

  // 4. Norm before each part instead of after it.
  const Tensor pre_attention = attend(norm(X), norm(X), mask);
  const Tensor pre_sum = add(X, pre_attention);
  const Tensor pre_network = think(norm(pre_sum));
  const Tensor pre_output = add(pre_sum, pre_network);  // [seq_len, d_model]
  record_pre_norm(board, world, layer, pre_sum, pre_output);

  board.part("Norm before or after", "X → norm → attention, added to X → ...");
  board.say(
      "The paper norms each sum: post-norm. GPT-2 norms what attention and the network read, and leaves sums alone: "
      "pre-norm.");
  board.formula("y = x + Attention(LN(x));  output = y + FFN(LN(y))", "Xiong et al. 2020");
  board.code({"pre_attention", "pre_sum", "pre_network", "pre_output"});
  show_rows(board, "orders", {"output", "pre.output"}, {"post-norm", "pre-norm"}, i, {.columns = channels});
  board.notice("{leaves} {same}",
               {{"leaves", what_pre_norm_leaves({X, pre_attention, pre_network, pre_output, output})},
                {"same", same_in_one_call(pre_output, one, layer, NormOrder::pre)}});

  // 5. The decoder's layer asks twice: its own past, then the memory.
  const Tensor memory = encoder_layer(source.X, layer.encoder, layer.options).output;  // [source_len, d_model]
  const Mask causal = keep_where(causal_mask(X.dim(0)));
  const Tensor y = norm(add(X, attend(X, X, causal)));
  const Tensor z = norm(add(y, attend(y, memory, no_mask())));
  const Tensor decoded = norm(add(z, think(z)));  // [seq_len, d_model]
  record_decoder(board, one, layer, {memory, y, z, decoded});

  board.part("The decoder's layer", "X → y, with memory → z → [decoded]");
  board.say("{sentence}", {{"sentence", what_a_decoder_adds(source_text)}});
  board.formula("keys and values from the encoder's output", "Vaswani et al. 2017, 3.2.3");
  board.code({"y", "z", "decoded"});
  show_cross_weights(board, one);
  board.notice("{looks} {same}", {{"looks", where_it_looks_in_the_memory(board, one, source)},
                                  {"same", same_in_one_call(decoded, memory, one, layer)}});
  show_parameters(board, layer);
  board.notice("{sentence}", {{"sentence", what_parameters_cost(board, world)}});

  board.ask("Let W_O, W_2, b_O and b_2 be 0. What does a layer do?", "{sentence}",
            {{"sentence", what_silent_parts_leave(one, layer)}});
  board.pytorch(pytorch_lines_of_layer(world, options, layer, slice(after_attention, 0, i, i + 1)));
  board.experiment("--mask causal", "Whose rows stay?");
  board.experiment("--memory \"a dog sat.\"", "What stays?");
  board.experiment("--weights torch", "Which part writes most?");
  board.experiment("--seed 1", "Which numbers stay?");
}

}  // namespace attn
