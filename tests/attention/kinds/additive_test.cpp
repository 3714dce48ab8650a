#include "attention/kinds/additive.hpp"

#include "attention/kinds/drawn.hpp"
#include "attention/kinds/luong.hpp"
#include "attention/scaled_dot_product.hpp"
#include "catch.hpp"
#include "check_close.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/random.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace attn {

namespace {

constexpr Tolerance exact{};
constexpr float infinity = std::numeric_limits<float>::infinity();
const float nan = std::numeric_limits<float>::quiet_NaN();

/// Random inputs and weights, every width of its own.
struct Example {
  std::size_t batch, seq_len_q, seq_len_kv, query_dim, key_dim, value_dim, attention_dim;
  Tensor query, key, value;
  AdditiveWeights weights;

  explicit Example(std::uint32_t seed) {
    Drawn drawn(seed);
    Random random(seed);
    batch = drawn.size();
    seq_len_q = drawn.size();
    seq_len_kv = drawn.size();
    query_dim = drawn.size();
    key_dim = drawn.size();
    value_dim = drawn.size();
    attention_dim = drawn.size();
    query = random.normal({batch, seq_len_q, query_dim});
    key = random.normal({batch, seq_len_kv, key_dim});
    value = random.normal({batch, seq_len_kv, value_dim});
    weights = {.W_query = random.normal({attention_dim, query_dim}),
               .W_key = random.normal({attention_dim, key_dim}),
               .v = random.normal({attention_dim})};
  }
};

/// The rows of [.., seq_len, dim] in the opposite order.
Tensor reversed_rows(const Tensor& x) {
  std::vector<Tensor> rows;
  for (std::size_t j = x.dim(-2); j-- > 0;) rows.push_back(slice(x, -2, j, j + 1));
  return concat(rows, -2);
}

}  // namespace

TEST_CASE("an additive score is v . tanh(W_query query + W_key key), worked by hand", "[additive]") {
  // Query 1 and keys 2, -1; W_query = (1, 0), W_key = (0, 1), v = (3, 4): 3 tanh(1) + 4 tanh(key).
  const AdditiveSteps steps = additive_attention(
      Tensor::matrix({{1}}), Tensor::matrix({{2}, {-1}}), Tensor::matrix({{10}, {20}}),
      {.W_query = Tensor::matrix({{1}, {0}}), .W_key = Tensor::matrix({{0}, {1}}), .v = Tensor::vector({3, 4})});
  const auto tanh_1 = static_cast<float>(std::tanh(1.0));
  const auto tanh_2 = static_cast<float>(std::tanh(2.0));
  check_close(steps.sums, Tensor({1, 2, 2}, std::vector<float>{1, 2, 1, -1}), exact);
  check_close(steps.scores, Tensor::matrix({{3 * tanh_1 + 4 * tanh_2, 3 * tanh_1 - 4 * tanh_1}}),
              {.atol = 1e-6, .rtol = 0.0});
  const float difference = steps.scores(0, 0) - steps.scores(0, 1);
  const float first = 1.0F / (1.0F + std::exp(-difference));
  check_close(steps.weights, Tensor::matrix({{first, 1 - first}}), {.atol = 1e-6, .rtol = 0.0});
  check_close(steps.context, Tensor::matrix({{10 * first + 20 * (1 - first)}}), {.atol = 1e-5, .rtol = 0.0});
}

TEST_CASE("without a mask additive and dot attention take how to compute in its place", "[additive][compute]") {
  const Example e(1);
  const Compute blocked{.kind = Matmul::blocked, .threads = 2};
  check_close(additive_attention(e.query, e.key, e.value, e.weights, blocked).context,
              additive_attention(e.query, e.key, e.value, e.weights, no_mask(), blocked).context, exact);
  check_close(luong_dot(e.key, e.key, e.value, blocked).context,
              luong_dot(e.key, e.key, e.value, no_mask(), blocked).context, exact);
}

TEST_CASE("additive weights sum to 1, in every batch and of any widths", "[additive][law]") {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    const Example example(seed);
    const AdditiveSteps steps = additive_attention(example.query, example.key, example.value, example.weights);
    const Tensor sums = sum(steps.weights, -1);
    // At most 17 weights, each rounded to float once.
    check_close(sums, Tensor({example.batch, example.seq_len_q}, 1.0F), {.atol = 1e-6, .rtol = 0.0});
    CHECK(steps.hidden.shape() == Shape{example.batch, example.seq_len_q, example.seq_len_kv, example.attention_dim});
    CHECK(steps.context.shape() == Shape{example.batch, example.seq_len_q, example.value_dim});
  }
}

TEST_CASE("keys and values in another order, moved together, give the same context", "[additive][law]") {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    const Example example(seed);
    const Tensor before = additive_attention(example.query, example.key, example.value, example.weights).context;
    const Tensor after =
        additive_attention(example.query, reversed_rows(example.key), reversed_rows(example.value), example.weights)
            .context;
    check_close(after, before, {.atol = 1e-6, .rtol = 1e-6});  // sums run in another order
  }
}

TEST_CASE("a hidden key never matters to additive attention, and gets no weight", "[additive][law]") {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    Example example(seed);
    if (example.seq_len_kv == 1) continue;
    Tensor keep({1, example.seq_len_kv}, 1.0F);
    keep(0, example.seq_len_kv - 1) = 0.0F;
    const auto attend = [&] {
      return additive_attention(example.query, example.key, example.value, example.weights, keep_where(keep));
    };
    const AdditiveSteps before = attend();
    example.key(0, example.seq_len_kv - 1, 0) += 100.0F;
    example.value(0, example.seq_len_kv - 1, 0) += 100.0F;
    const AdditiveSteps after = attend();
    check_close(after.context, before.context, exact);
    CHECK(before.weights(0, 0, example.seq_len_kv - 1) == 0.0F);
  }
}

TEST_CASE("weights of zero score every key alike, so the context is the mean of the values", "[additive]") {
  Example example(3);
  example.weights.v = Tensor({example.attention_dim});
  const Tensor context = additive_attention(example.query, example.key, example.value, example.weights).context;
  const Tensor mean_value = mean(example.value, 1);  // [batch, value_dim]
  const Tensor each_query = reshape(mean_value, {example.batch, 1, example.value_dim});
  const Tensor expected = add(Tensor(context.shape()), each_query);
  check_close(context, expected, {.atol = 1e-6, .rtol = 1e-6});
}

TEST_CASE("the edges of additive attention: no query, no key, one of each, huge numbers, NaN", "[additive]") {
  const AdditiveWeights weights{.W_query = Tensor::matrix({{1, 2}, {3, 4}, {5, 6}}),
                                .W_key = Tensor::matrix({{1}, {2}, {3}}),
                                .v = Tensor::vector({1, 1, 1})};
  const AdditiveSteps no_query = additive_attention(Tensor({0, 2}), Tensor({5, 1}), Tensor({5, 7}), weights);
  CHECK(no_query.context.shape() == Shape{0, 7});
  const AdditiveSteps no_key = additive_attention(Tensor({3, 2}), Tensor({0, 1}), Tensor({0, 7}), weights);
  check_close(no_key.context, Tensor({3, 7}), exact);  // the sum of nothing
  const AdditiveSteps one =
      additive_attention(Tensor({1, 2}, 1.0F), Tensor({1, 1}, 1.0F), Tensor::matrix({{4, 5}}), weights);
  check_close(one.context, Tensor::matrix({{4, 5}}), exact);
  const AdditiveSteps huge =
      additive_attention(Tensor({1, 2}, 1e30F), Tensor({2, 1}, -1e30F), Tensor::matrix({{4}, {6}}), weights);
  check_close(huge.context, Tensor::matrix({{5}}), exact);  // tanh is 1 for both keys
  const AdditiveSteps undefined =
      additive_attention(Tensor({1, 2}, nan), Tensor({2, 1}, 1.0F), Tensor::matrix({{4}, {6}}), weights);
  CHECK(std::isnan(undefined.context(0, 0)));
  const AdditiveSteps hidden = additive_attention(Tensor({1, 2}, 1.0F), Tensor({2, 1}, 1.0F),
                                                  Tensor::matrix({{4}, {6}}), weights, added(Tensor({2}, -infinity)));
  CHECK(std::isnan(hidden.weights(0, 0)));
}

TEST_CASE("additive attention refuses shapes that do not fit, naming them", "[additive]") {
  const Tensor query({2, 3, 5});
  const Tensor key({2, 7, 4});
  const AdditiveWeights weights{.W_query = Tensor({6, 5}), .W_key = Tensor({6, 4}), .v = Tensor({6})};
  CHECK_THROWS_WITH(
      additive_attention(Tensor({5}), key, key, weights),
      "additive attention: query, key and value are [.., seq_len, dim], but one is [5]: a single token is "
      "[1, dim]");
  CHECK_THROWS_WITH(additive_attention(Tensor({3, 3, 5}), key, key, weights),
                    "additive attention: query and key must have the same leading axes, but query is [3, 3, 5] and key "
                    "is [2, 7, 4]: give both the same batch");
  CHECK_THROWS_WITH(additive_attention(query, key, Tensor({2, 6, 4}), weights),
                    "additive attention: every key hands over one value, but key is [2, 7, 4] and value is [2, 6, 4]: "
                    "make both from the same tokens");
  CHECK_THROWS_WITH(
      additive_attention(query, key, key, {.W_query = Tensor({6, 5}), .W_key = Tensor({7, 4}), .v = Tensor({6})}),
      "additive attention: W_query must be [attention_dim, query_dim], W_key [attention_dim, key_dim] and v "
      "[attention_dim], but they are [6, 5], [7, 4] and [6]");
  CHECK_THROWS_WITH(additive_attention(Tensor({2, 3, 4}), key, key, weights),
                    "additive attention: W_query [6, 5] takes queries of width 5, but query is [2, 3, 4]");
  CHECK_THROWS_WITH(additive_attention(query, Tensor({2, 7, 5}), Tensor({2, 7, 5}), weights),
                    "additive attention: W_key [6, 4] takes keys of width 4, but key is [2, 7, 5]");
  CHECK_THROWS_AS(additive_attention(query, key, key, weights, keep_where(Tensor({4, 7}, 1.0F))),
                  std::invalid_argument);
}

TEST_CASE("Luong's dot is scaled dot-product attention without the scale", "[luong][law]") {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    const Example example(seed);
    Random random(seed + 100);
    const Tensor query = random.normal({example.batch, example.seq_len_q, example.key_dim});
    const Tensor context = luong_dot(query, example.key, example.value).context;
    const Tensor larger = scale(query, std::sqrt(static_cast<float>(example.key_dim)));
    check_close(context, scaled_dot_product_attention(larger, example.key, example.value).context,
                {.atol = 1e-5, .rtol = 1e-5});
  }
}

TEST_CASE("Luong's general with the identity in between is dot, and W may stand on either side", "[luong][law]") {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    const Example example(seed);
    const Tensor W = Random(seed + 200).normal({example.query_dim, example.key_dim});
    const MultiplicativeSteps general = luong_general(example.query, example.key, example.value, W);
    // query W . key = query . W key, summed in another order
    const MultiplicativeSteps by_key = luong_dot(example.query, matmul_transposed(example.key, W), example.value);
    check_close(general.scores, by_key.scores, {.atol = 1e-5, .rtol = 1e-5});

    Tensor identity({example.key_dim, example.key_dim});
    for (std::size_t d = 0; d < example.key_dim; ++d) identity(d, d) = 1.0F;
    const Tensor query = Random(seed + 300).normal({example.batch, example.seq_len_q, example.key_dim});
    check_close(luong_general(query, example.key, example.value, identity).context,
                luong_dot(query, example.key, example.value).context, exact);
    check_close(sum(general.weights, -1), Tensor({example.batch, example.seq_len_q}, 1.0F),
                {.atol = 1e-6, .rtol = 0.0});
  }
}

TEST_CASE("Luong's concat scores the query and the key laid end to end", "[luong]") {
  // v . tanh(W [q; k]) with W of one row (2, -1): tanh(2 q - k) times v = 3.
  const AdditiveSteps steps = luong_concat(Tensor::matrix({{1}}), Tensor::matrix({{2}, {3}}),
                                           Tensor::matrix({{1}, {0}}), Tensor::matrix({{2, -1}}), Tensor::vector({3}));
  const auto tanh_minus_1 = static_cast<float>(std::tanh(-1.0));
  check_close(steps.scores, Tensor::matrix({{0, 3 * tanh_minus_1}}), {.atol = 1e-6, .rtol = 0.0});
}

TEST_CASE("Luong's kinds refuse shapes that do not fit, naming them", "[luong]") {
  const Tensor query({2, 3, 5});
  const Tensor key({2, 7, 4});
  CHECK_THROWS_WITH(luong_dot(query, key, key),
                    "luong_dot: query and key must have the same width (last axis), but query is [2, 3, 5] and key is "
                    "[2, 7, 4]: use luong_general, whose W lies between two widths");
  CHECK_THROWS_WITH(luong_general(query, key, key, Tensor({4, 5})),
                    "luong_general: W must be [query_dim, key_dim] = [5, 4], but it is [4, 5] (query is [2, 3, 5], key "
                    "is [2, 7, 4])");
  CHECK_THROWS_WITH(
      luong_concat(query, key, key, Tensor({6, 8}), Tensor({6})),
      "luong_concat: W must be [attention_dim, query_dim + key_dim] = [attention_dim, 9], but it is [6, 8] "
      "(query is [2, 3, 5], key is [2, 7, 4])");
  CHECK_THROWS_AS(luong_dot(query, Tensor({4}), key), std::invalid_argument);
}

}  // namespace attn
