#include "tensor/reduce.hpp"

#include "catch.hpp"
#include "check_close.hpp"

#include <limits>
#include <stdexcept>

namespace attn {

namespace {

constexpr Tolerance exact{};
constexpr float infinity = std::numeric_limits<float>::infinity();
const float nan = std::numeric_limits<float>::quiet_NaN();
constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();

}  // namespace

TEST_CASE("sum folds one axis, and the axis disappears", "[reduce]") {
  const Tensor a = Tensor::matrix({{1, 2, 3}, {10, 20, 30}});
  check_close(sum(a, 0), Tensor::vector({11, 22, 33}), exact);
  check_close(sum(a, 1), Tensor::vector({6, 60}), exact);
  check_close(sum(a, -1), sum(a, 1), exact);
  check_close(sum(Tensor::vector({1, 2, 4}), 0), Tensor(Shape{}, 7.0F), exact);
}

TEST_CASE("sum along the middle axis leaves the outer and the inner one", "[reduce]") {
  Tensor a({2, 3, 2});
  for (std::size_t i = 0; i < a.size(); ++i) a.values()[i] = static_cast<float>(i);
  // 0 + 2 + 4, 1 + 3 + 5; 6 + 8 + 10, 7 + 9 + 11
  check_close(sum(a, 1), Tensor::matrix({{6, 9}, {24, 27}}), exact);
}

TEST_CASE("sums run in double: a million times 0.1 is 100000 and not 100958", "[reduce]") {
  const Tensor sum_of_tenths = sum(Tensor({1000000}, 0.1F), 0);
  CHECK(static_cast<double>(sum_of_tenths()) == 100000.0);
  CHECK(sum(Tensor::vector({1e8F, 1, -1e8F}), 0)() == 1.0F);
}

TEST_CASE("the sum of nothing is 0 and the mean of nothing NaN", "[reduce]") {
  check_close(sum(Tensor({2, 0}), 1), Tensor::vector({0, 0}), exact);
  check_close(sum(Tensor({2, 0, 3}), 1), Tensor({2, 3}, 0.0F), exact);
  check_close(mean(Tensor({2, 0}), 1), Tensor::vector({nan, nan}), exact);
  CHECK(sum(Tensor({0, 3}), 1).shape() == Shape{0});
}

TEST_CASE("a huge axis beside one of size 0 takes no time", "[reduce]") {
  CHECK(sum(Tensor({huge, 0, 0}), 1).shape() == Shape{huge, 0});
  CHECK_THROWS_AS(sum(Tensor({huge, huge, 0}), 2), std::invalid_argument);
}

TEST_CASE("mean divides the sum by how many there are", "[reduce]") {
  check_close(mean(Tensor::matrix({{1, 2, 6}, {0, 0, 1}}), 1), Tensor::vector({3, 0.333333333F}), exact);
  check_close(mean(Tensor::matrix({{1, 2, 6}, {0, 0, 1}}), 0), Tensor::vector({0.5F, 1, 3.5F}), exact);
}

TEST_CASE("max finds the largest, also among negative numbers and -inf", "[reduce]") {
  check_close(max(Tensor::matrix({{-3, -1, -2}, {-infinity, -infinity, -infinity}, {5, infinity, 0}}), 1),
              Tensor::vector({-1, -infinity, infinity}), exact);
  check_close(max(Tensor::matrix({{1, 7}, {3, 2}}), 0), Tensor::vector({3, 7}), exact);
}

TEST_CASE("NaN is the largest wherever it stands", "[reduce]") {
  check_close(max(Tensor::matrix({{nan, 1, 2}, {1, nan, infinity}, {1, 2, nan}}), 1), Tensor::vector({nan, nan, nan}),
              exact);
}

TEST_CASE("nothing has no largest, and no axis is no axis", "[reduce]") {
  CHECK_THROWS_WITH(max(Tensor({2, 0}), 1),
                    "max: axis 1 of [2, 0] holds no numbers, so none is the largest: is it the axis that you meant?");
  CHECK_THROWS_WITH(max(Tensor({2, 3}), 2), ContainsSubstring("max: there is no axis 2 in shape [2, 3]"));
  CHECK_THROWS_WITH(sum(Tensor(), 0), ContainsSubstring("sum: there is no axis 0 in shape []"));
  CHECK_THROWS_WITH(mean(Tensor({2}), -2), ContainsSubstring("mean: there is no axis -2 in shape [2]"));
}

}  // namespace attn
