#include "attention/kinds/soft_cap.hpp"

#include "catch.hpp"
#include "check_close.hpp"
#include "tensor/close.hpp"

#include <cmath>
#include <limits>

namespace attn {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

}  // namespace

TEST_CASE("a soft cap of 2 takes 2 to 2 tanh 1, 1000 to 2 and -inf to -2", "[kinds][soft_cap]") {
  const float two_tanh_one = 2.0F * static_cast<float>(std::tanh(1.0));
  check_close(soft_cap(Tensor::vector({0, 2, -2, 1000, -infinity}), 2.0F),
              Tensor::vector({0, two_tanh_one, -two_tanh_one, 2, -2}), {.atol = 0.0, .rtol = 1e-6});
  CHECK(std::isnan(soft_cap(Tensor::vector({std::numeric_limits<float>::quiet_NaN()}), 2.0F)(0)));
}

TEST_CASE("the higher the soft cap, the less it changes, until nothing is left to see", "[kinds][soft_cap]") {
  const Tensor scores = Tensor::vector({-3, -0.5F, 0, 0.25F, 4});
  double before = std::numeric_limits<double>::infinity();
  for (const float cap : {1.0F, 10.0F, 100.0F, 1000.0F}) {
    const double change = largest_difference(soft_cap(scores, cap), scores).largest;
    CAPTURE(cap);
    CHECK(change < before);
    before = change;
  }
  // x - cap tanh(x / cap) is about x^3 / (3 cap^2): 2e-11 here. What remains are three roundings to float.
  check_close(soft_cap(scores, 1e6F), scores, {.atol = 0.0, .rtol = 3e-7});
}

TEST_CASE("a soft cap must be above 0 and finite", "[kinds][soft_cap]") {
  CHECK_THROWS_WITH(soft_cap(Tensor::vector({1}), 0.0F),
                    "soft_cap: cap is 0, but must be above 0 and finite: for no cap, leave it out");
  CHECK_THROWS_WITH(soft_cap(Tensor::vector({1}), -2.5F), ContainsSubstring("cap is -2.5"));
  CHECK_THROWS_WITH(soft_cap(Tensor::vector({1}), infinity), ContainsSubstring("cap is inf"));
  CHECK_THROWS_WITH(soft_cap(Tensor::vector({1}), std::numeric_limits<float>::quiet_NaN()), ContainsSubstring("nan"));
}

}  // namespace attn
