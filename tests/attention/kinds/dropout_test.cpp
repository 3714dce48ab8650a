#include "attention/kinds/dropout.hpp"

#include "catch.hpp"
#include "check_close.hpp"
#include "tensor/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {

namespace {

constexpr Tolerance exact{};

}  // namespace

TEST_CASE("what stays grows by 1 / (1 - rate)", "[kinds][dropout]") {
  const Dropout dropout{.rate = 0.5F, .kept = Tensor::matrix({{1, 0}, {0, 1}})};
  check_close(drop(Tensor::matrix({{0.25F, 0.75F}, {0.5F, 0.125F}}), dropout), Tensor::matrix({{0.5F, 0}, {0, 0.25F}}),
              exact);
}

TEST_CASE("the share of numbers dropped is the rate, and their mean stays", "[kinds][dropout]") {
  const float rate = GENERATE(0.1F, 0.5F, 0.8F);
  Random random(5);
  const std::size_t count = 100000;
  const Dropout dropout = draw_dropout(random, {count}, rate, Mode::training);
  const auto dropped =
      static_cast<double>(std::count(dropout.kept.values().begin(), dropout.kept.values().end(), 0.0F));
  // A share of 100000 draws has a standard deviation of at most sqrt(0.25 / 100000) = 0.0016.
  CHECK_THAT(dropped / static_cast<double>(count), WithinAbs(static_cast<double>(rate), 0.007));

  const Tensor after = drop(Tensor({count}, 1.0F), dropout);
  double sum = 0.0;
  for (const float x : after.values()) sum += static_cast<double>(x);
  CHECK_THAT(sum / static_cast<double>(count), WithinAbs(1.0, 0.007 / (1.0 - static_cast<double>(rate))));
}

TEST_CASE("outside training nothing is dropped and nothing drawn", "[kinds][dropout]") {
  Random random(7);
  const Dropout dropout = draw_dropout(random, {2, 3}, 0.9F, Mode::evaluation);
  CHECK(dropout.rate == 0.0F);
  const Tensor x = Tensor::matrix({{1, 2, 3}, {4, 5, 6}});
  check_close(drop(x, dropout), x, exact);
  check_close(random.uniform({4}, 0, 1), Random(7).uniform({4}, 0, 1), exact);
}

TEST_CASE("rate 0 keeps all, and rate 1 drops all", "[kinds][dropout]") {
  Random random(1);
  const Tensor x({50}, 3.0F);
  check_close(drop(x, draw_dropout(random, {50}, 0.0F, Mode::training)), x, exact);
  check_close(drop(x, draw_dropout(random, {50}, 1.0F, Mode::training)), Tensor({50}), exact);
}

TEST_CASE("the same seed drops the same numbers", "[kinds][dropout]") {
  Random first(11);
  Random second(11);
  Random other(12);
  const Tensor kept = draw_dropout(first, {5, 7}, 0.5F, Mode::training).kept;
  check_close(draw_dropout(second, {5, 7}, 0.5F, Mode::training).kept, kept, exact);
  CHECK(draw_dropout(other, {5, 7}, 0.5F, Mode::training).kept.values() != kept.values());
}

TEST_CASE("dropout says what it cannot do", "[kinds][dropout]") {
  Random random(0);
  CHECK_THROWS_WITH(draw_dropout(random, {2}, 1.5F, Mode::training),
                    "dropout: rate is 1.5, but is the share that is dropped: a number from 0 to 1");
  CHECK_THROWS_WITH(draw_dropout(random, {2}, -0.1F, Mode::evaluation), ContainsSubstring("rate is -0.1"));
  CHECK_THROWS_WITH(drop(Tensor({2}), {.rate = std::numeric_limits<float>::quiet_NaN(), .kept = Tensor({2})}),
                    ContainsSubstring("rate is nan"));
  CHECK_THROWS_WITH(drop(Tensor({2, 3}), {.rate = 0.5F, .kept = Tensor({4, 2, 3})}),
                    "drop: x is [2, 3] and kept is [4, 2, 3]: draw kept for the shape of x");
  CHECK_THROWS_WITH(drop(Tensor({1}), {.rate = 0.5F, .kept = Tensor({1}, 0.5F)}), ContainsSubstring("0.5"));
}

}  // namespace attn
