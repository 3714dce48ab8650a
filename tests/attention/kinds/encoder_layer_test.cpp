#include "attention/kinds/encoder_layer.hpp"

#include "attention/kinds/decoder_layer.hpp"
#include "attention/kinds/drawn.hpp"
#include "attention/kinds/random_layers.hpp"
#include "catch.hpp"
#include "check_close.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/random.hpp"
#include "tensor/rearrange.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <vector>

namespace attn {

namespace {

constexpr Tolerance exact{};

/// Random layers, inputs and options of random sizes.
struct Example {
  std::size_t batch, seq_len, source_len;
  LayerOptions options;
  Tensor x, memory;
  EncoderLayerWeights encoder;
  DecoderLayerWeights decoder;

  explicit Example(std::uint32_t seed) {
    Drawn drawn(seed);
    Random random(seed);
    batch = 1 + drawn.below(3);
    seq_len = drawn.size();
    source_len = drawn.size();
    const std::size_t head_dim = 1 + drawn.below(5);
    options = {.num_heads = 1 + drawn.below(3),
               .norm_order = drawn.below(2) == 0 ? NormOrder::post : NormOrder::pre,
               .activation = drawn.below(2) == 0 ? Activation::relu : Activation::gelu};
    const std::size_t d_model = options.num_heads * head_dim;
    x = random.normal({batch, seq_len, d_model});
    memory = random.normal({batch, source_len, d_model});
    const std::size_t hidden_dim = drawn.size();
    encoder = random_encoder_layer(random, d_model, hidden_dim);
    decoder = random_decoder_layer(random, d_model, hidden_dim);
  }

  [[nodiscard]] DecoderMasks causal() const {
    return {.target = {.attention = keep_where(causal_mask(seq_len))}, .memory = {}};
  }
};

Tensor reversed_tokens(const Tensor& x) {
  std::vector<Tensor> tokens;
  for (std::size_t j = x.dim(-2); j-- > 0;) tokens.push_back(slice(x, -2, j, j + 1));
  return concat(tokens, -2);
}

/// Keys that are there, then so many that are padding: [batch, there + padding].
Mask keep_first(std::size_t batch, std::size_t there, std::size_t padding) {
  return keep_where(concat({Tensor({batch, there}, 1.0F), Tensor({batch, padding})}, 1));
}

/// All of the last token of every sentence set to something else.
Tensor with_other_last_token(Tensor x) {
  for (std::size_t b = 0; b < x.dim(0); ++b) {
    for (std::size_t d = 0; d < x.dim(2); ++d) x(b, x.dim(1) - 1, d) = static_cast<float>(10 + d * d);
  }
  return x;
}

}  // namespace

TEST_CASE("the tokens of an encoder layer come out in the order in which they went in", "[encoder_layer][law]") {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const Example example(seed);
    const Tensor output = encoder_layer(example.x, example.encoder, example.options).output;
    const Tensor of_reversed = encoder_layer(reversed_tokens(example.x), example.encoder, example.options).output;
    check_close(of_reversed, reversed_tokens(output), {.atol = 2e-5, .rtol = 2e-5});  // sums run in another order
  }
}

TEST_CASE("padding a batch changes no real token's output of an encoder layer", "[encoder_layer][law]") {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    const Example example(seed);
    const Tensor output = encoder_layer(example.x, example.encoder, example.options).output;
    const Tensor padded = concat({example.x, Tensor({example.batch, 3, example.x.dim(2)}, 9.0F)}, 1);
    const LayerMask mask{.attention = no_mask(), .key_padding = keep_first(example.batch, example.seq_len, 3)};
    const Tensor of_padded = encoder_layer(padded, example.encoder, example.options, mask).output;
    check_close(slice(of_padded, 1, 0, example.seq_len), output, exact);
  }
}

TEST_CASE("each sentence of a batch goes through a layer by itself", "[encoder_layer][law]") {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    const Example example(seed);
    const Tensor together = encoder_layer(example.x, example.encoder, example.options).output;
    for (std::size_t b = 0; b < example.batch; ++b) {
      const Tensor one = slice(example.x, 0, b, b + 1);
      const Tensor alone = encoder_layer(one, example.encoder, example.options).output;
      check_close(slice(together, 0, b, b + 1), alone, exact);
      const Tensor without_batch = reshape(one, {example.seq_len, example.x.dim(2)});
      check_close(encoder_layer(without_batch, example.encoder, example.options).output,
                  reshape(alone, without_batch.shape()), exact);
    }
  }
}

TEST_CASE("the steps of a layer follow from each other, in either order of its norms", "[encoder_layer]") {
  Random random(1);
  const EncoderLayerWeights weights = random_encoder_layer(random, 6, 5);
  const Tensor x = random.normal({2, 3, 6});
  const LayerOptions options{.num_heads = 2, .activation = Activation::gelu, .epsilon = 0.1};

  const EncoderLayerSteps post = encoder_layer(x, weights, options);
  const TorchMultiheadSteps attended = torch_multihead_attention(x, x, x, weights.self_attention, {.num_heads = 2});
  check_close(post.after_attention, add(x, attended.output), exact);
  check_close(post.norm_1.output, layer_norm(post.after_attention, weights.norm_1, {.epsilon = 0.1}).output, exact);
  check_close(post.output, post.norm_2.output, exact);

  LayerOptions pre_norm = options;
  pre_norm.norm_order = NormOrder::pre;
  const EncoderLayerSteps pre = encoder_layer(x, weights, pre_norm);
  check_close(pre.norm_1.output, layer_norm(x, weights.norm_1, {.epsilon = 0.1}).output, exact);
  check_close(pre.after_attention, add(x, pre.self_attention.output), exact);
  check_close(pre.feed_forward.activated,
              gelu(linear(pre.norm_2.output, weights.feed_forward.W_1, *weights.feed_forward.b_1)), exact);
  check_close(pre.output, add(pre.after_attention, pre.feed_forward.output), exact);
  CHECK(largest_difference(pre.output, post.output).largest > 0.1);
}

TEST_CASE("a pre-norm layer whose parts give nothing hands its input on untouched", "[encoder_layer]") {
  Random random(2);
  EncoderLayerWeights weights = random_encoder_layer(random, 4, 7);
  weights.self_attention.W_O = Tensor({4, 4});
  weights.self_attention.b_O = Tensor({4});
  weights.feed_forward.W_2 = Tensor({4, 7});
  weights.feed_forward.b_2 = Tensor({4});
  const Tensor x = random.normal({5, 4});
  check_close(encoder_layer(x, weights, {.num_heads = 2, .norm_order = NormOrder::pre}).output, x, exact);
}

TEST_CASE("a layer without any bias is the layer whose biases are 0", "[encoder_layer][law]") {
  Random random(3);
  EncoderLayerWeights without = random_encoder_layer(random, 6, 5);
  EncoderLayerWeights zero = without;
  const auto biases_of_width_6 = [](EncoderLayerWeights& layer) {
    TorchMultiheadWeights& attention = layer.self_attention;
    return std::vector<std::optional<Tensor>*>{&attention.b_Q,         &attention.b_K,     &attention.b_V,
                                               &attention.b_O,         &layer.norm_1.bias, &layer.norm_2.bias,
                                               &layer.feed_forward.b_2};
  };
  for (std::optional<Tensor>* bias : biases_of_width_6(without)) bias->reset();
  for (std::optional<Tensor>* bias : biases_of_width_6(zero)) *bias = Tensor({6});
  without.feed_forward.b_1.reset();
  zero.feed_forward.b_1 = Tensor({5});
  const Tensor x = random.normal({2, 3, 6});
  check_close(encoder_layer(x, without, {.num_heads = 3}).output, encoder_layer(x, zero, {.num_heads = 3}).output,
              exact);
}

TEST_CASE("an encoder layer with a causal mask never looks ahead", "[encoder_layer][law]") {
  Random random(8);
  const EncoderLayerWeights weights = random_encoder_layer(random, 6, 5);
  const Tensor x = random.normal({2, 5, 6});
  const LayerMask causal{.attention = keep_where(causal_mask(5)), .key_padding = no_mask()};
  const Tensor before = encoder_layer(x, weights, {.num_heads = 2}, causal).output;
  const Tensor after = encoder_layer(with_other_last_token(x), weights, {.num_heads = 2}, causal).output;
  check_close(slice(after, 1, 0, 4), slice(before, 1, 0, 4), exact);
}

TEST_CASE("the output of a decoder layer never depends on later tokens", "[decoder_layer][law]") {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const Example example(seed);
    if (example.seq_len < 2) continue;
    const auto decode = [&](const Tensor& x) {
      return decoder_layer(x, example.memory, example.decoder, example.options, example.causal()).output;
    };
    const Tensor before = decode(example.x);
    const Tensor after = decode(with_other_last_token(example.x));
    check_close(slice(after, 1, 0, example.seq_len - 1), slice(before, 1, 0, example.seq_len - 1), exact);
    // The last token itself does: but of a width of 2, a norm leaves nothing but signs.
    if (example.x.dim(2) > 2) CHECK(largest_difference(after, before).largest > 1e-3);
  }
}

TEST_CASE("without its causal mask a decoder layer does see later tokens", "[decoder_layer]") {
  const Example example(2);
  REQUIRE(example.seq_len > 1);
  const auto decode = [&](const Tensor& x) {
    return decoder_layer(x, example.memory, example.decoder, example.options, {}).output;
  };
  const Tensor before = slice(decode(example.x), 1, 0, 1);
  CHECK(largest_difference(slice(decode(with_other_last_token(example.x)), 1, 0, 1), before).largest > 1e-4);
}

TEST_CASE("a decoder layer reads its source in any order, and never its padding", "[decoder_layer][law]") {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    const Example example(seed);
    const DecoderLayerSteps steps =
        decoder_layer(example.x, example.memory, example.decoder, example.options, example.causal());
    check_close(
        decoder_layer(example.x, reversed_tokens(example.memory), example.decoder, example.options, example.causal())
            .output,
        steps.output, {.atol = 5e-5, .rtol = 5e-5});
    DecoderMasks masks = example.causal();
    masks.memory.key_padding = keep_first(example.batch, example.source_len, 2);
    const Tensor padded = concat({example.memory, Tensor({example.batch, 2, example.x.dim(2)}, 9.0F)}, 1);
    check_close(decoder_layer(example.x, padded, example.decoder, example.options, masks).output, steps.output, exact);
    // One query per token of the target, one key per token of the source.
    CHECK(steps.cross_attention.heads.weights.shape() ==
          Shape{example.batch, example.options.num_heads, example.seq_len, example.source_len});
  }
}

TEST_CASE("queries of the cross-attention come from the decoder, keys and values from the source", "[decoder_layer]") {
  Random random(5);
  const DecoderLayerWeights weights = random_decoder_layer(random, 4, 3);
  const Tensor x = random.normal({2, 4});
  const Tensor memory = random.normal({3, 4});
  const TorchMultiheadWeights& cross = weights.cross_attention;

  const DecoderLayerSteps post = decoder_layer(x, memory, weights, {.num_heads = 2}, {});
  check_close(post.cross_attention.Q, linear(post.norm_1.output, cross.W_Q, *cross.b_Q), exact);
  check_close(post.cross_attention.K, linear(memory, cross.W_K, *cross.b_K), exact);
  check_close(post.cross_attention.V, linear(memory, cross.W_V, *cross.b_V), exact);
  check_close(post.output, post.norm_3.output, exact);

  const DecoderLayerSteps pre = decoder_layer(x, memory, weights, {.num_heads = 2, .norm_order = NormOrder::pre}, {});
  check_close(pre.norm_1.output, layer_norm(x, weights.norm_1).output, exact);
  check_close(pre.cross_attention.Q, linear(pre.norm_2.output, cross.W_Q, *cross.b_Q), exact);
  check_close(pre.cross_attention.K, linear(memory, cross.W_K, *cross.b_K), exact);
  check_close(pre.output, add(pre.after_cross_attention, pre.feed_forward.output), exact);
}

TEST_CASE("the edges of layers: no token, one token, no source, NaN", "[encoder_layer][decoder_layer]") {
  Random random(6);
  const EncoderLayerWeights encoder = random_encoder_layer(random, 4, 3);
  const DecoderLayerWeights decoder = random_decoder_layer(random, 4, 3);
  CHECK(encoder_layer(Tensor({2, 0, 4}), encoder, {.num_heads = 2}).output.shape() == Shape{2, 0, 4});
  const EncoderLayerSteps one = encoder_layer(random.normal({1, 4}), encoder, {.num_heads = 2});
  check_close(one.self_attention.heads.weights, Tensor({2, 1, 1}, 1.0F), exact);
  const DecoderLayerSteps no_source =
      decoder_layer(random.normal({3, 4}), Tensor({0, 4}), decoder, {.num_heads = 2}, {});
  check_close(no_source.cross_attention.heads.context, Tensor({2, 3, 2}), exact);  // the sum of nothing

  Tensor x = random.normal({3, 4});
  x(1, 2) = std::numeric_limits<float>::quiet_NaN();
  const Tensor undefined = encoder_layer(x, encoder, {.num_heads = 2}).output;
  for (const float number : undefined.values()) CHECK(std::isnan(number));
}

TEST_CASE("layers refuse what does not fit, naming it", "[encoder_layer][decoder_layer]") {
  Random random(7);
  const Tensor x = random.normal({3, 6});
  const EncoderLayerWeights weights = random_encoder_layer(random, 6, 5);
  CHECK_THROWS_WITH(encoder_layer(x, weights, {.num_heads = 4}),
                    "d_model (6) must be divisible by num_heads (4): try 3 or 6");
  CHECK_THROWS_WITH(
      encoder_layer(random.normal({3, 4}), weights, {.num_heads = 2}),
      "nn.MultiheadAttention: W_Q must be [embed_dim, last axis of query], but W_Q is [6, 6] and query is "
      "[3, 4]");
  EncoderLayerWeights wrong = weights;
  wrong.norm_2.scale = Tensor({5});
  CHECK_THROWS_WITH(encoder_layer(x, wrong, {.num_heads = 2}), ContainsSubstring("scale is [5] and x is [3, 6]"));
  wrong = weights;
  wrong.feed_forward.W_1 = Tensor({6, 5});
  CHECK_THROWS_WITH(
      encoder_layer(x, wrong, {.num_heads = 2}),
      "feed-forward: W_1 must be [hidden_dim, d_model] and W_2 [d_model, hidden_dim], but x is [3, 6], W_1 "
      "is [6, 5] and W_2 is [6, 5]: is one of them the transpose?");
  CHECK_THROWS_AS(encoder_layer(x, weights, {.num_heads = 2},
                                {.attention = keep_where(Tensor({2, 3}, 1.0F)), .key_padding = no_mask()}),
                  std::invalid_argument);
  const DecoderLayerWeights decoder = random_decoder_layer(random, 6, 5);
  CHECK_THROWS_WITH(decoder_layer(x, Tensor({2, 3, 6}), decoder, {.num_heads = 2}, {}),
                    ContainsSubstring("query is [3, 6] and key is [2, 3, 6]"));
}

}  // namespace attn
