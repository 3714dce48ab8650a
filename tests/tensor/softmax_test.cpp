#include "tensor/softmax.hpp"

#include "catch.hpp"
#include "check_close.hpp"
#include "golden/golden_cases.hpp"
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
constexpr float infinity = std::numeric_limits<float>::infinity();
const float nan = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("softmax turns scores ln 1, ln 2, ln 3 into weights 1/6, 2/6, 3/6", "[softmax]") {
  const Tensor weights = softmax(log(Tensor::vector({1, 2, 3})), 0);
  // The logarithms were rounded to float: 1e-7 of each weight.
  check_close(weights, Tensor::vector({1.0F / 6, 2.0F / 6, 3.0F / 6}), {.atol = 1e-7, .rtol = 0.0});
}

TEST_CASE("softmax agrees with PyTorch and ONNX", "[softmax][golden]") {
  for (const char* folder : {"torch/softmax", "onnx/softmax"}) {
    for (const std::string& path : golden_cases(folder)) {
      const CaseFile reference = read_case(path);
      INFO(reference.name);
      const int axis = static_cast<int>(reference.integer("axis", -1));
      check_close(softmax(reference.input("x"), axis), reference.output("y"), reference.tolerance);
      if (!reference.has_output("log_y")) continue;
      check_close(log_softmax(reference.input("x"), axis), reference.output("log_y"), reference.tolerance);
    }
  }
}

TEST_CASE("every line along the axis sums to 1, over any axis", "[softmax]") {
  const int axis = GENERATE(0, 1, 2, -1, -3);
  CAPTURE(axis);
  const Tensor weights = softmax(scale(Random(1).normal({3, 5, 7}), 4.0F), axis);
  REQUIRE(weights.shape() == Shape{3, 5, 7});
  const Tensor sums = sum(weights, axis);
  // At most 7 weights, each rounded to float once.
  check_close(sums, Tensor(sums.shape(), 1.0F), {.atol = 5e-7, .rtol = 0.0});
}

TEST_CASE("softmax over an axis is softmax over the last one of the transpose", "[softmax]") {
  const Tensor a = Random(2).normal({3, 5, 7});
  check_close(softmax(a, 1), transpose(softmax(transpose(a), -1)), exact);
}

TEST_CASE("a constant added to all scores changes no weight", "[softmax]") {
  // Quarters, so that adding 1000 rounds nothing.
  const Tensor scores = Tensor::vector({0.25F, -1.5F, 3.75F, 0.0F});
  check_close(softmax(add(scores, Tensor(Shape{}, 1000.0F)), 0), softmax(scores, 0), exact);
}

TEST_CASE("exchanging two scores exchanges their weights", "[softmax]") {
  const Tensor weights = softmax(Tensor::vector({0.5F, 2, -1}), 0);
  check_close(softmax(Tensor::vector({2, 0.5F, -1}), 0), Tensor::vector({weights(1), weights(0), weights(2)}), exact);
}

TEST_CASE("a masked score gets exactly no weight, and the others share as if it were not there", "[softmax]") {
  const Tensor weights = softmax(Tensor::vector({1, -infinity, 3}), 0);
  CHECK(weights(1) == 0.0F);
  const Tensor without = softmax(Tensor::vector({1, 3}), 0);
  CHECK(weights(0) == without(0));
  CHECK(weights(2) == without(1));
}

TEST_CASE("a line of all -inf gives NaN and leaves its neighbours alone", "[softmax]") {
  const Tensor weights = softmax(Tensor::matrix({{-infinity, -infinity}, {0, 0}}), -1);
  check_close(weights, Tensor::matrix({{nan, nan}, {0.5F, 0.5F}}), exact);
}

TEST_CASE("a line with NaN or +inf in it gives NaN everywhere", "[softmax]") {
  const Tensor weights = softmax(Tensor::matrix({{0, nan, 1}, {nan, 0, 1}, {infinity, 0, 1}, {0, 1, 2}}), -1);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) CHECK(std::isnan(weights(i, j)));
  }
  CHECK(std::isfinite(weights(3, 0)));
}

TEST_CASE("a line of one number gets weight 1, a line of none stays empty", "[softmax]") {
  check_close(softmax(Tensor::matrix({{-7}, {3e38F}}), -1), Tensor::matrix({{1}, {1}}), exact);
  CHECK(softmax(Tensor({2, 0}), -1).shape() == Shape{2, 0});
  CHECK(softmax(Tensor({0, 2}), -1).shape() == Shape{0, 2});
  CHECK(softmax(Tensor({std::numeric_limits<std::size_t>::max(), 0}), -1).size() == 0);
}

TEST_CASE("log_softmax is the logarithm of softmax, over any axis", "[log_softmax]") {
  const int axis = GENERATE(0, 1, 2, -1);
  CAPTURE(axis);
  const Tensor scores = scale(Random(4).normal({3, 5, 7}), 4.0F);
  check_close(log_softmax(scores, axis), log(softmax(scores, axis)), {.atol = 1e-6, .rtol = 1e-6});
}

TEST_CASE("log_softmax is finite where the weight is too small for a float", "[log_softmax]") {
  check_close(log_softmax(Tensor::vector({0, -1000}), 0), Tensor::vector({0, -1000}), exact);
  CHECK(softmax(Tensor::vector({0, -1000}), 0)(1) == 0.0F);
}

TEST_CASE("log_softmax of special values: a hidden score, all hidden, NaN, +inf, one, none", "[log_softmax]") {
  check_close(log_softmax(Tensor::vector({3, -infinity}), 0), Tensor::vector({0, -infinity}), exact);
  check_close(log_softmax(Tensor::matrix({{-infinity, -infinity}, {nan, 1}, {infinity, 1}}), -1), Tensor({3, 2}, nan),
              exact);
  check_close(log_softmax(Tensor::vector({3e38F}), 0), Tensor::vector({0}), exact);
  CHECK(log_softmax(Tensor({2, 0}), -1).shape() == Shape{2, 0});
  CHECK_THROWS_WITH(log_softmax(Tensor({2, 3}), 2), ContainsSubstring("log_softmax: there is no axis 2"));
}

TEST_CASE("softmax refuses an axis that is not there", "[softmax]") {
  CHECK_THROWS_WITH(softmax(Tensor({2, 3}), 2),
                    "softmax: there is no axis 2 in shape [2, 3]: axes go from 0 to 1, or from -1 to -2");
  CHECK_THROWS_AS(softmax(Tensor(), 0), std::invalid_argument);
}

}  // namespace attn
