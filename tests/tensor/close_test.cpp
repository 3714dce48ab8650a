#include "tensor/close.hpp"

#include "catch.hpp"
#include "check_close.hpp"

#include <limits>
#include <stdexcept>

namespace attn {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("close means |got - want| <= atol + rtol |want|", "[close]") {
  CHECK(is_close(1.5, 1.0, {.atol = 0.5, .rtol = 0.0}));
  CHECK(!is_close(1.5, 1.0, {.atol = 0.499, .rtol = 0.0}));
  CHECK(is_close(-8.0, -10.0, {.atol = 0.0, .rtol = 0.2}));
  CHECK(!is_close(-10.0, -8.0, {.atol = 0.0, .rtol = 0.2}));  // relative to what is wanted, not to what was got
  CHECK(is_close(3.0, 3.0, {}));
  CHECK(is_close(0.0, -0.0, {}));
}

TEST_CASE("an infinity must be met exactly, however wide the tolerance", "[close]") {
  const Tolerance wide{.atol = 1e300, .rtol = 1.0};
  CHECK(is_close(infinity, infinity, {}));
  CHECK(is_close(-infinity, -infinity, {}));
  CHECK(!is_close(infinity, -infinity, wide));
  CHECK(!is_close(1e300, infinity, wide));
  CHECK(!is_close(infinity, 1.0, wide));
  CHECK(!is_close(infinity, 1.0, {.atol = infinity, .rtol = 0.0}));
}

TEST_CASE("NaN is close to NaN and to nothing else", "[close]") {
  CHECK(is_close(nan, nan, {}));
  CHECK(!is_close(nan, 0.0, {.atol = infinity, .rtol = 0.0}));
  CHECK(!is_close(0.0, nan, {.atol = infinity, .rtol = 0.0}));
  CHECK(!is_close(nan, infinity, {}));
  CHECK(!is_close(infinity, nan, {}));
  CHECK(!is_close(1.0, 1.0, {.atol = nan, .rtol = 0.0}));
}

TEST_CASE("the largest difference tells its place and both values", "[close]") {
  const Tensor want = Tensor::matrix({{1, 2, 3}, {4, 5, 6}});
  Tensor got = want;
  got(0, 1) = 2.25F;
  got(1, 2) = 5.5F;
  const Difference worst = largest_difference(got, want);
  CHECK(worst.largest == 0.5);
  CHECK(worst.where == Index{1, 2});
  CHECK(worst.got == 5.5F);
  CHECK(worst.want == 6.0F);
  // Of two equal differences the first is told.
  CHECK(largest_difference(Tensor::vector({0, 3, 2}), Tensor::vector({0, 2, 3})).where == Index{1});
}

TEST_CASE("a NaN or an infinity that was not expected is the largest difference", "[close]") {
  const auto infinite = static_cast<float>(infinity);
  const auto not_a_number = static_cast<float>(nan);
  const Tensor want = Tensor::vector({1, infinite, not_a_number, 4});
  CHECK(largest_difference(want, want).largest == 0.0);
  CHECK(largest_difference(Tensor::vector({100, infinite, not_a_number, not_a_number}), want).where == Index{3});
  CHECK(largest_difference(Tensor::vector({100, -infinite, not_a_number, 4}), want).largest == infinity);
  CHECK(largest_difference(Tensor::vector({100, infinite, 0, 4}), want).where == Index{2});
  CHECK(largest_difference(Tensor({0}), Tensor({0})).where.empty());
  CHECK(largest_difference(Tensor(Shape{}, 2.0F), Tensor(Shape{}, 3.0F)).largest == 1.0);
}

TEST_CASE("one element that is off makes two tensors not close", "[close]") {
  const Tensor want = Tensor::vector({1, 2, 3});
  CHECK(all_close(Tensor::vector({1, 2, 3.0625F}), want, {.atol = 0.0625, .rtol = 0.0}));
  CHECK(!all_close(Tensor::vector({1, 2, 3.125F}), want, {.atol = 0.0625, .rtol = 0.0}));
  CHECK(all_close(Tensor({0}), Tensor({0}), {}));
}

TEST_CASE("shapes that differ cannot be compared", "[close]") {
  CHECK_THROWS_WITH(all_close(Tensor({2, 3}), Tensor({3, 2}), {}),
                    "all_close: got is [2, 3] and want is [3, 2]: only equal shapes can be compared, is a reshape or a "
                    "transpose missing?");
  CHECK_THROWS_AS(largest_difference(Tensor({6}), Tensor({2, 3})), std::invalid_argument);
}

TEST_CASE("a failed comparison in a test names the element, both values and the tolerance", "[close]") {
  const Tensor want = Tensor::matrix({{1, 2}, {3, 4}});
  CHECK(close_failure(want, want, {}).empty());
  CHECK(close_failure(Tensor::matrix({{1, 2}, {3.5F, 5}}), want, {.atol = 1e-6, .rtol = 1e-5}) ==
        "element [1, 0] is 3.5 and should be 3, within 1e-06 + 1e-05 * |3|; 2 of 4 elements are not close");
  CHECK(close_failure(Tensor({4}), want, {}) == "got has shape [4] and want has shape [2, 2]");
}

}  // namespace attn
