#include "attention/kinds/online_softmax.hpp"

#include "attention/kinds/drawn.hpp"
#include "attention/kinds/fused_attention.hpp"
#include "catch.hpp"
#include "check_close.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/softmax.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace attn {

namespace {

constexpr Tolerance exact{};
constexpr Tolerance rounded{.atol = 1e-6, .rtol = 1e-6};  // some twenty float additions near 1
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr std::size_t seq_len = 7;

Tensor at_once(const Tensor& scores, const Tensor& value) {
  return matmul(softmax(scores, -1), value);
}

}  // namespace

TEST_CASE("blocks of any size, from 1 key to more than there are, give what softmax gives at once", "[online]") {
  const std::size_t block = GENERATE(range(1U, 10U));
  CAPTURE(block);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Drawn drawn(seed);
    const std::size_t rows = drawn.size();
    const Tensor scores = scale(drawn.tensor({rows, seq_len}), 5.0F);
    const Tensor value = drawn.tensor({seq_len, drawn.size()});
    check_close(online_context(scores, value, block), at_once(scores, value), rounded);
  }
}

TEST_CASE("scores ln 1, ln 2, then ln 4: the second block halves what was added up", "[online]") {
  const Tensor first = Tensor::matrix({{0.0F, std::log(2.0F)}});
  const OnlineBlock one = take_block(nothing_seen(1, 1), first, Tensor::matrix({{8.0F}, {2.0F}}));
  check_close(one.factor, Tensor::matrix({{0.0F}}), exact);             // e^(-inf - ln 2)
  check_close(one.after.total, Tensor::matrix({{1.5F}}), rounded);      // 1/2 + 2/2
  check_close(one.after.collected, Tensor::matrix({{6.0F}}), rounded);  // 8 / 2 + 2
  const OnlineBlock two = take_block(one.after, Tensor::matrix({{std::log(4.0F)}}), Tensor::matrix({{1.0F}}));
  check_close(two.factor, Tensor::matrix({{0.5F}}), rounded);           // e^(ln 2 - ln 4)
  check_close(two.after.total, Tensor::matrix({{1.75F}}), rounded);     // 1.5 / 2 + 1
  check_close(two.after.collected, Tensor::matrix({{4.0F}}), rounded);  // 6 / 2 + 1
}

TEST_CASE("blocks that are hidden as a whole change nothing, the first one too", "[online][mask]") {
  const std::size_t block = GENERATE(range(1U, 9U));
  CAPTURE(block);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Drawn drawn(seed);
    Tensor scores = drawn.tensor({5, seq_len});
    const Tensor value = drawn.tensor({seq_len, 3});
    const Tensor keep = drawn.mask({5, seq_len});
    for (std::size_t n = 0; n < keep.size(); ++n) {
      if (keep.values()[n] == 0.0F) scores.values()[n] = -infinity;
    }
    for (std::size_t j = 0; j + 1 < seq_len; ++j) scores(0, j) = -infinity;  // all blocks but the last
    for (std::size_t j = 1; j < seq_len; ++j) scores(1, j) = -infinity;      // all but the first
    scores(0, seq_len - 1) = 0.5F;
    scores(1, 0) = -0.5F;
    check_close(online_context(scores, value, block), at_once(scores, value), rounded);
  }
}

TEST_CASE("a hidden block leaves the largest, the total and what was collected as they are", "[online][mask]") {
  Drawn drawn(3);
  const Tensor hidden({2, 3}, -infinity);
  const OnlineSoftmax seen = take_block(nothing_seen(2, 2), drawn.tensor({2, 4}), drawn.tensor({4, 2})).after;
  for (const OnlineSoftmax& before : {seen, nothing_seen(2, 2)}) {
    const OnlineSoftmax after = take_block(before, hidden, drawn.tensor({3, 2})).after;
    check_close(after.largest, before.largest, exact);
    check_close(after.total, before.total, exact);
    check_close(after.collected, before.collected, exact);
  }
}

TEST_CASE("a query that sees no key gets NaN, as from softmax", "[online][mask]") {
  const Tensor context = online_context(Tensor({1, 4}, -infinity), Tensor({4, 2}, 1.0F), 3);
  CHECK(std::isnan(context(0, 0)));
  CHECK(std::isnan(context(0, 1)));
}

TEST_CASE("huge scores are shared out as softmax does, in whatever block the largest comes", "[online]") {
  const std::size_t block = GENERATE(range(1U, 9U));
  CAPTURE(block);
  const Tensor scores = Tensor::matrix({{1e30F, -3e38F, 3e38F, 3e38F, 0.0F, -1e30F, 2.0F},
                                        {-3e38F, -3e38F, -3e38F, -3e38F, -3e38F, -3e38F, -3e38F},
                                        {-200.0F, -201.0F, -202.0F, -203.0F, -204.0F, -205.0F, -206.0F},
                                        {100.0F, 101.0F, 102.0F, 103.0F, 104.0F, 105.0F, 106.0F}});
  const Tensor value = Drawn(1).tensor({seq_len, 3});
  check_close(online_context(scores, value, block), at_once(scores, value), rounded);
}

TEST_CASE("the kernel's online softmax is this one", "[online][fused]") {
  Drawn drawn(5);
  const Tensor query = drawn.tensor({5, 4});
  const Tensor key = drawn.tensor({400, 4});  // three of the kernel's blocks
  const Tensor value = drawn.tensor({400, 3});
  const Tensor scores = scale(matmul_transposed(query, key), 0.5F);
  check_close(fused_attention(query, key, value), online_context(scores, value, 192), {.atol = 1e-5, .rtol = 1e-5});
}

TEST_CASE("blocks of no key, and values that do not belong to the keys, are refused", "[online]") {
  CHECK_THROWS_WITH(online_context(Tensor({2, 3}), Tensor({3, 1}), 0), ContainsSubstring("a block has 0 keys"));
  CHECK_THROWS_WITH(online_context(Tensor({2, 3}), Tensor({4, 1}), 2),
                    ContainsSubstring("[2, 3]") && ContainsSubstring("[4, 1]"));
}

}  // namespace attn
