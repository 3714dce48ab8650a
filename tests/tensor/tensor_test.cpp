#include "tensor/tensor.hpp"

#include "catch.hpp"

#include <limits>
#include <stdexcept>
#include <utility>

namespace attn {

TEST_CASE("a tensor is row-major: the last axis moves fastest", "[tensor]") {
  Tensor a({2, 3, 5});
  for (std::size_t i = 0; i < a.size(); ++i) a.values()[i] = static_cast<float>(i);
  CHECK(a(0, 0, 1) == 1.0F);
  CHECK(a(0, 1, 0) == 5.0F);
  CHECK(a(1, 0, 0) == 15.0F);
  CHECK(a(1, 2, 4) == 29.0F);
  CHECK(a.at({1, 1, 2}) == 22.0F);
}

TEST_CASE("a tensor of rank 0 is one number", "[tensor]") {
  Tensor number;
  CHECK(number.rank() == 0);
  CHECK(number.size() == 1);
  number() = 2.5F;
  CHECK(number.at({}) == 2.5F);
  CHECK(Tensor(Shape{}, 4.0F)() == 4.0F);
}

TEST_CASE("a size of 0 holds no numbers, even beside sizes that no memory could hold", "[tensor]") {
  const std::size_t huge = std::numeric_limits<std::size_t>::max();
  CHECK(Tensor({3, 0, 2}).size() == 0);
  CHECK(element_count({huge, 0, huge}) == 0);
  CHECK(element_count({0, huge, huge}) == 0);
  CHECK(element_count({}) == 1);
  CHECK(element_count({2, 3, 5}) == 30);
}

TEST_CASE("a shape that no memory could hold is refused with its sizes", "[tensor]") {
  const std::size_t huge = std::size_t{1} << 40U;
  CHECK_THROWS_AS(Tensor({huge, huge}), std::invalid_argument);
  CHECK_THROWS_WITH(element_count({huge, huge}),
                    ContainsSubstring("[1099511627776, 1099511627776] holds more numbers than any memory"));
  CHECK_THROWS_AS(element_count({std::numeric_limits<std::size_t>::max()}), std::invalid_argument);
  CHECK_THROWS_AS(element_count({(std::numeric_limits<std::size_t>::max() / 2 / sizeof(float)) + 1}),
                  std::invalid_argument);
  CHECK(element_count({std::numeric_limits<std::size_t>::max() / 2 / sizeof(float)}) > 0);
}

TEST_CASE("a copy of a tensor is a copy", "[tensor]") {
  Tensor a = Tensor::vector({1, 2, 3});
  const Tensor b = a;
  a(1) = 9.0F;
  CHECK(b(1) == 2.0F);
}

TEST_CASE("a matrix is written row by row", "[tensor]") {
  const Tensor a = Tensor::matrix({{1, 2, 3}, {4, 5, 6}});
  CHECK(a.shape() == Shape{2, 3});
  CHECK(a(1, 0) == 4.0F);
  CHECK(Tensor::matrix({}).shape() == Shape{0, 0});
  CHECK(Tensor::matrix({{}, {}}).shape() == Shape{2, 0});
  CHECK_THROWS_WITH(Tensor::matrix({{1, 2}, {3}}),
                    "tensor: row 1 of the matrix has 1 numbers and row 0 has 2: every row "
                    "needs the same length");
}

TEST_CASE("as many values must be given as the shape holds", "[tensor]") {
  CHECK_THROWS_WITH(Tensor({2, 3}, {1, 2, 3, 4, 5}),
                    "tensor: shape [2, 3] holds 6 numbers, but 5 were given: some are missing");
  CHECK_THROWS_WITH(Tensor({2}, {1, 2, 3}), "tensor: shape [2] holds 2 numbers, but 3 were given: some are left over");
}

TEST_CASE("an axis counts from the end when it is negative", "[tensor]") {
  const Tensor a({2, 3, 5});
  CHECK(a.dim(0) == 2);
  CHECK(a.dim(-1) == 5);
  CHECK(a.dim(-3) == 2);
  CHECK_THROWS_WITH(a.dim(3), "tensor: there is no axis 3 in shape [2, 3, 5]: axes go from 0 to 2, or from -1 to -3");
  CHECK_THROWS_AS(a.dim(-4), std::invalid_argument);
  CHECK_THROWS_WITH(Tensor().dim(0), ContainsSubstring("a single number has no axes"));
}

TEST_CASE("an element that is not there is refused with index and shape", "[tensor]") {
  Tensor a({2, 3});
  CHECK_THROWS_AS(a(2, 0), std::out_of_range);
  CHECK_THROWS_WITH(a(0, 3),
                    "tensor: there is no element (0, 3) in shape [2, 3]: indices start at 0 and stay below the "
                    "axis' size");
  CHECK_THROWS_WITH(std::as_const(a)(-1, 0), ContainsSubstring("no element (-1, 0) in shape [2, 3]"));
  CHECK_THROWS_WITH(a(1), ContainsSubstring("give one index per axis, 2 here and not 1"));
  CHECK_THROWS_AS(a.at({0, 0, 0}), std::out_of_range);
  CHECK_THROWS_AS(Tensor({0})(0), std::out_of_range);
}

TEST_CASE("a shape is written in brackets", "[tensor]") {
  CHECK(to_string(Shape{}) == "[]");
  CHECK(to_string(Shape{7}) == "[7]");
  CHECK(to_string(Shape{2, 0, 16}) == "[2, 0, 16]");
}

}  // namespace attn
