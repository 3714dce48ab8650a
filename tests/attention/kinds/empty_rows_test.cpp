#include "attention/kinds/empty_rows.hpp"

#include "catch.hpp"
#include "check_close.hpp"
#include "tensor/softmax.hpp"

#include <limits>

namespace attn {

namespace {

constexpr Tolerance exact{};
constexpr float infinity = std::numeric_limits<float>::infinity();
const float nan = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("a row of all -inf gets nan, zeros or uniform weights, and the other rows stay", "[kinds][empty_rows]") {
  const Tensor masked = Tensor::matrix({{0, 0, -infinity, -infinity}, {-infinity, -infinity, -infinity, -infinity}});
  const Tensor weights = softmax(masked, -1);
  check_close(fill_empty_rows(weights, masked, EmptyRows::nan),
              Tensor::matrix({{0.5F, 0.5F, 0, 0}, {nan, nan, nan, nan}}), exact);
  check_close(fill_empty_rows(weights, masked, EmptyRows::zeros), Tensor::matrix({{0.5F, 0.5F, 0, 0}, {0, 0, 0, 0}}),
              exact);
  check_close(fill_empty_rows(weights, masked, EmptyRows::uniform),
              Tensor::matrix({{0.5F, 0.5F, 0, 0}, {0.25F, 0.25F, 0.25F, 0.25F}}), exact);
}

TEST_CASE("a row with NaN among its scores is not empty and keeps its NaN", "[kinds][empty_rows]") {
  const EmptyRows choice = GENERATE(EmptyRows::nan, EmptyRows::zeros, EmptyRows::uniform);
  const Tensor masked = Tensor::matrix({{-infinity, nan}});
  check_close(fill_empty_rows(softmax(masked, -1), masked, choice), Tensor::matrix({{nan, nan}}), exact);
}

TEST_CASE("a table without keys or without queries stays empty", "[kinds][empty_rows]") {
  const EmptyRows choice = GENERATE(EmptyRows::nan, EmptyRows::zeros, EmptyRows::uniform);
  for (const Shape& shape : {Shape{2, 3, 0}, Shape{2, 0, 3}, Shape{0, 0}}) {
    CHECK(fill_empty_rows(Tensor(shape), Tensor(shape), choice).shape() == shape);
  }
}

TEST_CASE("weights must come from scores of their shape", "[kinds][empty_rows]") {
  CHECK_THROWS_WITH(fill_empty_rows(Tensor({2, 3}), Tensor({3, 2}), EmptyRows::zeros),
                    "fill_empty_rows: weights are [2, 3] and masked scores [3, 2]: give the scores that the weights "
                    "come from");
}

}  // namespace attn
