#include "attention/kinds/softmax_precision.hpp"

#include "attention/kinds/drawn.hpp"
#include "catch.hpp"
#include "check_close.hpp"
#include "tensor/softmax.hpp"

#include <cmath>
#include <limits>

namespace attn {

namespace {

constexpr Tolerance exact{};
constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("a float16 has 11 binary digits, ends at 65504, and has steps of 2^-24 near 0", "[kinds][precision]") {
  const auto half = [](double x) { return rounded_to(Precision::float16, x); };
  CHECK(half(1.0 + 1.0 / 1024) == 1.0 + 1.0 / 1024);  // the next number after 1
  CHECK(half(1.0 + 1.0 / 2048) == 1.0);               // half way: to the even neighbour, here down
  CHECK(half(1.0 + 3.0 / 2048) == 1.0 + 2.0 / 1024);  // half way: to the even neighbour, here up
  CHECK(half(0.1) == 0.0999755859375);                // 1638 * 2^-14
  CHECK(half(-2049.0) == -2048.0);
  CHECK(half(65519.0) == 65504.0);
  CHECK(half(65520.0) == infinity);
  CHECK(half(-1e9) == -infinity);
  CHECK(half(std::ldexp(1.0, -24)) == std::ldexp(1.0, -24));
  CHECK(half(std::ldexp(1.0, -26)) == 0.0);
  CHECK(half(-infinity) == -infinity);
  CHECK(std::isnan(half(std::nan(""))));
}

TEST_CASE("a bfloat16 has 8 binary digits and float's range", "[kinds][precision]") {
  CHECK(rounded_to(Precision::bfloat16, 1.0 + 1.0 / 128) == 1.0 + 1.0 / 128);
  CHECK(rounded_to(Precision::bfloat16, 1.0 + 1.0 / 256) == 1.0);
  CHECK(rounded_to(Precision::bfloat16, 1e38) != infinity);
  CHECK(rounded_to(Precision::bfloat16, 3.4e38) == infinity);
}

TEST_CASE("a float and a double stay what they are", "[kinds][precision]") {
  CHECK(rounded_to(Precision::float64, 0.1) == 0.1);
  CHECK(rounded_to(Precision::float32, 0.1) == static_cast<double>(0.1F));
}

TEST_CASE("in float and double, softmax is the plain one", "[kinds][precision]") {
  Drawn drawn(3);
  const Tensor scores = drawn.tensor({2, 3, 7});
  check_close(softmax_in(Precision::float32, scores), softmax(scores, -1), exact);
  check_close(softmax_in(Precision::float64, scores), softmax(scores, -1), exact);
}

// e^-1 = 0.36788 is 0.367919921875 in float16 (1507 * 2^-12), and the sum 1.367919... rounds to 1.3681640625
// (1401 * 2^-10). 1 / 1.3681640625 = 0.730906 -> 0.73095703125 (1497 * 2^-11), and 0.367919921875 / 1.3681640625 =
// 0.268915 -> 0.268798828125 (2202 * 2^-13).
TEST_CASE("in float16, every step of softmax of 0, -1 is rounded", "[kinds][precision]") {
  check_close(softmax_in(Precision::float16, Tensor::vector({0, -1})),
              Tensor::vector({0.73095703125F, 0.268798828125F}), exact);
}

// Computed with another half-precision type, Python's struct format e: without the rounding of each e^x, or of each
// distance to the largest, one of these numbers is another.
TEST_CASE("in float16, the distances and each e^x are rounded too", "[kinds][precision]") {
  check_close(softmax_in(Precision::float16, Tensor::vector({2.5F, -0.3F, 0.9F})),
              Tensor::vector({0.7919921875F, 0.048126220703125F, 0.1600341796875F}), exact);
}

TEST_CASE("softmax in a short format is near the plain one and made of that format's numbers", "[kinds][precision]") {
  const unsigned seed = GENERATE(range(0U, 20U));
  CAPTURE(seed);
  Drawn drawn(seed);
  const Tensor scores = drawn.tensor({drawn.size(), drawn.size()});
  const auto [precision, rtol] =
      GENERATE(table<Precision, double>({{Precision::float16, 5e-3}, {Precision::bfloat16, 4e-2}}));
  const Tensor weights = softmax_in(precision, scores);
  // A rounding is off by 2^-11 (2^-8) of the number; scores up to 4 and their distances multiply it by 8.
  check_close(weights, softmax(scores, -1), {.atol = 1e-6, .rtol = rtol});
  for (const float weight : weights.values()) {
    CHECK(rounded_to(precision, static_cast<double>(weight)) == static_cast<double>(weight));
  }
}

TEST_CASE("what a float16 cannot hold becomes infinite before softmax", "[kinds][precision]") {
  const Tensor weights = softmax_in(Precision::float16, Tensor::vector({0, -1e9F}));
  check_close(weights, Tensor::vector({1, 0}), exact);
  CHECK(std::isnan(softmax_in(Precision::float16, Tensor::vector({-1e9F, -1e9F}))(0)));
}

}  // namespace attn
