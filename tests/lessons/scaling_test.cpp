#include "board/board.hpp"
#include "catch.hpp"
#include "support/record/spread.hpp"
#include "support/words/words.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/random.hpp"
#include "tensor/reduce.hpp"
#include "tensor/tensor.hpp"

#include <cmath>
#include <vector>

// What lessons 04 to 06 need besides the library.

using namespace attn;

TEST_CASE("the variance of numbers around 0 is the mean of their squares", "[spread]") {
  CHECK(variance(Tensor::matrix({{1, -1}, {3, -3}})) == 5.0F);
  CHECK(variance(Tensor::vector({0, 0, 0})) == 0.0F);
  CHECK(variance(Tensor::vector({-2})) == 4.0F);
}

TEST_CASE("the variance of each row is recorded with the steps that lead to it", "[spread]") {
  Board board({.name = "06", .sources = {}, .options = {}});
  board.record("numbers", Tensor::matrix({{1, -1}, {3, -3}, {0, 2}}), given().with_rows({"a", "b", "c"}));
  const Tensor variances = record_variance(board, "variance", "numbers");
  CHECK(variances.values() == std::vector<float>{1, 9, 2});
  CHECK(board.trace().step("variance").rows == std::vector<std::string>{"a", "b", "c"});
  CHECK(board.trace().step("variance").value.values() == variances.values());
  CHECK(board.trace().step("variance_squares").value(1, 0) == 9.0F);
}

TEST_CASE("scores of several lengths add up the first products of each pair", "[spread]") {
  Board board({.name = "06", .sources = {}, .options = {}});
  board.record("products", Tensor::matrix({{1, 2, 3}, {4, 5, 6}}), given());
  record_sums(board, {1, 2, 3});
  CHECK(board.trace().step("sum_of_2").value.values() == std::vector<float>{3, 9});
  CHECK(board.trace().step("pair_scores").value.values() == std::vector<float>{1, 4, 3, 9, 6, 15});
  CHECK(board.trace().step("pair_scores").rows == std::vector<std::string>{"dim=1", "dim=2", "dim=3"});
}

TEST_CASE("the largest of four weights is averaged over the rows", "[spread]") {
  // softmax of ln 1, ln 1, ln 1, ln 3 is 1/6, 1/6, 1/6, 3/6; of four equal scores 1/4 each.
  const float ln3 = std::log(3.0F);
  CHECK_THAT(static_cast<double>(mean_largest_of_four(Tensor::vector({0, 0, 0, ln3, 5, 5, 5, 5}))),
             WithinAbs(0.375, 1e-6));
  CHECK_THROWS(mean_largest_of_four(Tensor::vector({0, 0, 0})));
}

TEST_CASE("whatever the seed, 1,000 scores spread as lesson 06 says", "[spread][law]") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Tensor queries = random.normal({1000, 64});
    const Tensor keys = random.normal({1000, 64});
    const Tensor scores = sum(multiply(queries, keys), -1);
    // 1,000 numbers of kurtosis near 3: the variance is off by some 5 % (one standard deviation); 25 % is five.
    CHECK_THAT(static_cast<double>(variance(scores)) / 64.0, WithinAbs(1.0, 0.25));
    CHECK(mean_largest_of_four(scores) > 0.8F);
    CHECK(mean_largest_of_four(scale(scores, 0.125F)) < 0.6F);
  }
}

TEST_CASE("the channels that weights read are those with a number that is not 0", "[words]") {
  const Tensor a = Tensor::matrix({{0, 2, 0, 0}, {0, 0, 0, -1}});
  const Tensor b = Tensor::matrix({{1, 0, 0, 0}});
  CHECK(channels_read({a}) == std::vector<std::size_t>{1, 3});
  CHECK(channels_read({a, b}) == std::vector<std::size_t>{0, 1, 3});
  CHECK(channels_read({Tensor({2, 9}, 1.0F)}).size() == 7);  // too many to stand beside each other
  CHECK(channels_read({Tensor({2, 3})}) == std::vector<std::size_t>{0, 1, 2});
}

TEST_CASE("numbers that are exactly equal to one are counted", "[words]") {
  CHECK(count_of(Tensor::vector({0, 1, -0.0F, 1e-9F, NAN}), 0.0F) == 2);
  CHECK(count_of_ones(Tensor::vector({0, 1, 1})) == 2);
}
