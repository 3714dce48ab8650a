#include "attention/multi_head.hpp"

#include "catch.hpp"
#include "check_close.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/random.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"

#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

using namespace attn;

namespace {

constexpr Tolerance bit_for_bit{};
constexpr Tolerance few_roundings{.atol = 2e-6, .rtol = 1e-5};  // sums of some ten floats near 1, twice in a row

/// 0, 1, 2, ... so that every number tells where it came from.
Tensor counted(const Shape& shape) {
  Tensor x(shape);
  std::iota(x.values().begin(), x.values().end(), 0.0F);
  return x;
}

Tensor rows(const Tensor& x, std::size_t start, std::size_t stop) {
  return slice(x, -2, start, stop);
}

/// One sentence of a batch, without the batch axis.
Tensor sentence(const Tensor& x, std::size_t b) {
  return reshape(slice(x, 0, b, b + 1), Shape(x.shape().begin() + 1, x.shape().end()));
}

Tensor identity(std::size_t size) {
  Tensor x({size, size});
  for (std::size_t i = 0; i < size; ++i) x(i, i) = 1.0F;
  return x;
}

/// d_model 6, 3 heads of 2.
MultiHeadAttention three_heads() {
  Random random(11);
  return {6, 3, random};
}

MultiHeadSteps attend_to_itself(const MultiHeadAttention& attention, const Tensor& x, const Mask& mask = no_mask()) {
  return attention.forward(x, x, x, mask);
}

std::string refusal(const Tensor& query, const Tensor& key, const Tensor& value) {
  try {
    static_cast<void>(three_heads().forward(query, key, value));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing was refused";
}

}  // namespace

TEST_CASE("head h takes channels h * head_dim and on of every token", "[multi_head]") {
  const Tensor x = Tensor::matrix({{0, 1, 2, 3, 4, 5}, {10, 11, 12, 13, 14, 15}});
  const Tensor heads = split_heads(x, 3);
  CHECK(heads.shape() == Shape{3, 2, 2});
  check_close(heads, Tensor({3, 2, 2}, {0, 1, 10, 11, /**/ 2, 3, 12, 13, /**/ 4, 5, 14, 15}), bit_for_bit);
}

TEST_CASE("splitting is not a mere reshape: no head mixes the numbers of two tokens", "[multi_head]") {
  const Tensor x = counted({2, 6});
  CHECK_FALSE(all_close(split_heads(x, 3), reshape(x, {3, 2, 2}), bit_for_bit));
}

TEST_CASE("a batch is split sentence by sentence", "[multi_head]") {
  const Tensor x = counted({2, 5, 6});
  const Tensor heads = split_heads(x, 3);
  CHECK(heads.shape() == Shape{2, 3, 5, 2});
  for (std::size_t b = 0; b < 2; ++b) check_close(sentence(heads, b), split_heads(sentence(x, b), 3), bit_for_bit);
}

TEST_CASE("split then merge is the identity", "[multi_head][law]") {
  const Shape shape =
      GENERATE(Shape{7, 30}, Shape{2, 5, 30}, Shape{2, 3, 5, 30}, Shape{0, 30}, Shape{1, 30}, Shape{0, 5, 30});
  const std::size_t num_heads = GENERATE(1U, 2U, 3U, 5U, 30U);
  CAPTURE(to_string(shape), num_heads);
  const Tensor x = counted(shape);
  check_close(merge_heads(split_heads(x, num_heads)), x, bit_for_bit);
}

TEST_CASE("heads that do not divide d_model are refused, with the nearest numbers that do", "[multi_head][error]") {
  const auto [d_model, num_heads, message] = GENERATE(table<std::size_t, std::size_t, std::string>({
      {10, 4, "d_model (10) must be divisible by num_heads (4): try 2 or 5"},
      {8, 7, "d_model (8) must be divisible by num_heads (7): try 4 or 8"},
      {512, 12, "d_model (512) must be divisible by num_heads (12): try 8 or 16"},
      {7, 2, "d_model (7) must be divisible by num_heads (2): try 1 or 7"},
      {10, 20, "d_model (10) must be divisible by num_heads (20): try 10"},
      {10, 0, "d_model (10) and num_heads (0) must be at least 1: try d_model 16 and 4 heads"},
      {0, 3, "d_model (0) and num_heads (3) must be at least 1: try d_model 16 and 4 heads"},
  }));
  CAPTURE(message);
  Random random(0);
  CHECK_THROWS_WITH(check_num_heads(d_model, num_heads), message);
  CHECK_THROWS_WITH(split_heads(Tensor({2, d_model}), num_heads), message);
  CHECK_THROWS_WITH(MultiHeadAttention(d_model, num_heads, random), message);
  CHECK_THROWS_AS(check_num_heads(d_model, num_heads), std::invalid_argument);
}

TEST_CASE("what has too few axes is neither split nor merged", "[multi_head][error]") {
  CHECK_THROWS_WITH(split_heads(Tensor({6}), 3), ContainsSubstring("[.., seq_len, d_model], not [6]"));
  CHECK_THROWS_WITH(merge_heads(Tensor({2, 6})), ContainsSubstring("[.., num_heads, seq_len, head_dim], not [2, 6]"));
}

TEST_CASE("one head with maps that change nothing is plain attention", "[multi_head][law]") {
  Random random(2);
  const Tensor x = random.normal({5, 7});
  const MultiHeadWeights weights{identity(7), identity(7), identity(7), identity(7), Tensor({7})};
  const MultiHeadSteps steps = multi_head_attention(x, x, x, weights, 1);
  const AttentionSteps plain = scaled_dot_product_attention(x, x, x);
  check_close(steps.heads.weights, reshape(plain.weights, {1, 5, 5}), bit_for_bit);
  check_close(steps.output, plain.context, bit_for_bit);
}

TEST_CASE("every head is plain attention on its own channels of Q, K and V", "[multi_head][law]") {
  Random random(3);
  const Tensor query = random.normal({5, 6});
  const Tensor key = random.normal({7, 6});
  const Tensor value = random.normal({7, 6});
  const MultiHeadAttention attention = three_heads();
  const MultiHeadSteps steps = attention.forward(query, key, value);
  const MultiHeadWeights& weights = attention.weights();
  for (std::size_t h = 0; h < 3; ++h) {
    CAPTURE(h);
    const auto head = [h](const Tensor& weight) { return slice(weight, 0, 2 * h, 2 * h + 2); };  // [head_dim, d_model]
    const AttentionSteps alone = scaled_dot_product_attention(
        linear(query, head(weights.W_Q)), linear(key, head(weights.W_K)), linear(value, head(weights.W_V)));
    check_close(sentence(steps.heads.weights, h), alone.weights, bit_for_bit);
    check_close(slice(steps.concat, -1, 2 * h, 2 * h + 2), alone.context, bit_for_bit);
  }
}

TEST_CASE("the output is a sum: what each head adds through its own columns of W_O, and the bias",
          "[multi_head][law]") {
  Random random(4);
  const Tensor x = random.normal({5, 6});
  const MultiHeadAttention attention = three_heads();
  const MultiHeadSteps steps = attend_to_itself(attention, x);
  Tensor total = add(Tensor({5, 6}), attention.weights().b_O);
  for (std::size_t h = 0; h < 3; ++h) {
    const Tensor columns = slice(attention.weights().W_O, 1, 2 * h, 2 * h + 2);  // [d_model, head_dim]
    total = add(total, linear(sentence(steps.heads.context, h), columns));
  }
  check_close(steps.output, total, few_roundings);
}

TEST_CASE("every step has the shape that is promised, with and without a batch", "[multi_head]") {
  const bool batched = GENERATE(false, true);
  const auto shape = [batched](Shape sizes) {
    if (batched) sizes.insert(sizes.begin(), 2);
    return sizes;
  };
  Random random(5);
  const Tensor query = random.normal(shape({5, 6}));
  const Tensor key = random.normal(shape({7, 6}));
  const MultiHeadSteps steps = three_heads().forward(query, key, key);
  CHECK(steps.Q.shape() == shape({5, 6}));
  CHECK(steps.K.shape() == shape({7, 6}));
  CHECK(steps.V.shape() == shape({7, 6}));
  CHECK(steps.heads.scores.shape() == shape({3, 5, 7}));
  CHECK(steps.heads.scaled.shape() == shape({3, 5, 7}));
  CHECK(steps.heads.masked.shape() == shape({3, 5, 7}));
  CHECK(steps.heads.weights.shape() == shape({3, 5, 7}));
  CHECK(steps.heads.context.shape() == shape({3, 5, 2}));
  CHECK(steps.concat.shape() == shape({5, 6}));
  CHECK(steps.output.shape() == shape({5, 6}));
}

TEST_CASE("scores are divided by the root of head_dim, not of d_model", "[multi_head]") {
  Random random(6);
  const MultiHeadSteps steps = attend_to_itself(three_heads(), random.normal({5, 6}));
  check_close(steps.heads.scaled, scale(steps.heads.scores, 1.0F / std::sqrt(2.0F)), bit_for_bit);
}

TEST_CASE("tokens in another order give the same outputs in that order", "[multi_head][law]") {
  Random random(7);
  const Tensor x = random.normal({5, 6});
  const auto reordered = [](const Tensor& t) {
    return concat({rows(t, 3, 4), rows(t, 0, 1), rows(t, 4, 5), rows(t, 2, 3), rows(t, 1, 2)}, -2);
  };
  const MultiHeadAttention attention = three_heads();
  check_close(attend_to_itself(attention, reordered(x)).output, reordered(attend_to_itself(attention, x).output),
              few_roundings);
}

TEST_CASE("a causal output of several heads never depends on later tokens", "[multi_head][mask][law]") {
  Random random(8);
  Tensor x = random.normal({2, 5, 6});
  const MultiHeadAttention attention = three_heads();
  const Tensor before = attend_to_itself(attention, x, keep_where(causal_mask(5))).output;
  for (std::size_t d = 0; d < 6; ++d) x(0, 3, d) += 50.0F;  // the fourth of five tokens, first sentence
  const Tensor after = attend_to_itself(attention, x, keep_where(causal_mask(5))).output;
  check_close(rows(sentence(after, 0), 0, 3), rows(sentence(before, 0), 0, 3), bit_for_bit);
  check_close(sentence(after, 1), sentence(before, 1), bit_for_bit);
  CHECK_FALSE(all_close(rows(sentence(after, 0), 4, 5), rows(sentence(before, 0), 4, 5), few_roundings));
}

TEST_CASE("a batch gives each sentence the output it gets alone", "[multi_head][law]") {
  Random random(9);
  const Tensor x = random.normal({2, 5, 6});
  const MultiHeadAttention attention = three_heads();
  const Tensor together = attend_to_itself(attention, x).output;
  for (std::size_t b = 0; b < 2; ++b) {
    check_close(sentence(together, b), attend_to_itself(attention, sentence(x, b)).output, bit_for_bit);
  }
}

TEST_CASE("padding a batch changes no real token's output", "[multi_head][mask][law]") {
  Random random(10);
  const std::vector<std::size_t> lengths{3, 5, 2};
  const Tensor x = random.normal({3, 7, 6});  // past its length, a sentence holds whatever it holds
  const MultiHeadAttention attention = three_heads();
  const Tensor padded = attend_to_itself(attention, x, keep_where(padding_mask(lengths, 7))).output;
  for (std::size_t b = 0; b < 3; ++b) {
    CAPTURE(b);
    const Tensor real = rows(sentence(x, b), 0, lengths[b]);
    check_close(rows(sentence(padded, b), 0, lengths[b]), attend_to_itself(attention, real).output, bit_for_bit);
  }
}

TEST_CASE("a mask per sentence belongs to the sentences, also when there are as many heads", "[multi_head][mask]") {
  // 3 sentences and 3 heads: without an axis for the heads, a [3, 5, 5] mask would silently be taken as one per head.
  Random random(12);
  const Tensor x = random.normal({3, 5, 6});
  const Tensor causal = reshape(causal_mask(5), {1, 5, 5});
  const Tensor mask = concat({causal, Tensor({1, 5, 5}, 1.0F), reshape(identity(5), {1, 5, 5})}, 0);
  const bool as_bias = GENERATE(false, true);
  const auto make = [as_bias](const Tensor& keep) { return as_bias ? added(additive_mask(keep)) : keep_where(keep); };
  const MultiHeadAttention attention = three_heads();
  const Tensor together = attend_to_itself(attention, x, make(mask)).output;
  for (std::size_t b = 0; b < 3; ++b) {
    CAPTURE(b, as_bias);
    check_close(sentence(together, b), attend_to_itself(attention, sentence(x, b), make(sentence(mask, b))).output,
                bit_for_bit);
  }
}

TEST_CASE("a mask with an axis for the heads gives each head its own", "[multi_head][mask]") {
  Random random(13);
  const Tensor x = random.normal({2, 5, 6});
  Tensor mask =
      concat({reshape(causal_mask(5), {1, 5, 5}), Tensor({1, 5, 5}, 1.0F), reshape(identity(5), {1, 5, 5})}, 0);
  const MultiHeadAttention attention = three_heads();
  const Tensor unmasked = attend_to_itself(attention, x).heads.weights;
  const Tensor weights = attend_to_itself(attention, x, keep_where(reshape(mask, {1, 3, 5, 5}))).heads.weights;
  for (std::size_t b = 0; b < 2; ++b) {
    CHECK(sentence(weights, b)(0, 1, 2) == 0.0F);
    check_close(sentence(sentence(weights, b), 1), sentence(sentence(unmasked, b), 1), bit_for_bit);
    check_close(sentence(sentence(weights, b), 2), identity(5), bit_for_bit);
    // The same for a single sentence, where the heads' axis comes first.
    check_close(attend_to_itself(attention, sentence(x, b), keep_where(mask)).heads.weights, sentence(weights, b),
                bit_for_bit);
  }
}

TEST_CASE("masks of every accepted shape mean the same", "[multi_head][mask]") {
  Random random(14);
  const Tensor x = random.normal({2, 5, 6});
  const Tensor keys = Tensor::vector({1, 1, 1, 0, 0});
  const MultiHeadAttention attention = three_heads();
  const Tensor expected = attend_to_itself(attention, x, keep_where(keys)).output;
  const Shape shape = GENERATE(Shape{1, 5}, Shape{5, 5}, Shape{1, 1, 5}, Shape{2, 1, 5}, Shape{2, 5, 5}, Shape{1, 5, 5},
                               Shape{1, 1, 1, 5}, Shape{2, 1, 5, 5}, Shape{2, 3, 5, 5}, Shape{1, 3, 1, 5});
  CAPTURE(to_string(shape));
  const Tensor mask = multiply(Tensor(shape, 1.0F), keys);
  check_close(attend_to_itself(attention, x, keep_where(mask)).output, expected, bit_for_bit);
}

TEST_CASE("a padding mask of one sentence serves a sentence without a batch axis", "[multi_head][mask]") {
  Random random(15);
  const Tensor x = random.normal({5, 6});
  const MultiHeadAttention attention = three_heads();
  check_close(rows(attend_to_itself(attention, x, keep_where(padding_mask({3}, 5))).output, 0, 3),
              attend_to_itself(attention, rows(x, 0, 3)).output, bit_for_bit);
}

TEST_CASE("a mask that fits neither sentences nor heads is refused as it was given", "[multi_head][error]") {
  const Tensor x({3, 5, 6});
  const auto refused = [&](const Shape& shape) {
    return attend_to_itself(three_heads(), x, keep_where(Tensor(shape, 1.0F)));
  };
  CHECK_THROWS_WITH(refused({2, 1, 5}), ContainsSubstring("a [2, 1, 5] mask does not fit scores of [3, 5, 5]"));
  CHECK_THROWS_WITH(refused({5, 7}), ContainsSubstring("a [5, 7] mask does not fit scores of [3, 5, 5]"));
  CHECK_THROWS_WITH(refused({3, 2, 5, 5}),
                    ContainsSubstring("a [3, 2, 5, 5] mask does not fit scores of [3, 3, 5, 5]"));
}

TEST_CASE("one token attends to itself only: its output is W_O (W_V x) + b_O", "[multi_head][edge]") {
  Random random(16);
  const Tensor x = random.normal({1, 6});
  const MultiHeadAttention attention = three_heads();
  const MultiHeadWeights& weights = attention.weights();
  check_close(attend_to_itself(attention, x).output, linear(linear(x, weights.W_V), weights.W_O, weights.b_O),
              bit_for_bit);
}

TEST_CASE("no tokens give no output rows", "[multi_head][edge]") {
  CHECK(attend_to_itself(three_heads(), Tensor({0, 6})).output.shape() == Shape{0, 6});
  CHECK(attend_to_itself(three_heads(), Tensor({2, 0, 6})).output.shape() == Shape{2, 0, 6});
  CHECK(attend_to_itself(three_heads(), Tensor({0, 5, 6})).output.shape() == Shape{0, 5, 6});
}

TEST_CASE("a sentence of nothing but padding gives NaN, and its neighbours in the batch do not notice",
          "[multi_head][edge]") {
  Random random(17);
  const Tensor x = random.normal({2, 5, 6});
  const MultiHeadAttention attention = three_heads();
  const Tensor output = attend_to_itself(attention, x, keep_where(padding_mask({0, 5}, 5))).output;
  check_close(sentence(output, 0), Tensor({5, 6}, NAN), bit_for_bit);
  check_close(sentence(output, 1), attend_to_itself(attention, sentence(x, 1)).output, bit_for_bit);
}

TEST_CASE("the module's weights are drawn as query, key, value, output, then the output's bias", "[multi_head]") {
  Random random(42);
  const MultiHeadAttention attention(10, 5, random);
  Random again(42);
  check_close(attention.weights().W_Q, linear_weight(again, 10, 10), bit_for_bit);
  check_close(attention.weights().W_K, linear_weight(again, 10, 10), bit_for_bit);
  check_close(attention.weights().W_V, linear_weight(again, 10, 10), bit_for_bit);
  check_close(attention.weights().W_O, linear_weight(again, 10, 10), bit_for_bit);
  check_close(attention.weights().b_O, linear_bias(again, 10, 10), bit_for_bit);
  CHECK(attention.d_model() == 10);
  CHECK(attention.num_heads() == 5);
  CHECK(attention.head_dim() == 2);
}

TEST_CASE("inputs that do not fit the weights or each other are refused with both shapes", "[multi_head][error]") {
  const Tensor x({5, 6});
  CHECK(
      refusal(Tensor({5, 8}), x, x) ==
      "multi-head attention: inputs are [.., seq_len, d_model], d_model as in the weights, but query is [5, 8] and W_Q "
      "is [6, 6]");
  CHECK(refusal(x, Tensor({6}), x) ==
        "multi-head attention: inputs are [.., seq_len, d_model], d_model as in the weights, but key is [6] and W_K is "
        "[6, 6]");
  CHECK(
      refusal(x, x, Tensor({7, 6})) ==
      "multi-head attention: every key needs its value, so both come from the same tokens, but key is [5, 6] and value "
      "is [7, 6]");
  CHECK(refusal(Tensor({2, 5, 6}), Tensor({3, 5, 6}), Tensor({3, 5, 6})) ==
        "multi-head attention: query and key must be of the same batch, but query is [2, 5, 6] and key is [3, 5, 6]");
}

TEST_CASE("weights that do not fit each other are refused with both shapes", "[multi_head][error]") {
  const Tensor x({5, 6});
  const Tensor w({6, 6});
  const auto attend = [&](const MultiHeadWeights& weights) { return multi_head_attention(x, x, x, weights, 3); };
  CHECK_THROWS_WITH(attend({Tensor({6, 8}), w, w, w, Tensor({6})}),
                    ContainsSubstring("W_Q is [6, 8]") && ContainsSubstring("W_O is [6, 6]"));
  CHECK_THROWS_WITH(attend({w, Tensor({4, 6}), w, w, Tensor({6})}),
                    ContainsSubstring("W_K is [4, 6]") && ContainsSubstring("W_V is [6, 6]"));
  CHECK_THROWS_WITH(attend({w, w, w, w, Tensor({5})}),
                    ContainsSubstring("W_O is [6, 6]") && ContainsSubstring("b_O is [5]"));
}
