#include "attention/kinds/torch_multihead.hpp"

#include "attention/kinds/drawn.hpp"
#include "attention/kinds/masks.hpp"
#include "attention/multi_head.hpp"
#include "catch.hpp"
#include "check_close.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"

#include <cstddef>
#include <limits>

namespace attn {

namespace {

constexpr Tolerance exact{};
constexpr Tolerance rounded{.atol = 1e-5, .rtol = 1e-5};
constexpr float infinity = std::numeric_limits<float>::infinity();

/// A module and its inputs, with sizes drawn from a seed.
struct Example {
  explicit Example(unsigned seed) : drawn(seed) {
    num_heads = drawn.size();
    embed_dim = num_heads * drawn.size();
    batch = drawn.size();
    seq_len_q = drawn.size();
    seq_len_kv = drawn.size();
    const std::size_t kdim = drawn.size();
    const std::size_t vdim = drawn.size();
    weights = {.W_Q = drawn.tensor({embed_dim, embed_dim}),
               .W_K = drawn.tensor({embed_dim, kdim}),
               .W_V = drawn.tensor({embed_dim, vdim}),
               .b_Q = drawn.tensor({embed_dim}),
               .b_K = drawn.tensor({embed_dim}),
               .b_V = drawn.tensor({embed_dim}),
               .W_O = drawn.tensor({embed_dim, embed_dim}),
               .b_O = drawn.tensor({embed_dim})};
    // Weights as small as a new module has them, so that scores stay near 1.
    for (Tensor* weight : {&weights.W_Q, &weights.W_K, &weights.W_V, &weights.W_O}) *weight = scale(*weight, 0.2F);
    query = drawn.tensor({batch, seq_len_q, embed_dim});
    key = drawn.tensor({batch, seq_len_kv, kdim});
    value = drawn.tensor({batch, seq_len_kv, vdim});
  }

  [[nodiscard]] TorchMultiheadSteps run(const TorchMultiheadOptions& options) const {
    return torch_multihead_attention(query, key, value, weights, options);
  }

  Drawn drawn;
  std::size_t num_heads = 0;
  std::size_t embed_dim = 0;
  std::size_t batch = 0;
  std::size_t seq_len_q = 0;
  std::size_t seq_len_kv = 0;
  TorchMultiheadWeights weights;
  Tensor query;
  Tensor key;
  Tensor value;
};

}  // namespace

TEST_CASE("without its extras the module is multi-head attention as in the lessons", "[kinds][torch]") {
  const unsigned seed = GENERATE(range(0U, 20U));
  CAPTURE(seed);
  Example x(seed);
  x.key = x.drawn.tensor({x.batch, x.seq_len_kv, x.embed_dim});
  x.value = x.drawn.tensor({x.batch, x.seq_len_kv, x.embed_dim});
  const MultiHeadWeights plain = {.W_Q = x.weights.W_Q,
                                  .W_K = scale(x.drawn.tensor({x.embed_dim, x.embed_dim}), 0.2F),
                                  .W_V = x.drawn.tensor({x.embed_dim, x.embed_dim}),
                                  .W_O = x.weights.W_O,
                                  .b_O = *x.weights.b_O};
  x.weights = {.W_Q = plain.W_Q, .W_K = plain.W_K, .W_V = plain.W_V, .W_O = plain.W_O, .b_O = plain.b_O};
  const Mask mask = keep_where(x.drawn.mask({x.seq_len_q, x.seq_len_kv}));
  const TorchMultiheadSteps steps = x.run({.num_heads = x.num_heads, .attn_mask = mask});
  const MultiHeadSteps expected = multi_head_attention(x.query, x.key, x.value, plain, x.num_heads, mask);
  check_close(steps.heads.weights, expected.heads.weights, exact);
  check_close(steps.concat, expected.concat, exact);
  check_close(steps.output, expected.output, exact);
}

TEST_CASE("a key bias changes no weight and no output", "[kinds][torch]") {
  const unsigned seed = GENERATE(range(0U, 20U));
  CAPTURE(seed);
  Example x(seed);
  const TorchMultiheadSteps with_bias = x.run({.num_heads = x.num_heads});
  const Tensor key_bias = *x.weights.b_K;
  x.weights.b_K.reset();
  const TorchMultiheadSteps without = x.run({.num_heads = x.num_heads});
  check_close(without.heads.weights, with_bias.heads.weights, rounded);
  check_close(without.output, with_bias.output, rounded);
  check_close(with_bias.K, add(without.K, key_bias), rounded);
}

TEST_CASE("averaged weights are the mean over the heads and sum to 1", "[kinds][torch]") {
  const unsigned seed = GENERATE(range(0U, 10U));
  CAPTURE(seed);
  const Example x(seed);
  const TorchMultiheadSteps steps = x.run({.num_heads = x.num_heads});
  CHECK(steps.averaged_weights.shape() == Shape{x.batch, x.seq_len_q, x.seq_len_kv});
  check_close(sum(steps.averaged_weights, -1), Tensor({x.batch, x.seq_len_q}, 1.0F), rounded);
  const float first_of_all = sum(slice(slice(steps.heads.weights, 2, 0, 1), 3, 0, 1), 1)(0, 0, 0);
  CHECK_THAT(static_cast<double>(steps.averaged_weights(0, 0, 0)),
             WithinAbs(static_cast<double>(first_of_all) / static_cast<double>(x.num_heads), 1e-6));
}

TEST_CASE("an ignored key of a sentence changes nothing in it", "[kinds][torch]") {
  const unsigned seed = GENERATE(range(0U, 20U));
  CAPTURE(seed);
  Example x(seed);
  if (x.seq_len_kv == 1) return;
  Tensor ignore({x.batch, x.seq_len_kv});
  for (std::size_t b = 0; b < x.batch; ++b) ignore(b, x.seq_len_kv - 1) = 1.0F;
  const TorchMultiheadOptions options = {.num_heads = x.num_heads, .key_padding = hide_where(ignore)};
  const TorchMultiheadSteps before = x.run(options);
  for (std::size_t b = 0; b < x.batch; ++b) {
    x.key(b, x.seq_len_kv - 1, 0) += 50.0F;
    x.value(b, x.seq_len_kv - 1, 0) += 50.0F;
  }
  check_close(x.run(options).output, before.output, exact);

  Tensor numbers({x.batch, x.seq_len_kv});
  for (std::size_t b = 0; b < x.batch; ++b) numbers(b, x.seq_len_kv - 1) = -infinity;
  check_close(x.run({.num_heads = x.num_heads, .key_padding = added(numbers)}).output, before.output, exact);
}

TEST_CASE("a mask per sentence and head comes with both in one axis, or apart", "[kinds][torch]") {
  const unsigned seed = GENERATE(range(0U, 20U));
  CAPTURE(seed);
  Example x(seed);
  const Tensor together = x.drawn.mask({x.batch * x.num_heads, x.seq_len_q, x.seq_len_kv});
  const Tensor apart = reshape(together, {x.batch, x.num_heads, x.seq_len_q, x.seq_len_kv});
  const TorchMultiheadSteps steps = x.run({.num_heads = x.num_heads, .attn_mask = keep_where(together)});
  check_close(*steps.mask.keep, apart, exact);
  for (std::size_t n = 0; n < apart.size(); ++n) {
    CHECK((steps.heads.weights.values()[n] > 0.0F) == (apart.values()[n] == 1.0F));
  }
  check_close(x.run({.num_heads = x.num_heads, .attn_mask = keep_where(apart)}).output, steps.output, exact);
}

TEST_CASE("a sentence without a batch is a batch of one", "[kinds][torch]") {
  const unsigned seed = GENERATE(range(0U, 10U));
  CAPTURE(seed);
  Example x(seed);
  const auto first = [](const Tensor& batch) { return reshape(slice(batch, 0, 0, 1), {batch.dim(1), batch.dim(2)}); };
  const Tensor per_head = x.drawn.mask({x.num_heads, x.seq_len_q, x.seq_len_kv});
  const Tensor padding = x.drawn.mask({x.seq_len_kv});
  const auto options = [&](const Tensor& key_padding) {
    return TorchMultiheadOptions{.num_heads = x.num_heads,
                                 .attn_mask = keep_where(per_head),
                                 .key_padding = keep_where(key_padding),
                                 .empty_rows = EmptyRows::zeros};
  };
  const TorchMultiheadSteps alone =
      torch_multihead_attention(first(x.query), first(x.key), first(x.value), x.weights, options(padding));
  CHECK(alone.output.shape() == Shape{x.seq_len_q, x.embed_dim});
  const TorchMultiheadSteps in_batch =
      torch_multihead_attention(slice(x.query, 0, 0, 1), slice(x.key, 0, 0, 1), slice(x.value, 0, 0, 1), x.weights,
                                options(reshape(padding, {1, x.seq_len_kv})));
  check_close(alone.output, reshape(in_batch.output, alone.output.shape()), exact);
}

TEST_CASE("bias_k, bias_v and add_zero_attn are one token more each, seen through any mask", "[kinds][torch]") {
  const unsigned seed = GENERATE(range(0U, 20U));
  CAPTURE(seed);
  Example x(seed);
  x.weights.bias_k = x.drawn.tensor({x.embed_dim});
  x.weights.bias_v = x.drawn.tensor({x.embed_dim});
  const Tensor keep = x.drawn.mask({x.seq_len_q, x.seq_len_kv});
  const Tensor bias = x.drawn.tensor({x.batch, x.seq_len_kv});
  const TorchMultiheadSteps steps = x.run(
      {.num_heads = x.num_heads, .attn_mask = keep_where(keep), .key_padding = added(bias), .add_zero_attn = true});
  CHECK(steps.K.shape() == Shape{x.batch, x.seq_len_kv + 2, x.embed_dim});

  const std::size_t b = x.drawn.below(x.batch);
  const auto token = [&](const Tensor& all, std::size_t j) {
    return reshape(slice(slice(all, 0, b, b + 1), 1, j, j + 1), {x.embed_dim});
  };
  check_close(token(steps.K, x.seq_len_kv), *x.weights.bias_k, exact);
  check_close(token(steps.V, x.seq_len_kv), *x.weights.bias_v, exact);
  check_close(token(steps.K, x.seq_len_kv + 1), Tensor({x.embed_dim}), exact);
  check_close(token(steps.V, x.seq_len_kv + 1), Tensor({x.embed_dim}), exact);

  // The added keys are neither hidden nor moved: their masked scores are their scaled ones.
  const auto last_two = [&](const Tensor& scores) { return slice(scores, -1, x.seq_len_kv, x.seq_len_kv + 2); };
  check_close(last_two(steps.heads.masked), last_two(steps.heads.scaled), exact);
}

TEST_CASE("dropout is of each head's weights, and the averaged weights show it", "[kinds][torch]") {
  Example x(3);
  const Shape shape = {x.batch, x.num_heads, x.seq_len_q, x.seq_len_kv};
  const Dropout dropout = draw_dropout(x.drawn.random(), shape, 0.5F, Mode::training);
  const TorchMultiheadSteps steps = x.run({.num_heads = x.num_heads, .dropout = dropout});
  check_close(steps.heads.dropped, multiply(scale(steps.heads.weights, 2.0F), dropout.kept), exact);
  check_close(steps.averaged_weights, mean(steps.heads.dropped, 1), exact);
}

TEST_CASE("a sentence of nothing but padding is what the caller says", "[kinds][torch]") {
  Example x(5);
  const Mask all_hidden = hide_where(Tensor({x.batch, x.seq_len_kv}, 1.0F));
  const TorchMultiheadSteps as_nan = x.run({.num_heads = x.num_heads, .key_padding = all_hidden});
  check_close(as_nan.output, Tensor(as_nan.output.shape(), std::numeric_limits<float>::quiet_NaN()), exact);
  const TorchMultiheadSteps as_zeros =
      x.run({.num_heads = x.num_heads, .key_padding = all_hidden, .empty_rows = EmptyRows::zeros});
  check_close(as_zeros.output, add(Tensor(as_zeros.output.shape()), *x.weights.b_O), exact);
}

TEST_CASE("stacked projections come apart", "[kinds][torch]") {
  const InProjection parts = split_in_proj(Tensor::matrix({{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}, {11, 12}}));
  check_close(parts.query, Tensor::matrix({{1, 2}, {3, 4}}), exact);
  check_close(parts.key, Tensor::matrix({{5, 6}, {7, 8}}), exact);
  check_close(parts.value, Tensor::matrix({{9, 10}, {11, 12}}), exact);
  CHECK_THROWS_WITH(split_in_proj(Tensor({4, 2})), ContainsSubstring("cannot be [4, 2]"));
  CHECK_THROWS_WITH(split_in_proj(Tensor(Shape{})), ContainsSubstring("cannot be []"));
}

TEST_CASE("the module says what does not fit", "[kinds][torch]") {
  const TorchMultiheadWeights weights = {
      .W_Q = Tensor({4, 4}), .W_K = Tensor({4, 3}), .W_V = Tensor({4, 5}), .W_O = Tensor({4, 4})};
  const Tensor query({2, 6, 4});
  const Tensor key({2, 7, 3});
  const Tensor value({2, 7, 5});
  const auto run = [&](const Tensor& q, const Tensor& k, const Tensor& v, const TorchMultiheadOptions& options) {
    return torch_multihead_attention(q, k, v, weights, options);
  };
  CHECK_THROWS_WITH(run(query, key, value, {.num_heads = 3}),
                    "d_model (4) must be divisible by num_heads (3): try 2 or 4");
  CHECK_THROWS_WITH(run(query, query, value, {}),
                    ContainsSubstring("query is [2, 6, 4]") || ContainsSubstring("key is [2, 6, 4]"));
  CHECK_THROWS_WITH(run(query, Tensor({2, 7, 4}), value, {}),
                    "nn.MultiheadAttention: W_K must be [embed_dim, last axis of key], but W_K is [4, 3] and key is "
                    "[2, 7, 4]");
  CHECK_THROWS_WITH(run(query, key, Tensor({2, 8, 5}), {}),
                    "nn.MultiheadAttention: every key needs its value, but key is [2, 7, 3] and value is [2, 8, 5]");
  CHECK_THROWS_WITH(run(query, Tensor({1, 7, 3}), value, {}), ContainsSubstring("of the same batch"));
  CHECK_THROWS_WITH(run(query, key, value, {.key_padding = keep_where(full_mask(2, 6))}),
                    "nn.MultiheadAttention: key_padding must be [batch, seq_len_kv], as the keys are, but key_padding "
                    "is [2, 6] and key is [2, 7, 3]");
  CHECK_THROWS_WITH(
      run(query, key, value, {.num_heads = 2, .attn_mask = keep_where(Tensor({3, 6, 7}))}),
      "nn.MultiheadAttention: attn_mask must be [batch * num_heads, seq_len_q, seq_len_kv], but attn_mask "
      "is [3, 6, 7] and batch and heads apart is [2, 2, 6, 7]");
  CHECK_THROWS_WITH(run(query, key, value, {.attn_mask = keep_where(full_mask(7, 6))}), ContainsSubstring("[7, 6]"));

  TorchMultiheadWeights half = weights;
  half.bias_k = Tensor({4});
  CHECK_THROWS_WITH(torch_multihead_attention(query, key, value, half, {}),
                    "nn.MultiheadAttention: bias_k and bias_v go together, but only bias_k is given");
  half.bias_v = Tensor({3});
  CHECK_THROWS_WITH(torch_multihead_attention(query, key, value, half, {}), ContainsSubstring("is [3]"));
}

}  // namespace attn
