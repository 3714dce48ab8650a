#include "attention/scaled_dot_product.hpp"

#include "catch.hpp"
#include "check_close.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/random.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

using namespace attn;

namespace {

constexpr Tolerance bit_for_bit{};
constexpr Tolerance few_roundings{.atol = 1e-6, .rtol = 1e-6};  // sums of some ten floats near 1

Tensor rows(const Tensor& x, std::size_t start, std::size_t stop) {
  return slice(x, -2, start, stop);
}

/// The rows of x [n, dim] in another order.
Tensor reordered(const Tensor& x, const std::vector<std::size_t>& order) {
  std::vector<Tensor> parts;
  for (const std::size_t i : order) parts.push_back(rows(x, i, i + 1));
  return concat(parts, -2);
}

struct Inputs {
  Tensor query;
  Tensor key;
  Tensor value;
};

/// Awkward sizes: 5 queries, 7 keys, head_dim 3, value_dim 2.
Inputs random_inputs(std::uint64_t seed = 1, const Shape& leading = {}) {
  Random random(seed);
  const auto normal = [&](std::size_t seq_len, std::size_t dim) {
    Shape shape = leading;
    shape.insert(shape.end(), {seq_len, dim});
    return random.normal(shape);
  };
  Inputs in;
  in.query = normal(5, 3);
  in.key = normal(7, 3);
  in.value = normal(7, 2);
  return in;
}

AttentionSteps attend(const Inputs& in, const Mask& mask = no_mask()) {
  return scaled_dot_product_attention(in.query, in.key, in.value, mask);
}

}  // namespace

TEST_CASE("scores ln 1, ln 2, ln 3 weigh values 6, 12, 18 by 1/6, 2/6, 3/6: context 14", "[attention]") {
  const float ln2 = std::log(2.0F);
  const float ln3 = std::log(3.0F);
  const AttentionSteps steps = scaled_dot_product_attention(Tensor::matrix({{1}}), Tensor::matrix({{0}, {ln2}, {ln3}}),
                                                            Tensor::matrix({{6}, {12}, {18}}));
  check_close(steps.scores, Tensor::matrix({{0, ln2, ln3}}), bit_for_bit);
  check_close(steps.weights, Tensor::matrix({{1.0F / 6, 2.0F / 6, 3.0F / 6}}), few_roundings);
  check_close(steps.context, Tensor::matrix({{14}}), few_roundings);
}

TEST_CASE("with head_dim 4 every score is halved, because sqrt(4) = 2", "[attention]") {
  const AttentionSteps steps = scaled_dot_product_attention(Tensor::matrix({{1, 2, 3, 4}, {0, 1, 0, 0}}),
                                                            Tensor::matrix({{1, 1, 1, 1}, {0, 6, 0, 0}, {2, 0, 0, -1}}),
                                                            Tensor::matrix({{1}, {2}, {3}}));
  check_close(steps.scores, Tensor::matrix({{10, 12, -2}, {1, 6, 0}}), bit_for_bit);
  check_close(steps.scaled, Tensor::matrix({{5, 6, -1}, {0.5F, 3, 0}}), bit_for_bit);
  check_close(steps.masked, steps.scaled, bit_for_bit);
}

TEST_CASE("every step has the shape that is promised", "[attention]") {
  const Shape leading = GENERATE(Shape{}, Shape{2}, Shape{2, 3}, Shape{0});
  CAPTURE(to_string(leading));
  const AttentionSteps steps = attend(random_inputs(1, leading));
  Shape table = leading;
  table.insert(table.end(), {5, 7});
  for (const Tensor* step : {&steps.scores, &steps.scaled, &steps.masked, &steps.weights})
    CHECK(step->shape() == table);
  table.back() = 2;
  CHECK(steps.context.shape() == table);
}

TEST_CASE("a row of weights sums to 1, with a mask too", "[attention][law]") {
  Tensor mask = full_mask(5, 7);
  for (std::size_t i = 0; i < 5; ++i) mask(i, (3 * i + 1) % 7) = 0.0F;
  const Mask some = GENERATE_COPY(no_mask(), keep_where(mask));
  check_close(sum(attend(random_inputs(), some).weights, -1), Tensor({5}, 1.0F), few_roundings);
}

TEST_CASE("adding one number to all scores of a query changes no weight", "[attention][law]") {
  const Inputs in = random_inputs();
  const Tensor per_query = Tensor::matrix({{3}, {-2}, {0.5F}, {8}, {-5}});
  check_close(attend(in, added(per_query)).weights, attend(in).weights, few_roundings);
}

TEST_CASE("keys and values in another order, moved together, give the same context", "[attention][law]") {
  const Inputs in = random_inputs();
  const std::vector<std::size_t> order{4, 0, 6, 2, 1, 5, 3};
  const Inputs moved{in.query, reordered(in.key, order), reordered(in.value, order)};
  check_close(attend(moved).context, attend(in).context, few_roundings);
}

TEST_CASE("keys moved without their values give another context", "[attention][law]") {
  const Inputs in = random_inputs();
  const Inputs moved{in.query, reordered(in.key, {4, 0, 6, 2, 1, 5, 3}), in.value};
  CHECK_FALSE(all_close(attend(moved).context, attend(in).context, {.atol = 0.01, .rtol = 0}));
}

TEST_CASE("queries in another order give the same contexts in that order", "[attention][law]") {
  const Inputs in = random_inputs();
  const std::vector<std::size_t> order{3, 1, 4, 0, 2};
  check_close(attend({reordered(in.query, order), in.key, in.value}).context, reordered(attend(in).context, order),
              bit_for_bit);
}

TEST_CASE("a causal output never depends on later tokens", "[attention][mask][law]") {
  Random random(3);
  Inputs in{random.normal({5, 3}), random.normal({5, 3}), random.normal({5, 2})};
  const Tensor before = attend(in, keep_where(causal_mask(5))).context;
  for (std::size_t d = 0; d < 3; ++d) in.key(4, d) += 0.5F;  // disturb only the last of five tokens
  for (std::size_t d = 0; d < 2; ++d) in.value(4, d) -= 100.0F;
  const Tensor after = attend(in, keep_where(causal_mask(5))).context;
  check_close(rows(after, 0, 4), rows(before, 0, 4), bit_for_bit);
  CHECK_FALSE(all_close(rows(after, 4, 5), rows(before, 4, 5), {.atol = 0.1, .rtol = 0}));
}

TEST_CASE("the first token of a causal attention sees itself alone: its context is its value", "[attention][mask]") {
  Random random(4);
  const Inputs in{random.normal({5, 3}), random.normal({5, 3}), random.normal({5, 2})};
  check_close(rows(attend(in, keep_where(causal_mask(5))).context, 0, 1), rows(in.value, 0, 1), bit_for_bit);
}

TEST_CASE("hidden keys might as well not be there", "[attention][mask][law]") {
  const Inputs in = random_inputs();
  const Tensor mask = Tensor::vector({1, 1, 1, 1, 0, 0, 0});
  const Inputs shorter{in.query, rows(in.key, 0, 4), rows(in.value, 0, 4)};
  check_close(attend(in, keep_where(mask)).context, attend(shorter).context, bit_for_bit);
}

TEST_CASE("a 0/1 mask and the same mask added give the same weights", "[attention][mask][law]") {
  const Inputs in = random_inputs();
  Tensor mask = full_mask(5, 7);
  for (std::size_t i = 0; i < 5; ++i) mask(i, i) = 0.0F;
  check_close(attend(in, added(additive_mask(mask))).weights, attend(in, keep_where(mask)).weights, bit_for_bit);
}

TEST_CASE("a batch gives each sentence what it gets alone", "[attention][law]") {
  const Inputs batch = random_inputs(5, {2});
  const AttentionSteps together = attend(batch);
  for (std::size_t b = 0; b < 2; ++b) {
    const auto sentence = [&](const Tensor& x) {
      return reshape(slice(x, 0, b, b + 1), Shape(x.shape().begin() + 1, x.shape().end()));
    };
    const AttentionSteps alone = attend({sentence(batch.query), sentence(batch.key), sentence(batch.value)});
    check_close(sentence(together.weights), alone.weights, bit_for_bit);
    check_close(sentence(together.context), alone.context, bit_for_bit);
  }
}

TEST_CASE("each sentence of a batch has its own mask", "[attention][mask]") {
  const Inputs batch = random_inputs(6, {2});
  const Tensor weights = attend(batch, keep_where(padding_mask({7, 4}, 7))).weights;
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 7; ++j) {
      CAPTURE(i, j);
      CHECK(weights(0, i, j) > 0.0F);
      CHECK((weights(1, i, j) > 0.0F) == (j < 4));
    }
  }
}

TEST_CASE("scaling the queries first, or the scores after, is the same", "[attention][law]") {
  const Inputs in = random_inputs();
  const Tensor scaled_first = matmul_transposed(scale(in.query, 1.0F / std::sqrt(3.0F)), in.key);
  check_close(attend(in).scaled, scaled_first, few_roundings);
}

TEST_CASE("one token gives itself weight 1 and takes its own value", "[attention][edge]") {
  const AttentionSteps steps = scaled_dot_product_attention(Tensor::matrix({{3, -7}}), Tensor::matrix({{5, 2}}),
                                                            Tensor::matrix({{0.1F, 0.2F, 0.3F}}));
  check_close(steps.weights, Tensor::matrix({{1}}), bit_for_bit);
  check_close(steps.context, Tensor::matrix({{0.1F, 0.2F, 0.3F}}), bit_for_bit);
}

TEST_CASE("keys that are all the same share the attention evenly: the context is the values' mean",
          "[attention][edge]") {
  Inputs in = random_inputs();
  in.key = Tensor({7, 3}, 0.7F);
  const Tensor average = mean(in.value, 0);
  check_close(attend(in).context, add(Tensor({5, 2}), average), few_roundings);
}

TEST_CASE("no queries give no rows", "[attention][edge]") {
  const Inputs in = random_inputs();
  const AttentionSteps steps = attend({rows(in.query, 0, 0), in.key, in.value});
  CHECK(steps.weights.shape() == Shape{0, 7});
  CHECK(steps.context.shape() == Shape{0, 2});
}

TEST_CASE("no keys give a context of 0, the sum of nothing", "[attention][edge]") {
  const Inputs in = random_inputs();
  const AttentionSteps steps = attend({in.query, rows(in.key, 0, 0), rows(in.value, 0, 0)});
  CHECK(steps.weights.shape() == Shape{5, 0});
  check_close(steps.context, Tensor({5, 2}, 0.0F), bit_for_bit);
}

TEST_CASE("a query whose every key is hidden gets NaN, and the other queries do not notice", "[attention][edge]") {
  const Inputs in = random_inputs();
  Tensor mask = full_mask(5, 7);
  for (std::size_t j = 0; j < 7; ++j) mask(2, j) = 0.0F;
  const AttentionSteps steps = attend(in, keep_where(mask));
  const AttentionSteps unmasked = attend(in);
  check_close(rows(steps.weights, 2, 3), Tensor({1, 7}, NAN), bit_for_bit);
  check_close(rows(steps.context, 2, 3), Tensor({1, 2}, NAN), bit_for_bit);
  check_close(rows(steps.context, 0, 2), rows(unmasked.context, 0, 2), bit_for_bit);
  check_close(rows(steps.context, 3, 5), rows(unmasked.context, 3, 5), bit_for_bit);
}

TEST_CASE("huge scores give all attention to the largest, without overflow", "[attention][edge]") {
  const AttentionSteps steps = scaled_dot_product_attention(
      Tensor::matrix({{1e18F}}), Tensor::matrix({{-1e19F}, {1e19F}, {2e19F}}), Tensor::matrix({{1}, {2}, {3}}));
  check_close(steps.weights, Tensor::matrix({{0, 0, 1}}), bit_for_bit);
  check_close(steps.context, Tensor::matrix({{3}}), bit_for_bit);
}

TEST_CASE("a score beyond float's range becomes inf, and its query's weights NaN, as in PyTorch", "[attention][edge]") {
  const AttentionSteps steps = scaled_dot_product_attention(Tensor::matrix({{1e30F}, {1}}),
                                                            Tensor::matrix({{1}, {1e30F}}), Tensor::matrix({{1}, {2}}));
  CHECK(steps.scores(0, 1) == INFINITY);
  check_close(rows(steps.weights, 0, 1), Tensor({1, 2}, NAN), bit_for_bit);
  check_close(rows(steps.weights, 1, 2), Tensor::matrix({{0, 1}}), bit_for_bit);
}

TEST_CASE("tiny queries and keys attend evenly", "[attention][edge]") {
  const AttentionSteps steps = scaled_dot_product_attention(Tensor({2, 3}, 1e-30F), Tensor({5, 3}, -1e-30F),
                                                            Tensor::matrix({{1}, {2}, {3}, {4}, {5}}));
  check_close(steps.weights, Tensor({2, 5}, 0.2F), few_roundings);
}

TEST_CASE("NaN in a query stays in that query's row", "[attention][edge]") {
  Inputs in = random_inputs();
  const Tensor before = attend(in).context;
  in.query(3, 1) = NAN;
  const Tensor after = attend(in).context;
  check_close(rows(after, 3, 4), Tensor({1, 2}, NAN), bit_for_bit);
  check_close(rows(after, 0, 3), rows(before, 0, 3), bit_for_bit);
}

TEST_CASE("NaN in a hidden key does not show, NaN in a hidden value does: 0 times NaN is NaN", "[attention][edge]") {
  Inputs in = random_inputs();
  const Mask last_hidden = keep_where(Tensor::vector({1, 1, 1, 1, 1, 1, 0}));
  const Tensor before = attend(in, last_hidden).context;
  in.key(6, 0) = NAN;
  check_close(attend(in, last_hidden).context, before, bit_for_bit);
  in.value(6, 0) = NAN;
  const Tensor after = attend(in, last_hidden).context;
  check_close(slice(after, -1, 0, 1), Tensor({5, 1}, NAN), bit_for_bit);
  check_close(slice(after, -1, 1, 2), slice(before, -1, 1, 2), bit_for_bit);
}

TEST_CASE("without a mask it takes how to compute in its place, and computes so", "[attention][compute]") {
  const auto& [query, key, value] = random_inputs(1, {2});
  const Compute blocked{.kind = Matmul::blocked, .threads = 2};
  const AttentionSteps short_call = scaled_dot_product_attention(query, key, value, blocked);
  const AttentionSteps steps = scaled_dot_product_attention(query, key, value, no_mask(), blocked);
  check_close(short_call.weights, steps.weights, bit_for_bit);
  check_close(short_call.context, steps.context, bit_for_bit);
  check_close(short_call.context, scaled_dot_product_attention(query, key, value).context, few_roundings);
}

TEST_CASE("shapes that disagree are refused with both shapes and what to do", "[attention][error]") {
  const auto message = [](const Shape& query, const Shape& key, const Shape& value) -> std::string {
    try {
      static_cast<void>(scaled_dot_product_attention(Tensor(query), Tensor(key), Tensor(value)));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "nothing was refused";
  };
  CHECK(message({5, 3}, {7, 4}, {7, 2}) ==
        "attention: query and key must have the same head_dim (last axis), but query is [5, 3] and key is [7, 4]: "
        "project both to one head_dim, or look for a missing transpose");
  CHECK(message({5, 3}, {7, 3}, {6, 2}) ==
        "attention: key and value must have the same seq_len_kv (second last axis), but key is [7, 3] and value is "
        "[6, 2]: every key hands over one value, so make both from the same tokens");
  CHECK(message({2, 5, 3}, {3, 7, 3}, {3, 7, 2}) ==
        "attention: query and key must have the same leading axes, but query is [2, 5, 3] and key is [3, 7, 3]: give "
        "both the same batch");
  CHECK(message({2, 5, 3}, {2, 7, 3}, {7, 2}) ==
        "attention: key and value must have the same leading axes, but key is [2, 7, 3] and value is [7, 2]: give both "
        "the same batch");
  CHECK(message({3}, {7, 3}, {7, 2}) ==
        "attention: query, key and value are [.., seq_len, dim], but one is [3]: a single token is [1, dim]");
  CHECK(message({5, 0}, {7, 0}, {7, 2}) == "attention: head_dim (last axis) must be at least 1, but query is [5, 0]");
}

TEST_CASE("a mask of the wrong size is refused with the scores' shape", "[attention][error]") {
  CHECK_THROWS_WITH(attend(random_inputs(), keep_where(causal_mask(5))),
                    ContainsSubstring("a [5, 5] mask does not fit scores of [5, 7]"));
}
