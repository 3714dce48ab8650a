#include "tensor/elementwise.hpp"

#include "catch.hpp"
#include "check_close.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace attn {

namespace {

constexpr Tolerance exact{};
constexpr float infinity = std::numeric_limits<float>::infinity();
const float nan = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("add, subtract, multiply and divide work number by number", "[elementwise]") {
  const Tensor a = Tensor::matrix({{6, 8, 10}, {1, 2, 3}});
  const Tensor b = Tensor::matrix({{2, 4, 5}, {4, 8, 2}});
  check_close(add(a, b), Tensor::matrix({{8, 12, 15}, {5, 10, 5}}), exact);
  check_close(subtract(a, b), Tensor::matrix({{4, 4, 5}, {-3, -6, 1}}), exact);
  check_close(multiply(a, b), Tensor::matrix({{12, 32, 50}, {4, 16, 6}}), exact);
  check_close(divide(a, b), Tensor::matrix({{3, 2, 2}, {0.25F, 0.25F, 1.5F}}), exact);
}

TEST_CASE("a row repeats over the rows, a column over the columns, a number everywhere", "[elementwise]") {
  const Tensor a = Tensor::matrix({{1, 2, 3}, {4, 5, 6}});
  check_close(add(a, Tensor::vector({10, 20, 30})), Tensor::matrix({{11, 22, 33}, {14, 25, 36}}), exact);
  check_close(add(a, Tensor::matrix({{10}, {20}})), Tensor::matrix({{11, 12, 13}, {24, 25, 26}}), exact);
  check_close(subtract(Tensor(Shape{}, 1.0F), a), Tensor::matrix({{0, -1, -2}, {-3, -4, -5}}), exact);
  check_close(multiply(Tensor::matrix({{1}, {2}}), Tensor::vector({3, 5})), Tensor::matrix({{3, 5}, {6, 10}}), exact);
}

TEST_CASE("a batch of matrices and one mask for all of them", "[elementwise]") {
  Tensor a({2, 3, 2, 2}, 1.0F);
  const Tensor sum = add(a, Tensor({2, 1, 1, 2}, {1, 2, 3, 4}));
  CHECK(sum(0, 2, 1, 0) == 2.0F);
  CHECK(sum(0, 0, 0, 1) == 3.0F);
  CHECK(sum(1, 1, 1, 0) == 4.0F);
  CHECK(sum(1, 2, 0, 1) == 5.0F);
}

TEST_CASE("an axis of size 0 meets 0 or 1 and nothing else", "[elementwise]") {
  CHECK(add(Tensor({2, 0}), Tensor({1})).shape() == Shape{2, 0});
  CHECK(add(Tensor({0, 3}), Tensor({1, 3})).shape() == Shape{0, 3});
  CHECK_THROWS_AS(add(Tensor({0}), Tensor({2})), std::invalid_argument);
}

TEST_CASE("shapes that do not broadcast are refused with both of them and a likely cause", "[elementwise]") {
  CHECK_THROWS_WITH(
      add(Tensor({2, 3}), Tensor({2})),
      "add: a is [2, 3] and b is [2]: shapes are matched from the right, and there 3 meets 2: to line b up "
      "with the first axes, reshape it to [2, 1]");
  CHECK_THROWS_WITH(subtract(Tensor({4}), Tensor({4, 7})),
                    ContainsSubstring("to line a up with the first axes, reshape "
                                      "it to [4, 1]"));
  CHECK_THROWS_WITH(multiply(Tensor({2, 3}), Tensor({3, 2})), ContainsSubstring("is a transpose missing?"));
  CHECK_THROWS_WITH(divide(Tensor({2, 3}), Tensor({2, 4})),
                    "divide: a is [2, 3] and b is [2, 4]: shapes are matched from the right, and there 3 meets 4: two "
                    "sizes fit when they are equal or one of them is 1");
}

TEST_CASE("the broadcast shape takes the larger size from the right", "[elementwise]") {
  CHECK(broadcast_shape("add", {7, 1, 3}, {5, 1}) == Shape{7, 5, 3});
  CHECK(broadcast_shape("add", {}, {2}) == Shape{2});
  CHECK(broadcast_shape("add", {}, {}).empty());
}

TEST_CASE("special numbers follow IEEE", "[elementwise]") {
  const Tensor zero = Tensor::vector({0, 0});
  const Tensor special = Tensor::vector({nan, infinity});
  CHECK(std::isnan(multiply(zero, special)(0)));
  CHECK(std::isnan(multiply(zero, special)(1)));
  CHECK(std::isnan(subtract(special, special)(1)));
  CHECK(divide(Tensor::vector({1, -1}), zero)(1) == -infinity);
  CHECK(std::isnan(scale(special, 0.0F)(1)));
}

TEST_CASE("scale multiplies every number by one factor", "[elementwise]") {
  check_close(scale(Tensor::vector({1, -2, 0.5F}), 4.0F), Tensor::vector({4, -8, 2}), exact);
}

TEST_CASE("exp, log and tanh are rounded to float once", "[elementwise]") {
  // From tables: e, 1/e, ln 2, ln 10, tanh 1, to more digits than a float has.
  check_close(exp(Tensor::vector({0, 1, -1})), Tensor::vector({1, 2.718281828F, 0.3678794412F}), exact);
  check_close(log(Tensor::vector({1, 2, 10})), Tensor::vector({0, 0.6931471806F, 2.302585093F}), exact);
  check_close(tanh(Tensor::vector({0, 1, -1})), Tensor::vector({0, 0.7615941560F, -0.7615941560F}), exact);
  check_close(exp(Tensor::vector({-infinity, infinity, 100, nan})), Tensor::vector({0, infinity, infinity, nan}),
              exact);
  check_close(log(Tensor::vector({0, infinity, -1})), Tensor::vector({-infinity, infinity, nan}), exact);
  check_close(tanh(Tensor::vector({-infinity, 50, nan})), Tensor::vector({-1, 1, nan}), exact);
}

TEST_CASE("relu keeps what is above 0 and NaN", "[elementwise]") {
  check_close(relu(Tensor::vector({-3, 0, 2.5F, -infinity, infinity, nan})),
              Tensor::vector({0, 0, 2.5F, 0, infinity, nan}), exact);
}

TEST_CASE("gelu is x times the share of a normal distribution below x", "[elementwise]") {
  // Phi(1) = 0.8413447461, Phi(-2) = 0.0227501319, from tables.
  check_close(gelu(Tensor::vector({0, 1, -2})), Tensor::vector({0, 0.8413447461F, -0.0455002639F}),
              {.atol = 1e-8, .rtol = 1e-7});
  check_close(gelu(Tensor::vector({infinity, nan, 50, -50})), Tensor::vector({infinity, nan, 50, 0}), exact);
  CHECK(std::isnan(gelu(Tensor::vector({-infinity}))(0)));  // -inf * 0, as in PyTorch
}

TEST_CASE("gelu minus gelu of the opposite number is the number itself", "[elementwise][law]") {
  for (float x = -6.0F; x <= 6.0F; x += 0.125F) {  // Phi(x) + Phi(-x) = 1
    const Tensor both = Tensor::vector({x, -x});
    CHECK_THAT(gelu(both)(0) - gelu(both)(1), WithinAbs(x, 1e-6));
    CHECK_THAT(gelu_tanh(both)(0) - gelu_tanh(both)(1), WithinAbs(x, 1e-6));
  }
}

TEST_CASE("gelu by tanh is off by up to 5e-4, and is not the same", "[elementwise]") {
  float furthest = 0.0F;
  for (float x = -6.0F; x <= 6.0F; x += 0.03125F) {
    const Tensor a = Tensor::vector({x});
    furthest = std::max(furthest, std::fabs(gelu(a)(0) - gelu_tanh(a)(0)));
  }
  CHECK(furthest < 5e-4F);
  CHECK(furthest > 4e-4F);
  CHECK(std::isnan(gelu_tanh(Tensor::vector({-infinity}))(0)));
}

TEST_CASE("abs drops the sign", "[elementwise]") {
  check_close(abs(Tensor::vector({-3, 2, -infinity, nan})), Tensor::vector({3, 2, infinity, nan}), exact);
  CHECK(!std::signbit(abs(Tensor::vector({-0.0F}))(0)));
}

}  // namespace attn
