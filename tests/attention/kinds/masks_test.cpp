#include "attention/kinds/masks.hpp"

#include "catch.hpp"
#include "check_close.hpp"

#include <limits>
#include <stdexcept>

namespace attn {

namespace {

constexpr Tolerance exact{};
constexpr float infinity = std::numeric_limits<float>::infinity();

}  // namespace

TEST_CASE("a causal mask of unequal lengths starts from the top left", "[kinds][mask]") {
  check_close(causal_mask({.seq_len_q = 2, .seq_len_kv = 4}), Tensor::matrix({{1, 0, 0, 0}, {1, 1, 0, 0}}), exact);
  check_close(causal_mask({.seq_len_q = 4, .seq_len_kv = 2}), Tensor::matrix({{1, 0}, {1, 1}, {1, 1}, {1, 1}}), exact);
}

TEST_CASE("from the bottom right the last query sees the last key", "[kinds][mask]") {
  check_close(causal_mask({.seq_len_q = 2, .seq_len_kv = 4, .corner = Corner::bottom_right}),
              Tensor::matrix({{1, 1, 1, 0}, {1, 1, 1, 1}}), exact);
  check_close(causal_mask({.seq_len_q = 4, .seq_len_kv = 2, .corner = Corner::bottom_right}),
              Tensor::matrix({{0, 0}, {0, 0}, {1, 0}, {1, 1}}), exact);
}

TEST_CASE("a square causal mask is the same from both corners, and the plain one", "[kinds][mask]") {
  const std::size_t seq_len = GENERATE(0U, 1U, 2U, 5U, 7U);
  const CausalShape square{.seq_len_q = seq_len, .seq_len_kv = seq_len};
  check_close(causal_mask(square), causal_mask(seq_len), exact);
  check_close(causal_mask({.seq_len_q = seq_len, .seq_len_kv = seq_len, .corner = Corner::bottom_right}),
              causal_mask(seq_len), exact);
}

TEST_CASE("an offset is the number of keys that came before the first query", "[kinds][mask]") {
  check_close(causal_mask({.seq_len_q = 2, .seq_len_kv = 5, .offset = 2}),
              Tensor::matrix({{1, 1, 1, 0, 0}, {1, 1, 1, 1, 0}}), exact);
  check_close(causal_mask({.seq_len_q = 3, .seq_len_kv = 2, .offset = -1}), Tensor::matrix({{0, 0}, {1, 0}, {1, 1}}),
              exact);
}

TEST_CASE("a window has a left side and a right side besides the token itself", "[kinds][mask]") {
  check_close(window_mask({.seq_len_q = 4, .seq_len_kv = 4, .left = 1, .right = 0}),
              Tensor::matrix({{1, 0, 0, 0}, {1, 1, 0, 0}, {0, 1, 1, 0}, {0, 0, 1, 1}}), exact);
  check_close(window_mask({.seq_len_q = 3, .seq_len_kv = 4, .right = 1}),
              Tensor::matrix({{1, 1, 0, 0}, {1, 1, 1, 0}, {1, 1, 1, 1}}), exact);
  check_close(window_mask({.seq_len_q = 3, .seq_len_kv = 4, .left = 1}),
              Tensor::matrix({{1, 1, 1, 1}, {1, 1, 1, 1}, {0, 1, 1, 1}}), exact);
  check_close(window_mask({.seq_len_q = 2, .seq_len_kv = 5, .left = 1, .right = 1, .offset = 2}),
              Tensor::matrix({{0, 1, 1, 1, 0}, {0, 0, 1, 1, 1}}), exact);
  check_close(window_mask({.seq_len_q = 2, .seq_len_kv = 3, .left = 0, .right = 0, .offset = -1}),
              Tensor::matrix({{0, 0, 0}, {1, 0, 0}}), exact);
}

TEST_CASE("a window without sides, or wider than all tokens, hides nothing", "[kinds][mask]") {
  constexpr std::size_t widest = std::numeric_limits<std::size_t>::max();
  check_close(window_mask({.seq_len_q = 3, .seq_len_kv = 5}), full_mask(3, 5), exact);
  check_close(window_mask({.seq_len_q = 3, .seq_len_kv = 5, .left = widest, .right = widest, .offset = 2}),
              full_mask(3, 5), exact);
}

TEST_CASE("an offset farther than any text is long hides or shows all, and overflows nothing", "[kinds][mask]") {
  constexpr std::ptrdiff_t most = std::numeric_limits<std::ptrdiff_t>::max();
  constexpr std::ptrdiff_t least = std::numeric_limits<std::ptrdiff_t>::min();
  for (const Corner corner : {Corner::top_left, Corner::bottom_right}) {
    check_close(causal_mask({.seq_len_q = 2, .seq_len_kv = 3, .offset = most, .corner = corner}), Tensor({2, 3}, 1.0F),
                Tolerance{});
    check_close(causal_mask({.seq_len_q = 2, .seq_len_kv = 3, .offset = least, .corner = corner}), Tensor({2, 3}),
                Tolerance{});
  }
  check_close(window_mask({.seq_len_q = 2, .seq_len_kv = 2, .left = 1, .right = 0, .offset = most}), Tensor({2, 2}),
              Tolerance{});
  check_close(window_mask({.seq_len_q = 2, .seq_len_kv = 2, .left = 1, .right = 0, .offset = least}), Tensor({2, 2}),
              Tolerance{});
  check_close(window_mask({.seq_len_q = 2, .seq_len_kv = 2, .right = 0, .offset = most}), Tensor({2, 2}, 1.0F),
              Tolerance{});
}

TEST_CASE("a sliding window of 1 is the token itself, and one as wide as the text is causal", "[kinds][mask]") {
  check_close(sliding_window_mask(3, 1), Tensor::matrix({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), exact);
  check_close(sliding_window_mask(5, 5), causal_mask(5), exact);
  CHECK_THROWS_WITH(sliding_window_mask(3, 0),
                    "sliding_window_mask: window is 0, but a window counts the token itself, so it must be at least 1");
}

TEST_CASE("padding is hidden as a key of every head and every query", "[kinds][mask]") {
  const Tensor mask = key_padding_mask(Tensor::matrix({{1, 1, 0}, {1, 0, 0}}));
  check_close(mask, Tensor({2, 1, 1, 3}, {1, 1, 0, 1, 0, 0}), exact);
  CHECK_THROWS_WITH(key_padding_mask(Tensor::vector({1, 0})),
                    "key_padding_mask: keep must be [batch, seq_len_kv], 1 for a token and 0 for padding, not [2]");
  CHECK_THROWS_WITH(key_padding_mask(Tensor::matrix({{1, 0.5F}})),
                    ContainsSubstring("[0, 1]") && ContainsSubstring("0.5"));
}

TEST_CASE("PyTorch's masks of True for ignore are turned round", "[kinds][mask]") {
  check_close(*hide_where(Tensor::matrix({{0, 1}, {1, 0}})).keep, Tensor::matrix({{1, 0}, {0, 1}}), exact);
  CHECK_THROWS_WITH(hide_where(Tensor::vector({0, -infinity})), ContainsSubstring("-inf"));
}

TEST_CASE("a mask can be told in each of the three forms and comes back the same", "[kinds][mask]") {
  const Tensor keep = Tensor::matrix({{1, 0, 1}, {0, 1, 1}});
  check_close(additive_mask(keep_where(keep)), Tensor::matrix({{0, -infinity, 0}, {-infinity, 0, 0}}), exact);
  check_close(kept_keys(keep_where(keep)), keep, exact);
  check_close(hidden_keys(keep_where(keep)), Tensor::matrix({{0, 1, 0}, {1, 0, 0}}), exact);
  check_close(kept_keys(hide_where(hidden_keys(keep_where(keep)))), keep, exact);
  check_close(kept_keys(added(additive_mask(keep_where(keep)))), keep, exact);
}

TEST_CASE("a mask that adds other numbers has no form of 0 and 1", "[kinds][mask]") {
  CHECK_THROWS_WITH(kept_keys(added(Tensor::matrix({{0, -0.5F}}))),
                    "mask: [0, 1] of the [1, 2] mask adds -0.5, which neither keeps (0) nor hides (-inf) a key: such a "
                    "mask has no form of 0 and 1");
  CHECK_THROWS_AS(hidden_keys(added(Tensor::vector({std::numeric_limits<float>::quiet_NaN()}))), std::invalid_argument);
}

TEST_CASE("no mask is the number that changes nothing", "[kinds][mask]") {
  check_close(additive_mask(no_mask()), Tensor(Shape{}, 0.0F), exact);
  check_close(kept_keys(no_mask()), Tensor(Shape{}, 1.0F), exact);
}

TEST_CASE("of two masks both hide and both add", "[kinds][mask]") {
  const Mask a = {.keep = Tensor::matrix({{1, 0, 1}}), .bias = Tensor::matrix({{1, 2, 3}})};
  const Mask b = {.keep = Tensor::matrix({{1, 1, 0}, {1, 1, 1}}), .bias = Tensor::matrix({{10}, {20}})};
  const Mask both = combine_masks(a, b);
  check_close(*both.keep, Tensor::matrix({{1, 0, 0}, {1, 0, 1}}), exact);
  check_close(*both.bias, Tensor::matrix({{11, 12, 13}, {21, 22, 23}}), exact);
  check_close(additive_mask(both), Tensor::matrix({{11, -infinity, -infinity}, {21, -infinity, 23}}), exact);

  CHECK(!combine_masks(no_mask(), no_mask()).keep);
  check_close(*combine_masks(no_mask(), b).keep, *b.keep, exact);
  check_close(*combine_masks(a, no_mask()).bias, *a.bias, exact);
  CHECK_THROWS_WITH(combine_masks(keep_where(full_mask(2, 3)), keep_where(full_mask(2, 4))),
                    ContainsSubstring("[2, 3]") && ContainsSubstring("[2, 4]"));
}

}  // namespace attn
