// What the reference cases leave out: the operator's parts against the family, and its errors.

#include "attention/kinds/onnx_attention.hpp"

#include "attention/kinds/drawn.hpp"
#include "attention/kinds/masks.hpp"
#include "attention/multi_head.hpp"
#include "catch.hpp"
#include "check_close.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace attn {

namespace {

constexpr Tolerance exact{};
constexpr float infinity = std::numeric_limits<float>::infinity();

/// Inputs with four axes and sizes drawn from a seed.
OnnxAttentionInputs example(Drawn& drawn) {
  const std::size_t batch = drawn.size();
  const std::size_t num_kv_heads = drawn.size();
  const std::size_t seq_len_kv = drawn.size();
  const std::size_t head_dim = drawn.size();
  return {.Q = drawn.tensor({batch, num_kv_heads * (1 + drawn.below(3)), drawn.size(), head_dim}),
          .K = drawn.tensor({batch, num_kv_heads, seq_len_kv, head_dim}),
          .V = drawn.tensor({batch, num_kv_heads, seq_len_kv, drawn.size()})};
}

/// The mask that a call built, as a table of 0 and 1.
Tensor seen(const OnnxAttentionInputs& inputs, const OnnxAttentionAttributes& attributes) {
  return kept_keys(onnx_attention(inputs, attributes).mask);
}

}  // namespace

TEST_CASE("with 3 axes the operator splits and merges the heads itself", "[kinds][onnx]") {
  const unsigned seed = GENERATE(range(0U, 20U));
  CAPTURE(seed);
  Drawn drawn(seed);
  const OnnxAttentionInputs inputs = example(drawn);
  const OnnxAttentionSteps four = onnx_attention(inputs, {.is_causal = true});
  const OnnxAttentionSteps three =
      onnx_attention({.Q = merge_heads(inputs.Q), .K = merge_heads(inputs.K), .V = merge_heads(inputs.V)},
                     {.is_causal = true, .q_num_heads = inputs.Q.dim(1), .kv_num_heads = inputs.K.dim(1)});
  check_close(three.Y, merge_heads(four.Y), exact);
  check_close(three.present_key, four.present_key, exact);
  check_close(three.qk_matmul_output, four.qk_matmul_output, exact);
}

TEST_CASE("the output mode names the step", "[kinds][onnx]") {
  Drawn drawn(4);
  OnnxAttentionInputs inputs = example(drawn);
  inputs.attn_mask = added(drawn.tensor({inputs.K.dim(2)}));
  const auto output = [&](std::int64_t mode) {
    return onnx_attention(inputs, {.softcap = 2.0F, .qk_matmul_output_mode = mode});
  };
  check_close(output(0).qk_matmul_output, output(0).attention.scaled, exact);
  check_close(output(1).qk_matmul_output, output(1).attention.capped, exact);
  check_close(output(2).qk_matmul_output, output(2).attention.masked, exact);
  check_close(output(3).qk_matmul_output, output(3).attention.weights, exact);
  CHECK(output(0).attention.scaled.values() != output(0).attention.capped.values());
  CHECK(output(0).attention.masked.values() != output(0).attention.capped.values());
}

TEST_CASE("a past moves the causal diagonal and the window by its length", "[kinds][onnx]") {
  const OnnxAttentionInputs inputs = {.Q = Tensor({1, 1, 2, 1}),
                                      .K = Tensor({1, 1, 2, 1}),
                                      .V = Tensor({1, 1, 2, 1}),
                                      .past_key = Tensor({1, 1, 2, 1}),
                                      .past_value = Tensor({1, 1, 2, 1})};
  check_close(seen(inputs, {.is_causal = true}), Tensor({1, 1, 2, 4}, {1, 1, 1, 0, 1, 1, 1, 1}), exact);
  check_close(seen(inputs, {.left_window_size = 1}), Tensor({1, 1, 2, 4}, {0, 1, 1, 1, 0, 0, 1, 1}), exact);
  check_close(seen(inputs, {.right_window_size = 0}), Tensor({1, 1, 2, 4}, {1, 1, 1, 0, 1, 1, 1, 1}), exact);
  check_close(seen(inputs, {.left_window_size = 1, .right_window_size = 0}),
              Tensor({1, 1, 2, 4}, {0, 1, 1, 0, 0, 0, 1, 1}), exact);
}

TEST_CASE("lengths end each sentence's keys, and move its diagonal and window", "[kinds][onnx]") {
  const OnnxAttentionInputs inputs = {.Q = Tensor({2, 1, 2, 1}),
                                      .K = Tensor({2, 1, 4, 1}),
                                      .V = Tensor({2, 1, 4, 1}),
                                      .nonpad_kv_seqlen = Tensor::vector({3, 1})};
  check_close(seen(inputs, {}), Tensor({2, 1, 2, 4}, {1, 1, 1, 0, 1, 1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0}), exact);
  // Offsets 3 - 2 = 1 and 1 - 2 = -1: the second sentence's first query stands before its first key.
  check_close(seen(inputs, {.is_causal = true}), Tensor({2, 1, 2, 4}, {1, 1, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0}),
              exact);
  check_close(seen(inputs, {.left_window_size = 0}),
              Tensor({2, 1, 2, 4}, {0, 1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0}), exact);
}

TEST_CASE("decoding with a past gives the rows of the whole", "[kinds][onnx]") {
  const unsigned seed = GENERATE(range(0U, 20U));
  CAPTURE(seed);
  Drawn drawn(seed);
  OnnxAttentionInputs whole = example(drawn);
  const std::size_t seq_len = whole.K.dim(2);
  whole.Q = drawn.tensor({whole.Q.dim(0), whole.Q.dim(1), seq_len, whole.Q.dim(3)});
  const OnnxAttentionAttributes attributes = {.is_causal = true,
                                              .left_window_size = static_cast<std::int64_t>(drawn.below(4)) - 1};
  const std::size_t split = drawn.below(seq_len);
  const auto before = [&](const Tensor& x) { return slice(x, 2, 0, split); };
  const auto after = [&](const Tensor& x) { return slice(x, 2, split, seq_len); };

  const OnnxAttentionSteps rest = onnx_attention({.Q = after(whole.Q),
                                                  .K = after(whole.K),
                                                  .V = after(whole.V),
                                                  .past_key = before(whole.K),
                                                  .past_value = before(whole.V)},
                                                 attributes);
  check_close(rest.Y, after(onnx_attention(whole, attributes).Y), exact);
  check_close(rest.present_key, whole.K, exact);
  check_close(rest.present_value, whole.V, exact);
}

TEST_CASE("a mask with fewer columns than keys hides the rest, as 0/1 and as numbers", "[kinds][onnx]") {
  const OnnxAttentionInputs inputs = {
      .Q = Tensor({1, 1, 2, 1}), .K = Tensor({1, 1, 3, 1}), .V = Tensor({1, 1, 3, 1}, {3, 5, 100})};
  OnnxAttentionInputs masked = inputs;
  masked.attn_mask = keep_where(Tensor::vector({1, 1}));
  check_close(onnx_attention(masked).Y, Tensor({1, 1, 2, 1}, 4.0F), exact);
  masked.attn_mask = added(Tensor::matrix({{0, -infinity}, {0, 0}}));
  check_close(onnx_attention(masked).Y, Tensor({1, 1, 2, 1}, {3, 4}), exact);
  masked.attn_mask = added(Tensor({1, 1, 1, 1}));  // one column is one key
  check_close(onnx_attention(masked).Y, Tensor({1, 1, 2, 1}, 3.0F), exact);
}

TEST_CASE("a query that may see no key collects 0", "[kinds][onnx]") {
  OnnxAttentionInputs inputs = {.Q = Tensor({1, 1, 2, 1}), .K = Tensor({1, 1, 3, 1}), .V = Tensor({1, 1, 3, 2}, 7.0F)};
  inputs.attn_mask = keep_where(Tensor::matrix({{0, 0, 0}, {0, 1, 1}}));
  const OnnxAttentionSteps steps = onnx_attention(inputs, {.qk_matmul_output_mode = 3});
  check_close(steps.Y, Tensor({1, 1, 2, 2}, {0, 0, 7, 7}), exact);
  check_close(steps.qk_matmul_output, Tensor({1, 1, 2, 3}, {0, 0, 0, 0, 0.5F, 0.5F}), exact);
}

TEST_CASE("softmax_precision is a type number of ONNX", "[kinds][onnx]") {
  OnnxAttentionInputs inputs = {
      .Q = Tensor({1, 1, 1, 1}, 1.0F), .K = Tensor({1, 1, 2, 1}, {0, -1}), .V = Tensor({1, 1, 2, 1}, {1, 0})};
  const auto weight = [&](std::int64_t precision) {
    return onnx_attention(inputs, {.softmax_precision = precision}).Y(0, 0, 0, 0);
  };
  CHECK(weight(1) == onnx_attention(inputs).Y(0, 0, 0, 0));
  CHECK(weight(11) == weight(1));
  CHECK(weight(10) == 0.73095703125F);
  CHECK(weight(16) == 0.73046875F);  // e^-1 -> 0.3671875, sum 1.3671875, 1 / 1.3671875 = 0.73143 -> 187 * 2^-8
}

TEST_CASE("nothing is hidden where no attribute asks for it", "[kinds][onnx]") {
  Drawn drawn(9);
  const OnnxAttentionInputs inputs = example(drawn);
  const OnnxAttentionSteps steps = onnx_attention(inputs);
  CHECK(!steps.mask.keep);
  CHECK(!steps.mask.bias);
  check_close(steps.Y, attention(inputs.Q, steps.key, steps.value).context, exact);
}

TEST_CASE("no sentence and no new token are no special cases", "[kinds][onnx]") {
  CHECK(onnx_attention({.Q = Tensor({0, 2, 3, 4}),
                        .K = Tensor({0, 2, 5, 4}),
                        .V = Tensor({0, 2, 5, 4}),
                        .nonpad_kv_seqlen = Tensor({0})},
                       {.is_causal = true})
            .Y.shape() == Shape{0, 2, 3, 4});
  CHECK(onnx_attention({.Q = Tensor({1, 2, 0, 4}), .K = Tensor({1, 2, 5, 4}), .V = Tensor({1, 2, 5, 4})},
                       {.is_causal = true})
            .Y.shape() == Shape{1, 2, 0, 4});
  check_close(onnx_attention({.Q = Tensor({1, 2, 3, 4}), .K = Tensor({1, 2, 0, 4}), .V = Tensor({1, 2, 0, 4})}).Y,
              Tensor({1, 2, 3, 4}), exact);
}

TEST_CASE("the operator says what cannot be", "[kinds][onnx]") {
  const Tensor x({1, 2, 3, 4});
  const OnnxAttentionInputs plain = {.Q = x, .K = x, .V = x};
  CHECK_THROWS_WITH(onnx_attention({.Q = Tensor({3, 4}), .K = x, .V = x}),
                    "Attention: Q, K and V have 4 axes [batch, heads, seq_len, dim], or all 3 [batch, seq_len, heads * "
                    "dim], but are [3, 4], [1, 2, 3, 4] and [1, 2, 3, 4]");
  CHECK_THROWS_WITH(
      onnx_attention({.Q = Tensor({1, 3, 8}), .K = Tensor({1, 3, 8}), .V = Tensor({1, 3, 8})}, {.q_num_heads = 2}),
      "Attention: Q with 3 axes [1, 3, 8] needs q_num_heads and kv_num_heads, to split the last one");
  CHECK_THROWS_WITH(onnx_attention({.Q = Tensor({1, 3, 8}), .K = Tensor({1, 3, 8}), .V = Tensor({1, 3, 8})},
                                   {.q_num_heads = 3, .kv_num_heads = 2}),
                    "d_model (8) must be divisible by num_heads (3): try 2 or 4");
  CHECK_THROWS_WITH(onnx_attention(plain, {.kv_num_heads = 1}),
                    "Attention: K is [1, 2, 3, 4], with 2 heads, but the attribute says 1");
  CHECK_THROWS_WITH(onnx_attention({.Q = x, .K = x, .V = Tensor({1, 1, 3, 4})}), ContainsSubstring("as many heads"));
  CHECK_THROWS_WITH(onnx_attention({.Q = Tensor({1, 3, 3, 4}), .K = x, .V = x}), ContainsSubstring("num_heads (3)"));

  OnnxAttentionInputs half = plain;
  half.past_key = x;
  CHECK_THROWS_WITH(onnx_attention(half), "Attention: past_key and past_value go together, but only past_key is given");
  half.past_value = x;
  half.nonpad_kv_seqlen = Tensor::vector({3});
  CHECK_THROWS_WITH(onnx_attention(half), ContainsSubstring("cannot go with past_key"));

  const auto with_lengths = [&](const Tensor& lengths) {
    OnnxAttentionInputs inputs = plain;
    inputs.nonpad_kv_seqlen = lengths;
    return inputs;
  };
  CHECK_THROWS_WITH(onnx_attention(with_lengths(Tensor::vector({3})), {.opset = 23}),
                    "Attention: nonpad_kv_seqlen came with opset 24, but opset is 23");
  CHECK_THROWS_WITH(onnx_attention(with_lengths(Tensor::vector({3, 3}))),
                    "Attention: nonpad_kv_seqlen must be [batch], that is [1], not [2]");
  for (const float length : {-1.0F, 4.0F, 1.5F, std::numeric_limits<float>::quiet_NaN()}) {
    CAPTURE(length);
    CHECK_THROWS_WITH(onnx_attention(with_lengths(Tensor::vector({length}))),
                      ContainsSubstring("a whole number of keys from 0 to 3"));
  }

  CHECK_THROWS_WITH(onnx_attention(plain, {.left_window_size = -2}),
                    "Attention: a window size is -2, but must be -1 (no limit), 0 or more");
  CHECK_THROWS_WITH(onnx_attention(plain, {.opset = 24, .right_window_size = 1}),
                    "Attention: window sizes came with opset 25, but opset is 24");
  CHECK_THROWS_WITH(onnx_attention(plain, {.qk_matmul_output_mode = 4}),
                    ContainsSubstring("qk_matmul_output_mode is 4"));
  CHECK_THROWS_WITH(onnx_attention(plain, {.softmax_precision = 7}),
                    "Attention: softmax_precision is 7, but must be 1 (float), 10 (float16), 11 (double) or 16 "
                    "(bfloat16)");
  CHECK_THROWS_WITH(onnx_attention(plain, {.softcap = -1.0F}), ContainsSubstring("cap is -1"));

  OnnxAttentionInputs wide = plain;
  wide.attn_mask = keep_where(full_mask(3, 4));
  CHECK_THROWS_WITH(
      onnx_attention(wide),
      "Attention: attn_mask has 1 to 4 axes, the last with no more columns than the 3 keys, but is [3, 4]");
  wide.attn_mask = keep_where(full_mask(2, 3));
  CHECK_THROWS_WITH(onnx_attention(wide), ContainsSubstring("[2, 3]"));
}

}  // namespace attn
