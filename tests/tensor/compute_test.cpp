#include "tensor/compute.hpp"

#include "catch.hpp"
#include "check_close.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/random.hpp"
#include "tensor/softmax.hpp"

#include <limits>
#include <stdexcept>

namespace attn {

namespace {

constexpr Tolerance exact{};
// Up to 513 float additions of products near 1, each rounding what was summed up to then, some 20.
constexpr Tolerance float_sums{.atol = 1e-4, .rtol = 1e-5};

}  // namespace

TEST_CASE("blocked products agree with naive ones, in batches that broadcast, on any number of threads", "[compute]") {
  Random random(1);
  for (const std::size_t threads : {1U, 2U, 3U, 8U}) {
    const Compute blocked{.kind = Matmul::blocked, .threads = threads};
    for (const std::size_t size : {0U, 1U, 7U, 65U, 513U}) {
      CAPTURE(threads, size);
      const Tensor a = random.normal({2, 1, 5, size});
      const Tensor b = random.normal({3, size, 9});
      check_close(matmul(a, b, blocked), matmul(a, b), float_sums);
      const Tensor b_T = random.normal({3, 9, size});
      check_close(matmul_transposed(a, b_T, blocked), matmul_transposed(a, b_T), float_sums);
      const Tensor weight = random.normal({11, size});
      const Tensor bias = random.normal({11});
      check_close(linear(a, weight, bias, blocked), linear(a, weight, bias), float_sums);
      const Tensor x = random.normal({size});
      check_close(linear(x, weight, blocked), linear(x, weight), float_sums);
    }
  }
}

TEST_CASE("softmax computed fast agrees with softmax, along the last axis and along others", "[compute]") {
  Random random(2);
  const Tensor a = scale(random.normal({3, 5, 70}), 6.0F);
  const Compute blocked{.kind = Matmul::blocked, .threads = 2};
  for (const int axis : {-1, 0, 1}) {
    CAPTURE(axis);
    check_close(softmax(a, axis, blocked), softmax(a, axis), {.atol = 1e-7, .rtol = 1e-5});
  }
  CHECK(softmax(Tensor({0, 4}), -1, blocked).shape() == Shape{0, 4});
  CHECK(softmax(Tensor({4, 0}), -1, blocked).shape() == Shape{4, 0});
  CHECK_THROWS_AS(softmax(a, 3, blocked), std::invalid_argument);
}

TEST_CASE("0 times infinity is NaN in a blocked product, too", "[compute]") {
  const float infinity = std::numeric_limits<float>::infinity();
  const Tensor a = Tensor::matrix({{0.0F, 1.0F}, {1.0F, 0.0F}});
  const Tensor b = Tensor::matrix({{infinity, 2.0F}, {3.0F, 4.0F}});
  check_close(matmul(a, b, {.kind = Matmul::blocked}), matmul(a, b), exact);
}

TEST_CASE("no threads, and more than 256, are refused by either kind of product, with the number", "[compute]") {
  const Tensor a({2, 2});
  for (const Matmul kind : {Matmul::naive, Matmul::blocked}) {
    CHECK_THROWS_WITH(matmul(a, a, {.kind = kind, .threads = 0}), ContainsSubstring("threads is 0"));
    CHECK_THROWS_WITH(matmul_transposed(a, a, {.kind = kind, .threads = 257}), ContainsSubstring("threads is 257"));
    CHECK_THROWS_WITH(softmax(a, -1, {.kind = kind, .threads = 0}), ContainsSubstring("threads is 0"));
  }
}

TEST_CASE("blocked products refuse the shapes that naive ones refuse, in the same words", "[compute]") {
  const Compute blocked{.kind = Matmul::blocked};
  CHECK_THROWS_WITH(matmul(Tensor({2, 3}), Tensor({4, 5}), blocked), ContainsSubstring("[2, 3]"));
  CHECK_THROWS_WITH(linear(Tensor({2, 3}), Tensor({4, 5}), blocked), ContainsSubstring("[4, 5]"));
}

}  // namespace attn
