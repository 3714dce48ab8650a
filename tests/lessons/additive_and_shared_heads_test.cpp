#include "attention/kinds/additive.hpp"
#include "attention/kinds/grouped_heads.hpp"
#include "attention/kinds/luong.hpp"
#include "attention/multi_head.hpp"
#include "catch.hpp"
#include "support/record/counted_work.hpp"
#include "support/words/additive_words.hpp"
#include "support/words/shared_heads_words.hpp"
#include "support/world/additive_weights.hpp"
#include "support/world/shared_heads.hpp"
#include "tensor/close.hpp"
#include "tensor/random.hpp"
#include "tensor/rearrange.hpp"

#include <string>
#include <vector>

using namespace attn;

// What lessons 16 and 17 have of their own: weights, counts, and sentences.

namespace {

Options options_with(Options::Weights weights) {
  Options options;
  options.weights = weights;
  return options;
}

}  // namespace

TEST_CASE("scores that are counted are the library's, and the counts are the formulas'", "[additive]") {
  Random random(3);
  const std::size_t seq_len_q = 2;
  const std::size_t seq_len_kv = 5;
  const std::size_t units = 3;
  const Tensor query = random.normal({seq_len_q, 7});
  const Tensor key = random.normal({seq_len_kv, 7});
  const AdditiveWeights weights{
      .W_query = random.normal({units, 7}), .W_key = random.normal({units, 7}), .v = random.normal({units})};
  const AdditiveSteps steps = additive_attention(query, key, key, weights);

  const CountedWork additive = count_additive(steps.projected_query, steps.projected_key, weights.v);
  CHECK(largest_difference(additive.scores, steps.scores).largest < 1e-6);
  CHECK(additive.multiplications == 2 * 5 * 3);
  CHECK(additive.tanhs == 2 * 5 * 3);
  CHECK(additive.kept == 2 * 5 * 3);

  const CountedWork dot = count_dot(query, key);
  CHECK(largest_difference(dot.scores, luong_dot(query, key, key).scores).largest < 1e-6);
  CHECK(dot.multiplications == 2 * 5 * 7);
  CHECK(dot.tanhs == 0);
  CHECK(dot.kept == 2 * 5);
}

TEST_CASE("the hand-made units read what their sentence says", "[additive]") {
  const OneHead head = one_head(options_with(Options::Weights::crafted));
  const AdditiveWeights weights = additive_weights(head.world, options_with(Options::Weights::crafted));
  const auto channel = [&](const std::string& name) {
    std::size_t d = 0;
    while (head.world.channel_names.at(d) != name) ++d;
    return d;
  };
  CHECK_THAT(what_units_read(head.world, 2),
             ContainsSubstring("\"noun\" reads 4·verb - 4·one of the state and 2·noun"));
  CHECK(weights.W_query(0, channel("verb")) == 4.0F);
  CHECK(weights.W_query(0, channel("one")) == -4.0F);
  CHECK(weights.W_key(0, channel("noun")) == 2.0F);
  CHECK_THAT(what_units_read(head.world, 2), ContainsSubstring("\"verb\" reads 4·noun - 4·one and 2·verb. v is 4"));
  CHECK(weights.W_query(1, channel("noun")) == 4.0F);
  CHECK(weights.W_query(1, channel("one")) == -4.0F);
  CHECK(weights.W_key(1, channel("verb")) == 2.0F);
  CHECK(weights.v.values() == std::vector<float>{4.0F, 4.0F});
}

TEST_CASE("tanh moves most in the unit that the query leaves nearest to 0", "[additive]") {
  // tanh(2) - tanh(0) = 0.964; tanh(-1) - tanh(-3) = 0.233
  CHECK(where_tanh_is_steep(Tensor({1, 3}, {-3.0F, 0.0F, 1.0F})) ==
        "tanh is steep near 0 and flat far from it. Where the query puts 0.000, a key of 2 moves tanh by 0.964; where "
        "it puts -3.000, by 0.233.");
  CHECK(where_tanh_is_steep(Tensor({1, 1})) ==
        "tanh is steep near 0 and flat far from it. Where the query puts 0.000, a key of 2 moves tanh by 0.964.");
}

TEST_CASE("a group is as small as can be: two heads where their count is even, all where it is prime", "[shared]") {
  const std::vector<std::size_t> groups = {1, 2, 3, 2, 5, 2, 7, 2, 3};
  for (std::size_t num_heads = 1; num_heads <= groups.size(); ++num_heads) {
    CAPTURE(num_heads);
    CHECK(smallest_group(num_heads) == groups[num_heads - 1]);
  }
  CHECK(smallest_group(25) == 5);
}

TEST_CASE("a shared head has the mean of the weights of its group, and with no group the weights themselves",
          "[shared]") {
  const AllHeads all = all_heads(options_with(Options::Weights::torch));
  const Tensor& W_K = all.followed.world.weights.W_K;
  const SharedHeads gqa = shared_heads(all, 2);
  REQUIRE(gqa.W_K.shape() == Shape{8, 16});
  REQUIRE(gqa.K.shape() == Shape{2, 7, 4});
  for (std::size_t g = 0; g < 2; ++g) {
    for (std::size_t row = 0; row < 4; ++row) {
      for (std::size_t d = 0; d < 16; ++d) {
        const float mean = (W_K(8 * g + row, d) + W_K(8 * g + 4 + row, d)) / 2.0F;
        CHECK_THAT(gqa.W_K(4 * g + row, d), WithinAbs(mean, 1e-7));
      }
    }
  }
  CHECK(largest_difference(shared_heads(all, 4).W_K, W_K).largest == 0.0);
  CHECK(largest_difference(shared_heads(all, 4).steps.weights, reshape(concat(all.weights, 0), {4, 7, 7})).largest ==
        0.0);
  CHECK_THROWS_WITH(shared_heads(all, 3), ContainsSubstring("num_kv_heads (3) must divide num_heads (4)"));
}

TEST_CASE("tiled heads come in another order than repeated ones", "[shared]") {
  const Tensor x({2, 1, 1}, {5.0F, 6.0F});
  CHECK(tile_heads(x, 6).values() == std::vector<float>{5, 6, 5, 6, 5, 6});
  CHECK(repeat_heads(x, 6).values() == std::vector<float>{5, 5, 5, 6, 6, 6});
  CHECK(what_tiling_does(x, x, x, x) ==
        "Here both give the same: one head is repeated, or each head once, or heads are alike.");
  CHECK_THAT(what_tiling_does(repeat_heads(x, 4), tile_heads(x, 4), x, Tensor({2, 1, 1}, {5.0F, 5.5F})),
             ContainsSubstring("2 of 4 numbers of K differ, and weights by up to 0.50"));
}

TEST_CASE("a large model's keys and values are counted in gigabytes", "[shared]") {
  // 2 (K and V) * 64 heads * 128 * 2 bytes * 80 layers * 4096 tokens = 10,737,418,240, and an eighth of it.
  CHECK_THAT(what_a_large_model_keeps(),
             ContainsSubstring("has 80, of 64 heads of 128, at 2 bytes a number: for 4096 tokens 10.7 GB. With its 8 "
                               "heads of K and V it is 1.3 GB."));
}
