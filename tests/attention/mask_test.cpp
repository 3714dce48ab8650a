#include "attention/mask.hpp"

#include "catch.hpp"
#include "check_close.hpp"

#include <cmath>
#include <stdexcept>

using namespace attn;

namespace {

constexpr float inf = INFINITY;

}  // namespace

TEST_CASE("a causal mask lets each query see itself and what came before", "[mask]") {
  check_close(causal_mask(3), Tensor::matrix({{1, 0, 0}, {1, 1, 0}, {1, 1, 1}}), {});
  check_close(causal_mask(1), Tensor::matrix({{1}}), {});
  CHECK(causal_mask(0).shape() == Shape{0, 0});
}

TEST_CASE("a full mask keeps every key for every query", "[mask]") {
  check_close(full_mask(2, 3), Tensor::matrix({{1, 1, 1}, {1, 1, 1}}), {});
}

TEST_CASE("padding is hidden as a key, in a row that all queries of the sentence share", "[mask]") {
  const Tensor mask = padding_mask({2, 3, 0}, 3);
  CHECK(mask.shape() == Shape{3, 1, 3});
  check_close(mask, Tensor({3, 1, 3}, {1, 1, 0, 1, 1, 1, 0, 0, 0}), {});
}

TEST_CASE("a sentence longer than seq_len is refused with its number and both lengths", "[mask]") {
  CHECK_THROWS_WITH(padding_mask({2, 6}, 5),
                    ContainsSubstring("sentence 1 has 6 tokens") && ContainsSubstring("seq_len is 5"));
}

TEST_CASE("two masks combined keep a key only where both keep it", "[mask]") {
  const Tensor combined = combine_masks(padding_mask({2, 3}, 3), causal_mask(3));
  check_close(combined, Tensor({2, 3, 3}, {1, 0, 0, 1, 1, 0, 1, 1, 0, /**/ 1, 0, 0, 1, 1, 0, 1, 1, 1}), {});
}

TEST_CASE("masks that do not fit together are refused with both shapes", "[mask]") {
  CHECK_THROWS_WITH(combine_masks(causal_mask(3), causal_mask(5)),
                    ContainsSubstring("combine_masks") && ContainsSubstring("[3, 3]") && ContainsSubstring("[5, 5]"));
}

TEST_CASE("an additive mask is 0 where a mask keeps and -inf where it hides", "[mask]") {
  check_close(additive_mask(causal_mask(2)), Tensor::matrix({{0, -inf}, {0, 0}}), {});
}

TEST_CASE("mask_fill puts -inf where the mask is 0 and leaves the rest alone", "[mask]") {
  const Tensor scores = Tensor::matrix({{1, 2, 3}, {4, 5, 6}});
  check_close(mask_fill(scores, Tensor::matrix({{1, 0, 1}, {0, 1, 1}})), Tensor::matrix({{1, -inf, 3}, {-inf, 5, 6}}),
              {});
}

TEST_CASE("a row of mask holds for every query, a column of mask for every key", "[mask]") {
  const Tensor scores = Tensor::matrix({{1, 2, 3}, {4, 5, 6}});
  check_close(mask_fill(scores, Tensor::vector({1, 0, 1})), Tensor::matrix({{1, -inf, 3}, {4, -inf, 6}}), {});
  check_close(mask_fill(scores, Tensor::matrix({{0}, {1}})), Tensor::matrix({{-inf, -inf, -inf}, {4, 5, 6}}), {});
}

TEST_CASE("a hidden score becomes -inf whatever it was, also NaN and inf", "[mask]") {
  const Tensor scores = Tensor::vector({NAN, inf, -inf, 1e38F});
  check_close(mask_fill(scores, Tensor({4}, 0.0F)), Tensor({4}, -inf), {});
  check_close(mask_fill(scores, Tensor({4}, 1.0F)), scores, {});
}

TEST_CASE("a mask with anything but 0 and 1 is refused, naming the value and its place", "[mask]") {
  const auto [bad, written] =
      GENERATE(table<float, std::string>({{0.5F, "0.5"}, {-1.0F, "-1"}, {NAN, "nan"}, {-inf, "-inf"}}));
  Tensor mask = full_mask(2, 3);
  mask(1, 2) = bad;
  const auto names_it = ContainsSubstring("[1, 2] of the [2, 3] mask is " + written + ": numbers to add");
  CHECK_THROWS_AS(keep_where(mask), std::invalid_argument);
  CHECK_THROWS_WITH(keep_where(mask), names_it);
  CHECK_THROWS_WITH(mask_fill(Tensor({2, 3}), mask), names_it);
  CHECK_THROWS_WITH(combine_masks(full_mask(2, 3), mask), names_it);
  CHECK_THROWS_WITH(additive_mask(mask), names_it);
}

TEST_CASE("a mask that does not broadcast to the scores is refused with both shapes", "[mask]") {
  const Shape shape =
      GENERATE(Shape{3}, Shape{3, 5}, Shape{2, 2, 5}, Shape{1, 2, 5});  // the last would make them larger
  CAPTURE(to_string(shape));
  const Tensor scores({2, 5});
  const auto names_both = ContainsSubstring("a " + to_string(shape) + " mask does not fit scores of [2, 5]");
  CHECK_THROWS_WITH(mask_fill(scores, Tensor(shape, 1.0F)), names_both);
  CHECK_THROWS_WITH(apply_mask(scores, added(Tensor(shape))), names_both);
}

TEST_CASE("no mask changes nothing", "[mask]") {
  const Tensor scaled = Tensor::matrix({{1, NAN}, {-inf, 4}});
  check_close(apply_mask(scaled, no_mask()), scaled, {});
}

TEST_CASE("numbers are added first, then hidden keys become -inf", "[mask]") {
  Mask mask = keep_where(Tensor::matrix({{1, 0}, {1, 1}}));
  mask.bias = Tensor::matrix({{0.5F, inf}, {-inf, -2}});
  check_close(apply_mask(Tensor::matrix({{1, 2}, {3, 4}}), mask), Tensor::matrix({{1.5F, -inf}, {-inf, 2}}), {});
}

TEST_CASE("a 0/1 mask and its additive form hide the same finite scores", "[mask]") {
  const Tensor scaled = Tensor::matrix({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}});
  check_close(apply_mask(scaled, added(additive_mask(causal_mask(3)))), apply_mask(scaled, keep_where(causal_mask(3))),
              {});
}
