#include "attention/kinds/alibi.hpp"

#include "attention/kinds/drawn.hpp"
#include "attention/kinds/learned_positions.hpp"
#include "catch.hpp"
#include "check_close.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/random.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace attn {

namespace {

constexpr Tolerance exact{};

}  // namespace

TEST_CASE("eight heads have slopes 1/2, 1/4 .. 1/256", "[alibi]") {
  Tensor expected({8});
  for (std::size_t h = 0; h < 8; ++h) expected(h) = 1.0F / static_cast<float>(2U << h);
  check_close(alibi_slopes(8), expected, exact);
}

TEST_CASE("three heads have the two slopes of two heads and the first of four", "[alibi]") {
  check_close(alibi_slopes(3), Tensor::vector({1.0F / 16, 1.0F / 256, 1.0F / 4}), exact);
}

TEST_CASE("any number of heads gets slopes of its own, each between 0 and 1", "[alibi][law]") {
  for (std::size_t num_heads = 1; num_heads <= 70; ++num_heads) {
    CAPTURE(num_heads);
    const Tensor slopes = alibi_slopes(num_heads);
    REQUIRE(slopes.shape() == Shape{num_heads});
    for (std::size_t h = 0; h < num_heads; ++h) {
      CHECK(slopes(h) > 0.0F);
      CHECK(slopes(h) < 1.0F);
      for (std::size_t other = 0; other < h; ++other) CHECK(slopes(h) != slopes(other));
    }
  }
}

TEST_CASE("the bias is 0 for the token itself and falls by the slope with each step back", "[alibi]") {
  const Tensor bias = alibi_bias(Tensor::vector({0.5F, 2.0F}), alibi_distances(2, 3, /*first=*/1));
  check_close(bias, Tensor({2, 2, 3}, std::vector<float>{-0.5F, 0, 0.5F, -1, -0.5F, 0, -2, 0, 2, -4, -2, 0}), exact);
}

TEST_CASE("slopes of zero are plain causal attention", "[alibi][law]") {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    Drawn drawn(seed);
    Random random(seed);
    const std::size_t heads = drawn.size();
    const std::size_t seq_len = drawn.size();
    const std::size_t head_dim = drawn.size();
    const Tensor query = random.normal({2, heads, seq_len, head_dim});
    const Tensor key = random.normal({2, heads, seq_len, head_dim});
    const Tensor value = random.normal({2, heads, seq_len, drawn.size()});
    const AlibiSteps steps = alibi_attention(query, key, value, Tensor({heads}));
    check_close(steps.attention.context,
                scaled_dot_product_attention(query, key, value, keep_where(causal_mask(seq_len))).context, exact);
    check_close(steps.mask, causal_mask(seq_len), exact);
  }
}

TEST_CASE("where all scores are alike, a token further back weighs e^slope times less", "[alibi]") {
  const Tensor zeros({1, 3, 2});
  const Tensor weights = alibi_attention(zeros, zeros, zeros, Tensor::vector({0.5F})).attention.weights;
  const double e = std::exp(0.5);
  CHECK_THAT(weights(0, 2, 2) / weights(0, 2, 1), WithinAbs(e, 1e-6));
  CHECK_THAT(weights(0, 2, 1) / weights(0, 2, 0), WithinAbs(e, 1e-6));
}

TEST_CASE("with a cache, the last query alone sees what it sees among all", "[alibi][law]") {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    Drawn drawn(seed);
    Random random(seed);
    const std::size_t heads = drawn.size();
    const std::size_t seq_len = drawn.size();
    const Tensor x = random.normal({heads, seq_len, 3});
    const Tensor all = alibi_attention(x, x, x, alibi_slopes(heads)).attention.context;
    for (std::size_t first = 0; first < seq_len; ++first) {
      const Tensor rest = slice(x, 1, first, seq_len);
      const Tensor cached = alibi_attention(rest, x, x, alibi_slopes(heads), first).attention.context;
      check_close(cached, slice(all, 1, first, seq_len), exact);
    }
  }
}

TEST_CASE("linear biases never let a later token matter", "[alibi][law]") {
  Tensor x = Random(4).normal({3, 5, 2});
  const Tensor before = alibi_attention(x, x, x, alibi_slopes(3)).attention.context;
  for (std::size_t h = 0; h < 3; ++h) x(h, 4, 0) += 100.0F;
  const Tensor after = alibi_attention(x, x, x, alibi_slopes(3)).attention.context;
  check_close(slice(after, 1, 0, 4), slice(before, 1, 0, 4), exact);
  CHECK(largest_difference(after, before).largest > 1.0);
}

TEST_CASE("the edges of linear biases: no token, one token", "[alibi]") {
  CHECK(alibi_attention(Tensor({2, 0, 3}), Tensor({2, 0, 3}), Tensor({2, 0, 5}), alibi_slopes(2))
            .attention.context.shape() == Shape{2, 0, 5});
  const Tensor value({1, 1, 2}, std::vector<float>{3, 4});
  check_close(alibi_attention(Tensor({1, 1, 2}), Tensor({1, 1, 2}), value, alibi_slopes(1)).attention.context, value,
              exact);
}

TEST_CASE("linear biases refuse what does not fit, naming it", "[alibi]") {
  CHECK_THROWS_WITH(alibi_slopes(0), "alibi_slopes: num_heads must be at least 1, not 0: try 4");
  CHECK_THROWS_WITH(alibi_bias(Tensor({2, 3}), Tensor({4, 4})),
                    "alibi_bias: slopes must be a list, one per head, not [2, 3]");
  const Tensor x({2, 5, 3});
  CHECK_THROWS_WITH(
      alibi_attention(x, x, x, Tensor({3})),
      "alibi: query must be [.., num_heads, seq_len, head_dim] and slopes [num_heads], but query is [2, 5, "
      "3], key is [2, 5, 3] and slopes is [3]: split the heads first, and give each its slope");
  CHECK_THROWS_AS(alibi_attention(Tensor({5, 3}), Tensor({5, 3}), Tensor({5, 3}), Tensor({5})), std::invalid_argument);
  CHECK_THROWS_WITH(alibi_attention(x, Tensor({2, 5, 4}), x, Tensor({2})), ContainsSubstring("same head_dim"));
}

TEST_CASE("learned positions are the rows of their table, from any place on", "[learned_positions]") {
  const Tensor table = Random(1).normal({7, 3});
  check_close(learned_positions(table, 7), table, exact);
  check_close(learned_positions(table, 2, 5), slice(table, 0, 5, 7), exact);
  CHECK(learned_positions(table, 0, 7).shape() == Shape{0, 3});
}

TEST_CASE("a text longer than the table of learned positions is refused", "[learned_positions]") {
  const char* const message =
      "learned_positions: 3 tokens from place 5 on need more rows than the table [7, 2] has: shorten the text, or use "
      "sinusoidal positions, which have no end";
  CHECK_THROWS_WITH(learned_positions(Tensor({7, 2}), 3, 5), message);
  CHECK_THROWS_AS(learned_positions(Tensor({7, 2}), std::numeric_limits<std::size_t>::max(), 1), std::invalid_argument);
  CHECK_THROWS_AS(learned_positions(Tensor({7, 2}), 1, std::numeric_limits<std::size_t>::max()), std::invalid_argument);
  CHECK_THROWS_WITH(learned_positions(Tensor({7}), 1),
                    "learned_positions: the table must be [max_positions, d_model], not [7]");
}

}  // namespace attn
