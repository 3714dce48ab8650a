// What holds for every attention of the family, whatever its sizes, numbers and options. Values are finite.

#include "attention/kinds/attention.hpp"
#include "attention/kinds/drawn.hpp"
#include "attention/kinds/masks.hpp"
#include "catch.hpp"
#include "check_close.hpp"
#include "tensor/close.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"

#include <cstddef>
#include <vector>

namespace attn {

namespace {

constexpr Tolerance exact{};
// A few dozen float roundings of numbers near 1.
constexpr Tolerance rounded{.atol = 2e-6, .rtol = 2e-6};

/// A batch of heads with sizes drawn from a seed.
struct Example {
  explicit Example(Drawn& drawn)
      : batch(drawn.size()),
        num_heads(drawn.size()),
        seq_len_q(drawn.size()),
        seq_len_kv(drawn.size()),
        query(drawn.tensor({batch, num_heads, seq_len_q, head_dim = drawn.size()})),
        key(drawn.tensor({batch, num_heads, seq_len_kv, head_dim})),
        value(drawn.tensor({batch, num_heads, seq_len_kv, drawn.size()})) {}

  std::size_t batch;
  std::size_t num_heads;
  std::size_t seq_len_q;
  std::size_t seq_len_kv;
  std::size_t head_dim;
  Tensor query;
  Tensor key;
  Tensor value;
};

/// x with other numbers in the tokens for which `chosen` is 1.
Tensor disturbed(Drawn& drawn, const Tensor& x, const std::vector<bool>& chosen) {
  std::vector<Tensor> tokens;
  for (std::size_t j = 0; j < x.dim(-2); ++j) {
    const Tensor token = slice(x, -2, j, j + 1);
    tokens.push_back(chosen[j] ? add(token, scale(drawn.tensor(token.shape()), 100.0F)) : token);
  }
  return concat(tokens, -2);
}

Tensor reordered(const Tensor& x, int axis, const std::vector<std::size_t>& order) {
  std::vector<Tensor> parts;
  for (const std::size_t j : order) parts.push_back(slice(x, axis, j, j + 1));
  return concat(parts, axis);
}

}  // namespace

TEST_CASE("every row of weights sums to 1, with any mask, scale and soft cap", "[kinds][laws]") {
  const unsigned seed = GENERATE(range(0U, 40U));
  CAPTURE(seed);
  Drawn drawn(seed);
  const Example x(drawn);
  const AttentionOptions options = {
      .mask = {.keep = drawn.mask({x.batch, 1, x.seq_len_q, x.seq_len_kv}), .bias = drawn.tensor({x.seq_len_kv})},
      .scale = drawn.tensor({1})(0),
      .soft_cap = 1.0F + static_cast<float>(drawn.below(5)),
      .empty_rows = EmptyRows::uniform};
  const FamilySteps steps = attention(x.query, x.key, x.value, options);
  check_close(sum(steps.weights, -1), Tensor({x.batch, x.num_heads, x.seq_len_q}, 1.0F), rounded);
}

TEST_CASE("a causal context never depends on later tokens, whatever came before", "[kinds][laws]") {
  const unsigned seed = GENERATE(range(0U, 40U));
  CAPTURE(seed);
  Drawn drawn(seed);
  const Example x(drawn);
  const std::size_t offset = drawn.below(3);
  const Mask causal = keep_where(causal_mask(
      {.seq_len_q = x.seq_len_q, .seq_len_kv = x.seq_len_kv, .offset = static_cast<std::ptrdiff_t>(offset)}));
  const std::size_t i = drawn.below(x.seq_len_q);
  std::vector<bool> later(x.seq_len_kv);
  for (std::size_t j = 0; j < x.seq_len_kv; ++j) later[j] = j > i + offset;

  const Tensor before = attention(x.query, x.key, x.value, {.mask = causal}).context;
  const Tensor after =
      attention(x.query, disturbed(drawn, x.key, later), disturbed(drawn, x.value, later), {.mask = causal}).context;
  check_close(slice(after, -2, 0, i + 1), slice(before, -2, 0, i + 1), exact);
}

TEST_CASE("a windowed context never depends on tokens outside the window", "[kinds][laws]") {
  const unsigned seed = GENERATE(range(0U, 40U));
  CAPTURE(seed);
  Drawn drawn(seed);
  const Example x(drawn);
  const std::size_t left = drawn.below(4);
  const std::size_t right = drawn.below(4);
  const AttentionOptions options = {
      .mask =
          keep_where(window_mask({.seq_len_q = x.seq_len_q, .seq_len_kv = x.seq_len_kv, .left = left, .right = right})),
      .empty_rows = EmptyRows::zeros};
  const std::size_t i = drawn.below(x.seq_len_q);
  std::vector<bool> outside(x.seq_len_kv);
  for (std::size_t j = 0; j < x.seq_len_kv; ++j) outside[j] = j + left < i || j > i + right;

  const Tensor before = attention(x.query, x.key, x.value, options).context;
  const Tensor after =
      attention(x.query, disturbed(drawn, x.key, outside), disturbed(drawn, x.value, outside), options).context;
  check_close(slice(after, -2, i, i + 1), slice(before, -2, i, i + 1), exact);
}

TEST_CASE("tokens that may be seen do matter: another value moves the context", "[kinds][laws]") {
  const unsigned seed = GENERATE(range(0U, 10U));
  CAPTURE(seed);
  Drawn drawn(seed);
  const Example x(drawn);
  const Mask causal = keep_where(causal_mask({.seq_len_q = x.seq_len_q, .seq_len_kv = x.seq_len_kv}));
  std::vector<bool> first(x.seq_len_kv);
  first[0] = true;
  const Tensor before = attention(x.query, x.key, x.value, {.mask = causal}).context;
  const Tensor after = attention(x.query, x.key, disturbed(drawn, x.value, first), {.mask = causal}).context;
  CHECK(largest_difference(slice(after, -2, 0, 1), slice(before, -2, 0, 1)).largest > 1.0);
}

TEST_CASE("keys and values in another order, with their masks, give the same context", "[kinds][laws]") {
  const unsigned seed = GENERATE(range(0U, 40U));
  CAPTURE(seed);
  Drawn drawn(seed);
  const Example x(drawn);
  const std::vector<std::size_t> order = drawn.order(x.seq_len_kv);
  const Mask mask = {.keep = drawn.mask({x.seq_len_q, x.seq_len_kv}), .bias = drawn.tensor({x.seq_len_kv})};
  const Mask mask_reordered = {.keep = reordered(*mask.keep, -1, order), .bias = reordered(*mask.bias, -1, order)};
  check_close(
      attention(x.query, reordered(x.key, -2, order), reordered(x.value, -2, order), {.mask = mask_reordered}).context,
      attention(x.query, x.key, x.value, {.mask = mask}).context, rounded);
}

TEST_CASE("padding a sentence changes no real token's context", "[kinds][laws]") {
  const unsigned seed = GENERATE(range(0U, 40U));
  CAPTURE(seed);
  Drawn drawn(seed);
  const Example x(drawn);
  const std::size_t padding = drawn.size();
  const auto with_padding = [&](const Tensor& tokens) {
    Shape shape = tokens.shape();
    shape[2] = padding;
    return concat({tokens, scale(drawn.tensor(shape), 100.0F)}, -2);
  };
  const Tensor keep = concat({full_mask(x.batch, x.seq_len_kv), Tensor({x.batch, padding})}, -1);
  const Tensor padded = attention(with_padding(x.query), with_padding(x.key), with_padding(x.value),
                                  {.mask = keep_where(key_padding_mask(keep))})
                            .context;
  check_close(slice(padded, -2, 0, x.seq_len_q), attention(x.query, x.key, x.value).context, exact);
}

TEST_CASE("what is added to every key cancels in softmax", "[kinds][laws]") {
  const unsigned seed = GENERATE(range(0U, 40U));
  CAPTURE(seed);
  Drawn drawn(seed);
  const Example x(drawn);
  const Tensor key_bias = drawn.tensor({x.head_dim});
  check_close(attention(x.query, add(x.key, key_bias), x.value).weights, attention(x.query, x.key, x.value).weights,
              {.atol = 1e-5, .rtol = 1e-5});  // scores up to 50 are rounded to within 2e-6
}

TEST_CASE("a soft cap far above all scores changes nothing to see", "[kinds][laws]") {
  const unsigned seed = GENERATE(range(0U, 20U));
  CAPTURE(seed);
  Drawn drawn(seed);
  const Example x(drawn);
  check_close(attention(x.query, x.key, x.value, {.soft_cap = 1e5F}).context,
              attention(x.query, x.key, x.value).context, {.atol = 1e-5, .rtol = 1e-5});
}

TEST_CASE("each head of each sentence is attention by itself", "[kinds][laws]") {
  const unsigned seed = GENERATE(range(0U, 20U));
  CAPTURE(seed);
  Drawn drawn(seed);
  const Example x(drawn);
  const Tensor all = attention(x.query, x.key, x.value).context;
  const std::size_t b = drawn.below(x.batch);
  const std::size_t h = drawn.below(x.num_heads);
  const auto one = [&](const Tensor& heads) { return slice(slice(heads, 0, b, b + 1), 1, h, h + 1); };
  check_close(one(all), attention(one(x.query), one(x.key), one(x.value)).context, exact);
}

}  // namespace attn
