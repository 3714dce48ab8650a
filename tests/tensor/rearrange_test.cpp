#include "tensor/rearrange.hpp"

#include "catch.hpp"
#include "check_close.hpp"

#include <limits>
#include <stdexcept>

namespace attn {

namespace {

constexpr Tolerance exact{};

// 0, 1, 2, ... in row-major order.
Tensor counting(const Shape& shape) {
  Tensor a(shape);
  for (std::size_t i = 0; i < a.size(); ++i) a.values()[i] = static_cast<float>(i);
  return a;
}

constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();

}  // namespace

TEST_CASE("reshape keeps the numbers and their order", "[rearrange]") {
  const Tensor a = counting({2, 3, 5});
  const Tensor b = reshape(a, {5, 6});
  CHECK(b.shape() == Shape{5, 6});
  CHECK(b.values() == a.values());
  CHECK(reshape(Tensor({1, 1}, 3.0F), {})() == 3.0F);
  CHECK(reshape(Tensor({0, 7}), {3, 0}).shape() == Shape{3, 0});
}

TEST_CASE("reshape to another number of elements is refused with both shapes", "[rearrange]") {
  CHECK_THROWS_WITH(reshape(counting({2, 3}), {4, 2}),
                    "reshape: [2, 3] holds 6 numbers and [4, 2] holds 8: reshape "
                    "keeps every number, so both products must be equal");
  CHECK_THROWS_AS(reshape(counting({2, 3}), {}), std::invalid_argument);
}

TEST_CASE("permute puts axis order[k] of a at place k", "[rearrange]") {
  const Tensor a = counting({2, 3, 5});
  const Tensor b = permute(a, {2, 0, -2});
  REQUIRE(b.shape() == Shape{5, 2, 3});
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 5; ++k) CHECK(b(k, i, j) == a(i, j, k));
    }
  }
}

TEST_CASE("a permutation and its inverse change nothing", "[rearrange]") {
  const Tensor a = counting({2, 3, 5, 7});
  check_close(permute(permute(a, {2, 0, 3, 1}), {1, 3, 0, 2}), a, exact);
  check_close(permute(Tensor(Shape{}, 4.0F), {}), Tensor(Shape{}, 4.0F), exact);
}

TEST_CASE("permute refuses an order that does not name each axis once", "[rearrange]") {
  CHECK_THROWS_WITH(permute(counting({2, 3}), {0, 0}),
                    "permute: the order (0, 0) does not fit shape [2, 3]: name each of its 2 axes once");
  CHECK_THROWS_WITH(permute(counting({2, 3}), {1, -1}), ContainsSubstring("the order (1, -1)"));
  CHECK_THROWS_AS(permute(counting({2, 3}), {1}), std::invalid_argument);
  CHECK_THROWS_WITH(permute(counting({2, 3}), {0, 2}), ContainsSubstring("permute: there is no axis 2"));
}

TEST_CASE("transpose swaps the last two axes of every matrix", "[rearrange]") {
  const Tensor a = counting({2, 3, 5});
  const Tensor b = transpose(a);
  REQUIRE(b.shape() == Shape{2, 5, 3});
  CHECK(b(1, 4, 2) == a(1, 2, 4));
  CHECK(b(0, 3, 1) == a(0, 1, 3));
  check_close(transpose(b), a, exact);
  CHECK(transpose(Tensor({0, 3})).shape() == Shape{3, 0});
  CHECK_THROWS_WITH(transpose(Tensor({3})),
                    "transpose: a is [3] and has no two axes to swap: reshape a vector to [n, 1] "
                    "or [1, n] first");
}

TEST_CASE("slice keeps start <= index < stop along one axis", "[rearrange]") {
  const Tensor a = counting({2, 5, 3});
  const Tensor b = slice(a, 1, 1, 4);
  REQUIRE(b.shape() == Shape{2, 3, 3});
  CHECK(b(0, 0, 0) == a(0, 1, 0));
  CHECK(b(1, 2, 2) == a(1, 3, 2));
  CHECK(slice(a, -1, 2, 2).shape() == Shape{2, 5, 0});
  check_close(slice(a, 0, 0, 2), a, exact);
  CHECK(slice(Tensor({huge, 0}), 0, 3, huge).shape() == Shape{huge - 3, 0});
}

TEST_CASE("slice refuses a range outside the axis", "[rearrange]") {
  const Tensor a = counting({7, 16});
  CHECK_THROWS_WITH(slice(a, 1, 4, 20), "slice: from 4 to 20 does not fit axis 1 of [7, 16]: stop can be at most 16");
  CHECK_THROWS_WITH(slice(a, 1, 5, 3),
                    "slice: from 5 to 3 does not fit axis 1 of [7, 16]: start is past stop, are they swapped?");
  CHECK_THROWS_AS(slice(a, 2, 0, 1), std::invalid_argument);
}

TEST_CASE("concat undoes slice along every axis", "[rearrange]") {
  const int axis = GENERATE(0, 1, 2, -1);
  CAPTURE(axis);
  const Tensor a = counting({3, 5, 7});
  const std::size_t n = a.dim(axis);
  check_close(concat({slice(a, axis, 0, 1), slice(a, axis, 1, 1), slice(a, axis, 1, n)}, axis), a, exact);
}

TEST_CASE("concat joins parts of different lengths in their order", "[rearrange]") {
  const Tensor joined = concat({Tensor::matrix({{1, 2}, {3, 4}}), Tensor::matrix({{5}, {6}})}, 1);
  check_close(joined, Tensor::matrix({{1, 2, 5}, {3, 4, 6}}), exact);
}

TEST_CASE("concat refuses parts that differ elsewhere, with both shapes", "[rearrange]") {
  CHECK_THROWS_WITH(concat({Tensor({2, 3}), Tensor({2, 3}), Tensor({4, 5})}, 1),
                    "concat: part 0 is [2, 3] and part 2 is [4, 5]: only axis 1 may differ, is it the axis that you "
                    "meant?");
  CHECK_THROWS_AS(concat({Tensor({2, 3}), Tensor({2})}, 0), std::invalid_argument);
  CHECK_THROWS_WITH(concat({}, 0), "concat: there is nothing to join: give at least one tensor");
  CHECK_THROWS_WITH(concat({Tensor(), Tensor()}, 0), ContainsSubstring("concat: there is no axis 0 in shape []"));
}

}  // namespace attn
