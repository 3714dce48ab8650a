// attention with options: each option by itself, against numbers worked by hand or against plain attention.

#include "attention/kinds/attention.hpp"

#include "attention/kinds/drawn.hpp"
#include "attention/kinds/masks.hpp"
#include "attention/scaled_dot_product.hpp"
#include "catch.hpp"
#include "check_close.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

namespace attn {

namespace {

constexpr Tolerance exact{};
constexpr float infinity = std::numeric_limits<float>::infinity();
const float nan = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("with no option, every step is plain attention's, bit for bit", "[kinds][attention]") {
  const unsigned seed = GENERATE(range(0U, 30U));
  CAPTURE(seed);
  Drawn drawn(seed);
  const std::size_t batch = drawn.size();
  const std::size_t seq_len_q = drawn.size();
  const std::size_t seq_len_kv = drawn.size();
  const std::size_t head_dim = drawn.size();
  const Tensor query = drawn.tensor({batch, seq_len_q, head_dim});
  const Tensor key = drawn.tensor({batch, seq_len_kv, head_dim});
  const Tensor value = drawn.tensor({batch, seq_len_kv, drawn.size()});
  const Mask mask = {.keep = drawn.mask({seq_len_q, seq_len_kv}), .bias = drawn.tensor({batch, 1, seq_len_kv})};

  const AttentionSteps plain = scaled_dot_product_attention(query, key, value, mask);
  const FamilySteps steps = attention(query, key, value, {.mask = mask});
  check_close(steps.scores, plain.scores, exact);
  check_close(steps.scaled, plain.scaled, exact);
  check_close(steps.capped, plain.scaled, exact);
  check_close(steps.masked, plain.masked, exact);
  check_close(steps.weights, plain.weights, exact);
  check_close(steps.dropped, plain.weights, exact);
  check_close(steps.context, plain.context, exact);
}

// Scores 2 and 0; scaled by ln 3 / 2: ln 3 and 0; softmax 3/4 and 1/4; context 3/4 * 4 + 1/4 * 8 = 5.
TEST_CASE("a scale of ln 3 / 2 turns scores 2, 0 into weights 3/4, 1/4", "[kinds][attention]") {
  const FamilySteps steps = attention(Tensor::matrix({{1, 1}}), Tensor::matrix({{1, 1}, {0, 0}}),
                                      Tensor::matrix({{4}, {8}}), {.scale = static_cast<float>(std::log(3.0) / 2.0)});
  check_close(steps.scores, Tensor::matrix({{2, 0}}), exact);
  check_close(steps.weights, Tensor::matrix({{0.75F, 0.25F}}), {.atol = 0.0, .rtol = 1e-6});
  check_close(steps.context, Tensor::matrix({{5}}), {.atol = 0.0, .rtol = 1e-6});
}

TEST_CASE("a scale of 0 makes all weights equal", "[kinds][attention]") {
  Drawn drawn(2);
  const FamilySteps steps =
      attention(drawn.tensor({2, 3}), drawn.tensor({5, 3}), drawn.tensor({5, 2}), {.scale = 0.0F});
  check_close(steps.weights, Tensor({2, 5}, 0.2F), exact);
}

TEST_CASE("the soft cap comes before the mask: a hidden key stays hidden", "[kinds][attention]") {
  const FamilySteps steps =
      attention(Tensor::matrix({{10}}), Tensor::matrix({{10}, {1}, {2}}), Tensor::matrix({{1}, {2}, {4}}),
                {.mask = added(Tensor::matrix({{0, -infinity, 3}})), .scale = 1.0F, .soft_cap = 2.0F});
  const float capped_20 = 2.0F * static_cast<float>(std::tanh(10.0));
  check_close(steps.capped, Tensor::matrix({{2, 2.0F * static_cast<float>(std::tanh(5.0)), capped_20}}),
              {.atol = 0.0, .rtol = 1e-6});
  CHECK(steps.masked(0, 1) == -infinity);
  CHECK(steps.masked(0, 2) == steps.capped(0, 2) + 3.0F);
  CHECK(steps.weights(0, 1) == 0.0F);
}

TEST_CASE("an empty row is nan, zeros or uniform, and so is what it collects", "[kinds][attention]") {
  const Tensor query = Tensor::matrix({{1}, {2}});
  const Tensor key = Tensor::matrix({{1}, {2}});
  const Tensor value = Tensor::matrix({{3, 30}, {5, 50}});
  const Mask mask = keep_where(Tensor::matrix({{1, 0}, {0, 0}}));

  const FamilySteps as_nan = attention(query, key, value, {.mask = mask});
  check_close(as_nan.context, Tensor::matrix({{3, 30}, {nan, nan}}), exact);
  const FamilySteps as_zeros = attention(query, key, value, {.mask = mask, .empty_rows = EmptyRows::zeros});
  check_close(as_zeros.weights, Tensor::matrix({{1, 0}, {0, 0}}), exact);
  check_close(as_zeros.context, Tensor::matrix({{3, 30}, {0, 0}}), exact);
  const FamilySteps as_uniform = attention(query, key, value, {.mask = mask, .empty_rows = EmptyRows::uniform});
  check_close(as_uniform.weights, Tensor::matrix({{1, 0}, {0.5F, 0.5F}}), exact);
  check_close(as_uniform.context, Tensor::matrix({{3, 30}, {4, 40}}), exact);
}

TEST_CASE("dropout works on the weights, after softmax and before the values", "[kinds][attention]") {
  const Dropout dropout{.rate = 0.5F, .kept = Tensor::matrix({{1, 0}})};
  const FamilySteps steps =
      attention(Tensor::matrix({{0}}), Tensor::matrix({{1}, {2}}), Tensor::matrix({{3}, {5}}), {.dropout = dropout});
  check_close(steps.weights, Tensor::matrix({{0.5F, 0.5F}}), exact);
  check_close(steps.dropped, Tensor::matrix({{1, 0}}), exact);
  check_close(steps.context, Tensor::matrix({{3}}), exact);
}

TEST_CASE("softmax in float16 shows in the weights", "[kinds][attention]") {
  const FamilySteps steps = attention(Tensor::matrix({{1}}), Tensor::matrix({{0}, {-1}}), Tensor::matrix({{1}, {0}}),
                                      {.softmax_precision = Precision::float16});
  check_close(steps.weights, Tensor::matrix({{0.73095703125F, 0.268798828125F}}), exact);
}

TEST_CASE("no tokens and one token are no special cases", "[kinds][attention]") {
  const FamilySteps no_queries = attention(Tensor({2, 0, 3}), Tensor({2, 5, 3}), Tensor({2, 5, 7}));
  CHECK(no_queries.context.shape() == Shape{2, 0, 7});

  const EmptyRows empty_rows = GENERATE(EmptyRows::nan, EmptyRows::zeros, EmptyRows::uniform);
  const FamilySteps no_keys =
      attention(Tensor({2, 3}, 1.0F), Tensor({0, 3}), Tensor({0, 5}), {.empty_rows = empty_rows});
  CHECK(no_keys.weights.shape() == Shape{2, 0});
  check_close(no_keys.context, Tensor({2, 5}), exact);  // the sum of nothing

  const FamilySteps one = attention(Tensor::matrix({{7}}), Tensor::matrix({{-3}}), Tensor::matrix({{2, 4}}));
  check_close(one.context, Tensor::matrix({{2, 4}}), exact);
}

TEST_CASE("huge and tiny scores stay exact", "[kinds][attention]") {
  const Tensor value = Tensor::matrix({{3}, {5}});
  const FamilySteps huge = attention(Tensor::matrix({{1e18F}}), Tensor::matrix({{1e18F}, {-1e18F}}), value);
  check_close(huge.context, Tensor::matrix({{3}}), exact);
  const FamilySteps tiny = attention(Tensor::matrix({{1e-30F}}), Tensor::matrix({{1e-30F}, {-1e-30F}}), value);
  check_close(tiny.context, Tensor::matrix({{4}}), exact);
}

TEST_CASE("a hidden key's NaN does not reach the weights, and a hidden value's does reach the context",
          "[kinds][attention]") {
  const Mask mask = keep_where(Tensor::matrix({{1, 0}}));
  const Tensor query = Tensor::matrix({{1}});
  const FamilySteps steps = attention(query, Tensor::matrix({{1}, {nan}}), Tensor::matrix({{3}, {5}}), {.mask = mask});
  check_close(steps.context, Tensor::matrix({{3}}), exact);
  const FamilySteps nan_value =
      attention(query, Tensor::matrix({{1}, {1}}), Tensor::matrix({{3}, {nan}}), {.mask = mask});
  check_close(nan_value.context, Tensor::matrix({{nan}}), exact);
}

TEST_CASE("attention says what does not fit", "[kinds][attention]") {
  const Tensor x({2, 3});
  CHECK_THROWS_WITH(attention(x, Tensor({2, 4}), x),
                    "attention: query and key must have the same head_dim (last axis), but query is [2, 3] and key is "
                    "[2, 4]: project both to one head_dim, or look for a missing transpose");
  CHECK_THROWS_WITH(attention(x, x, x, {.scale = infinity}),
                    "attention: scale is inf, but must be finite: leave it out for 1 / sqrt(head_dim)");
  CHECK_THROWS_WITH(attention(x, x, x, {.soft_cap = 0.0F}), ContainsSubstring("cap is 0"));
  CHECK_THROWS_WITH(attention(x, x, x, {.mask = keep_where(full_mask(2, 5))}), ContainsSubstring("[2, 5]"));
  CHECK_THROWS_WITH(attention(x, x, x, {.dropout = Dropout{.rate = 0.5F, .kept = full_mask(3, 3)}}),
                    ContainsSubstring("[3, 3]"));
}

}  // namespace attn
