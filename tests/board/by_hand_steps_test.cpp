#include "board/by_hand.hpp"

#include "board/arithmetic.hpp"
#include "board/page.hpp"
#include "board/trace.hpp"
#include "catch.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/reduce.hpp"
#include "tensor/tensor.hpp"

#include <string>
#include <vector>

// Softmax in single steps: each has its line.

using namespace attn;

namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const Trace& trace, const std::string& step, const Index& index) {
  return by_hand_lines(work_out(trace, trace.step(step), index), Page{}, {.width = 80, .precision = 3}, 70);
}

/// A row x of numbers with its powers, their sum, and the shares.
Trace steps_of(const Tensor& x) {
  Trace trace;
  const Tensor powers = exp(x);
  trace.add("x", x, given().with_rows({"sat"}).with_columns({"the", "cat", "mat"}));
  trace.add("largest", max(x, -1), max("x", -1));
  trace.add("powers", powers, exp("x"));
  trace.add("total", sum(powers, -1), sum("powers", -1));
  trace.add("shares", divide(powers, sum(powers, -1)), divide("powers", "total"));
  trace.add("size", abs(x), abs("x"));
  return trace;
}

}  // namespace

TEST_CASE("largest, power, sum and quotient are worked out one by one", "[by_hand]") {
  const Trace trace = steps_of(Tensor::matrix({{-1, 0, 2}}));
  CHECK(lines_of(trace, "largest", {0}) == Lines{"largest[sat] = x[sat, mat] = 2, the largest of 3"});
  CHECK(lines_of(trace, "powers", {0, 2}) == Lines{"powers[sat, mat] = e^x[sat, mat] = e^2 = 7.389"});
  CHECK(lines_of(trace, "total", {0}) == Lines{"total[sat] = 0.368 + 1 + 7.389 = 8.757"});
  CHECK(lines_of(trace, "shares", {0, 2}) ==
        Lines{"shares[sat, mat] = powers[sat, mat] / total[sat] = 7.389 / 8.757 = 0.844"});
  CHECK(lines_of(trace, "size", {0, 0}) == Lines{"size[sat, the] = |x[sat, the]| = |-1| = 1"});
}

TEST_CASE("a power that is too large for a float is inf, and inf / inf is nan", "[by_hand]") {
  const Trace trace = steps_of(Tensor::matrix({{88, 89, 2}}));
  CHECK(lines_of(trace, "powers", {0, 1}) == Lines{"powers[sat, cat] = e^x[sat, cat] = e^89 = inf"});
  CHECK(lines_of(trace, "shares", {0, 1}) ==
        Lines{"shares[sat, cat] = powers[sat, cat] / total[sat] = inf / inf = nan"});
}

TEST_CASE("summands that are exactly 0 are counted out, and one that is left needs no plus", "[by_hand]") {
  Trace trace;
  const Tensor x = Tensor::matrix({{0.25F, 0, 0.5F, 0}, {0, 0, 0.5F, 0}});
  trace.add("x", x, given());
  trace.add("total", sum(x, -1), sum("x", -1));
  CHECK(lines_of(trace, "total", {0}) == Lines{"total[0] = 0.250 + 0.500 = 0.750   (all others are 0)"});
  CHECK(lines_of(trace, "total", {1}) == Lines{"total[1] = 0.500   (all others are 0)"});
}
