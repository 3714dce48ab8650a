#include "tensor/matmul.hpp"

#include "catch.hpp"
#include "check_close.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/random.hpp"
#include "tensor/rearrange.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace attn {

namespace {

constexpr Tolerance exact{};
// Two ways to the same sum, each rounded to float at most twice: a few units in the last place.
constexpr Tolerance rounding{.atol = 1e-6, .rtol = 1e-6};
const float nan = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("matmul by hand: rows of a against columns of b", "[matmul]") {
  const Tensor a = Tensor::matrix({{1, 2, 3}, {4, 5, 6}});
  const Tensor b = Tensor::matrix({{1, 0}, {2, 1}, {0, -1}});
  // 1*1 + 2*2 + 3*0 = 5, 1*0 + 2*1 - 3*1 = -1; 4*1 + 5*2 + 6*0 = 14, 5*1 - 6*1 = -1
  check_close(matmul(a, b), Tensor::matrix({{5, -1}, {14, -1}}), exact);
}

TEST_CASE("matmul_transposed by hand: rows of a against rows of b", "[matmul]") {
  const Tensor a = Tensor::matrix({{1, 2, 3}});
  const Tensor b = Tensor::matrix({{1, 1, 1}, {0, -1, 2}});
  check_close(matmul_transposed(a, b), Tensor::matrix({{6, 4}}), exact);
}

TEST_CASE("matmul_transposed(a, b) is matmul(a, b^T), also in a batch", "[matmul]") {
  Random random(5);
  const Tensor a = random.normal({2, 3, 5, 7});
  const Tensor b = random.normal({2, 3, 11, 7});
  check_close(matmul_transposed(a, b), matmul(a, transpose(b)), exact);
}

TEST_CASE("the transpose of a product is the product of the transposes the other way round", "[matmul]") {
  Random random(6);
  const Tensor a = random.normal({3, 5});
  const Tensor b = random.normal({5, 7});
  check_close(transpose(matmul(a, b)), matmul(transpose(b), transpose(a)), exact);
}

TEST_CASE("each matrix of a batch is multiplied on its own, and batch axes broadcast", "[matmul]") {
  Random random(7);
  const Tensor a = random.normal({2, 1, 3, 5});
  const Tensor b = random.normal({4, 5, 7});
  const Tensor c = matmul(a, b);
  REQUIRE(c.shape() == Shape{2, 4, 3, 7});
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      const Tensor one = matmul(reshape(slice(a, 0, i, i + 1), {3, 5}), reshape(slice(b, 0, j, j + 1), {5, 7}));
      const Tensor same = reshape(slice(slice(c, 0, i, i + 1), 1, j, j + 1), {3, 7});
      check_close(same, one, exact);
    }
  }
}

TEST_CASE("a batch of matrices meets one matrix for all", "[matmul]") {
  const Tensor a({2, 1, 2}, {1, 2, 3, 4});
  check_close(matmul(a, Tensor::matrix({{1}, {10}})), Tensor({2, 1, 1}, {21, 43}), exact);
  check_close(matmul_transposed(Tensor::matrix({{1, 10}}), a), Tensor({2, 1, 1}, {21, 43}), exact);
}

TEST_CASE("the product of nothing is 0, and empty matrices stay empty", "[matmul]") {
  check_close(matmul(Tensor({2, 0}), Tensor({0, 3})), Tensor({2, 3}, 0.0F), exact);
  check_close(matmul_transposed(Tensor({2, 0}), Tensor({3, 0})), Tensor({2, 3}, 0.0F), exact);
  CHECK(matmul(Tensor({0, 2}), Tensor({2, 3})).shape() == Shape{0, 3});
  CHECK(matmul(Tensor({0, 4, 2}), Tensor({2, 3})).shape() == Shape{0, 4, 3});
}

TEST_CASE("0 times NaN is NaN: no zero is skipped", "[matmul]") {
  const Tensor c = matmul(Tensor::matrix({{0, 1}, {0, 0}}), Tensor::matrix({{nan, 1}, {2, 3}}));
  CHECK(std::isnan(c(0, 0)));
  CHECK(std::isnan(c(1, 0)));
  CHECK(c(0, 1) == 3.0F);
  CHECK(std::isnan(matmul_transposed(Tensor::matrix({{0}}), Tensor::matrix({{nan}}))(0, 0)));
}

TEST_CASE("products are summed in double", "[matmul]") {
  // In float, 1e8 + 1 is 1e8 and the 1 would be lost.
  check_close(matmul(Tensor::matrix({{1e8F, 1, -1e8F}}), Tensor::matrix({{1}, {1}, {1}})), Tensor::matrix({{1}}),
              exact);
  check_close(matmul_transposed(Tensor::matrix({{1e8F, 1, -1e8F}}), Tensor::matrix({{1, 1, 1}})), Tensor::matrix({{1}}),
              exact);
}

TEST_CASE("inner sizes that differ are refused with both shapes and a likely cause", "[matmul]") {
  CHECK_THROWS_WITH(
      matmul(Tensor({2, 3}), Tensor({2, 3})),
      "matmul: a is [2, 3] and b is [2, 3]: the last axis of a (3) must equal the second last of b (2): did "
      "you mean matmul_transposed?");
  CHECK_THROWS_WITH(matmul(Tensor({2, 3}), Tensor({5, 7})), ContainsSubstring("look for a missing transpose"));
  CHECK_THROWS_WITH(
      matmul_transposed(Tensor({2, 3}), Tensor({3, 4})),
      "matmul_transposed: a is [2, 3] and b is [3, 4]: the last axes of a (3) and b (4) must be equal: did "
      "you mean matmul?");
  CHECK_THROWS_WITH(matmul_transposed(Tensor({2, 3}), Tensor({5, 7})), ContainsSubstring("[2, 3] and b is [5, 7]"));
}

TEST_CASE("a vector is no matrix", "[matmul]") {
  CHECK_THROWS_WITH(
      matmul(Tensor({3}), Tensor({3, 2})),
      "matmul: a is [3] and b is [3, 2]: both need two axes or more, reshape a vector to [1, n] or [n, 1] "
      "first");
  CHECK_THROWS_AS(matmul_transposed(Tensor({2, 3}), Tensor({3})), std::invalid_argument);
}

TEST_CASE("batch axes that do not broadcast are refused with both shapes", "[matmul]") {
  CHECK_THROWS_WITH(matmul(Tensor({2, 3, 4}), Tensor({5, 4, 6})),
                    ContainsSubstring("matmul") && ContainsSubstring("[2, 3, 4]") && ContainsSubstring("[5, 4, 6]") &&
                        ContainsSubstring("2 meets 5"));
}

TEST_CASE("linear is x weight^T + bias, one output per row of weight", "[linear]") {
  const Tensor x = Tensor::matrix({{1, 2}, {3, 4}});
  const Tensor weight = Tensor::matrix({{1, 0}, {0, 1}, {1, -1}});
  check_close(linear(x, weight), Tensor::matrix({{1, 2, -1}, {3, 4, -1}}), exact);
  check_close(linear(x, weight, Tensor::vector({10, 20, 30})), Tensor::matrix({{11, 22, 29}, {13, 24, 29}}), exact);
}

TEST_CASE("linear takes one vector, a sequence and a batch alike", "[linear]") {
  Random random(8);
  const Tensor x = random.normal({2, 3, 5});
  const Tensor weight = random.normal({7, 5});
  const Tensor bias = random.normal({7});
  const Tensor y = linear(x, weight, bias);
  REQUIRE(y.shape() == Shape{2, 3, 7});
  check_close(reshape(y, {6, 7}), linear(reshape(x, {6, 5}), weight, bias), exact);
  const Tensor last = reshape(slice(slice(x, 0, 1, 2), 1, 2, 3), {5});
  check_close(linear(last, weight, bias), reshape(slice(slice(y, 0, 1, 2), 1, 2, 3), {7}), exact);
}

TEST_CASE("linear of a sum is the sum of both", "[linear]") {
  Random random(9);
  const Tensor x = random.normal({3, 5});
  const Tensor y = random.normal({3, 5});
  const Tensor weight = random.normal({7, 5});
  check_close(linear(add(x, y), weight), add(linear(x, weight), linear(y, weight)), rounding);
}

TEST_CASE("linear refuses a weight or a bias that does not fit", "[linear]") {
  CHECK_THROWS_WITH(
      linear(Tensor({7, 16}), Tensor({16, 4})),
      "linear: x is [7, 16] and weight is [16, 4]: weight must be [out, in] with in = the last axis of x: is "
      "weight stored [in, out]? transpose it");
  CHECK_THROWS_WITH(linear(Tensor({7, 16}), Tensor({4, 8})), ContainsSubstring("look for a wrong d_model"));
  CHECK_THROWS_AS(linear(Tensor({7, 16}), Tensor({2, 4, 16})), std::invalid_argument);
  CHECK_THROWS_AS(linear(Tensor(), Tensor({4, 1})), std::invalid_argument);
  CHECK_THROWS_WITH(
      linear(Tensor({7, 16}), Tensor({4, 16}), Tensor({16})),
      "linear: weight is [4, 16] and bias is [16]: bias must be [4], one number for each output (weight is "
      "[out, in])");
  CHECK_THROWS_AS(linear(Tensor({7, 16}), Tensor({4, 16}), Tensor({1})), std::invalid_argument);
}

}  // namespace attn
