#include "attention/kinds/fused_attention.hpp"

#include "attention/kinds/drawn.hpp"
#include "attention/kinds/grouped_heads.hpp"
#include "attention/kinds/masks.hpp"
#include "catch.hpp"
#include "check_close.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/rearrange.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace attn {

namespace {

constexpr Tolerance exact{};
// Scores are float sums of a few dozen products near 1, and so are contexts.
constexpr Tolerance rounded{.atol = 1e-5, .rtol = 1e-5};
constexpr float infinity = std::numeric_limits<float>::infinity();

/// The same by attention(), which holds every step: positions become a table.
Tensor with_steps(const Tensor& query, const Tensor& key, const Tensor& value, const FusedOptions& options) {
  const Tensor seen = window_mask({.seq_len_q = query.dim(-2),
                                   .seq_len_kv = key.dim(-2),
                                   .left = options.left,
                                   .right = options.right,
                                   .offset = options.offset});
  const AttentionOptions plain{.mask = combine_masks(options.mask, keep_where(seen)),
                               .scale = options.scale,
                               .soft_cap = options.soft_cap,
                               .empty_rows = options.empty_rows};
  return query.rank() == 2 ? attention(query, key, value, plain).context
                           : grouped_attention(query, key, value, plain).context;
}

}  // namespace

TEST_CASE("fused attention is attention without its steps, whatever the options", "[fused]") {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    CAPTURE(seed);
    Drawn drawn(seed);
    const std::size_t batch = drawn.size();
    const std::size_t num_kv_heads = 1 + drawn.below(3);
    const std::size_t num_heads = num_kv_heads * (1 + drawn.below(3));
    const std::size_t seq_len_q = drawn.below(10) == 0 ? 140 : drawn.size();
    const std::size_t seq_len_kv = drawn.below(10) == 0 ? 200 : drawn.size();
    const std::size_t head_dim = drawn.size();
    const Tensor query = drawn.tensor({batch, num_heads, seq_len_q, head_dim});
    const Tensor key = drawn.tensor({batch, num_kv_heads, seq_len_kv, head_dim});
    const Tensor value = drawn.tensor({batch, num_kv_heads, seq_len_kv, drawn.size()});

    FusedOptions options;
    options.threads = 1 + drawn.below(4);
    const std::size_t wanted = drawn.below(64);
    if ((wanted & 1U) != 0) options.right = drawn.below(3);
    if ((wanted & 2U) != 0) options.left = drawn.below(5);
    if ((wanted & 4U) != 0) options.offset = static_cast<std::ptrdiff_t>(drawn.below(7)) - 3;
    if ((wanted & 8U) != 0) options.soft_cap = 0.5F + static_cast<float>(drawn.below(4));
    if ((wanted & 16U) != 0) options.scale = static_cast<float>(drawn.below(5)) - 1.0F;
    switch (drawn.below(5)) {
      case 0:
        options.mask = keep_where(drawn.mask({batch, 1, 1, seq_len_kv}));  // padding
        break;
      case 1:
        options.mask = added(drawn.tensor({num_heads, seq_len_q, seq_len_kv}));
        break;
      case 2:
        options.mask = keep_where(drawn.mask({seq_len_q, seq_len_kv}));
        break;
      case 3:
        options.mask = {.keep = drawn.mask({seq_len_kv}), .bias = drawn.tensor({seq_len_q, 1})};
        break;
      default:
        break;
    }
    options.empty_rows = static_cast<EmptyRows>(drawn.below(3));
    check_close(fused_attention(query, key, value, options), with_steps(query, key, value, options), rounded);
  }
}

TEST_CASE("fused attention of one head takes plain matrices", "[fused]") {
  Drawn drawn(1);
  const Tensor query = drawn.tensor({5, 3});
  const Tensor key = drawn.tensor({7, 3});
  const Tensor value = drawn.tensor({7, 2});
  check_close(fused_attention(query, key, value), with_steps(query, key, value, {}), rounded);
}

TEST_CASE("fused attention where nothing is to be seen: no queries, no keys, no numbers", "[fused]") {
  CHECK(fused_attention(Tensor({0, 3}), Tensor({7, 3}), Tensor({7, 2})).shape() == Shape{0, 2});
  check_close(fused_attention(Tensor({5, 3}), Tensor({0, 3}), Tensor({0, 2})), Tensor({5, 2}), exact);
  CHECK(fused_attention(Tensor({5, 3}), Tensor({7, 3}), Tensor({7, 0})).shape() == Shape{5, 0});
  CHECK(fused_attention(Tensor({0, 2, 5, 3}), Tensor({0, 2, 7, 3}), Tensor({0, 2, 7, 4})).shape() == Shape{0, 2, 5, 4});
}

TEST_CASE("a query of fused attention that sees no key gets what was chosen", "[fused]") {
  const Tensor query({2, 1}, 1.0F);
  const Tensor key({3, 1}, 1.0F);
  const Tensor value({3, 1}, std::vector<float>{1.0F, 2.0F, 6.0F});
  const Mask hidden = keep_where(Tensor({2, 3}));
  CHECK(std::isnan(fused_attention(query, key, value, {.mask = hidden}).values()[0]));
  CHECK(fused_attention(query, key, value, {.mask = hidden, .empty_rows = EmptyRows::zeros}).values()[1] == 0.0F);
  CHECK(fused_attention(query, key, value, {.mask = hidden, .empty_rows = EmptyRows::uniform}).values()[1] == 3.0F);
}

TEST_CASE("fused and stepwise attention agree at scores near the ends of a float", "[fused]") {
  for (const float size : {1e30F, -1e30F, 3e38F, -3e38F}) {
    CAPTURE(size);
    const Tensor query({4, 1}, std::vector<float>{1.0F, 0.5F, -1.0F, 0.0F});
    const Tensor key({3, 1}, std::vector<float>{size, size, size / 2});
    const Tensor value({3, 1}, std::vector<float>{1.0F, 2.0F, 6.0F});
    for (const std::optional<float> soft_cap : {std::optional<float>(), std::optional<float>(30.0F)}) {
      const FusedOptions options{.soft_cap = soft_cap};
      check_close(fused_attention(query, key, value, options), with_steps(query, key, value, options), rounded);
    }
  }
}

TEST_CASE("distances longer than any text mean no limit", "[fused]") {
  Drawn drawn(2);
  const Tensor x = drawn.tensor({6, 4});
  const std::size_t far = std::numeric_limits<std::size_t>::max();
  check_close(fused_attention(x, x, x, {.left = far, .right = far}), fused_attention(x, x, x), exact);
  const std::ptrdiff_t behind = std::numeric_limits<std::ptrdiff_t>::min();
  const Tensor nothing = fused_attention(x, x, x, {.offset = behind, .right = 0, .empty_rows = EmptyRows::zeros});
  check_close(nothing, Tensor({6, 4}), exact);
}

TEST_CASE("offsets and windows beyond thousands of millions are added before they are bounded", "[fused]") {
  const Tensor zeros({4, 1});
  const Tensor value({4, 1}, std::vector<float>{1.0F, 2.0F, 4.0F, 8.0F});
  const std::ptrdiff_t far = std::ptrdiff_t{1} << 31;
  for (const FusedOptions& options :
       {FusedOptions{.offset = far, .left = far - 2, .empty_rows = EmptyRows::zeros},
        FusedOptions{.offset = far, .left = far + 2, .right = 0, .empty_rows = EmptyRows::zeros},
        FusedOptions{.offset = -far, .right = far - 1, .empty_rows = EmptyRows::zeros},
        FusedOptions{.offset = std::numeric_limits<std::ptrdiff_t>::max() - 10,
        .left = std::numeric_limits<std::size_t>::max(),
        .empty_rows = EmptyRows::zeros}}) {
    check_close(fused_attention(zeros, zeros, value, options), with_steps(zeros, zeros, value, options), rounded);
  }
}

TEST_CASE("a scale near the largest float is applied as attention() applies it", "[fused]") {
  const Tensor query({1, 1}, 1.0F);
  const Tensor key({3, 1}, std::vector<float>{1.0F, -1.0F, 1.0F});
  const Tensor value({3, 1}, std::vector<float>{1.0F, 3.0F, 5.0F});
  for (const float scale : {2.5e38F, 3.4e38F, -3.4e38F}) {
    const FusedOptions options{.scale = scale};
    check_close(fused_attention(query, key, value, options), with_steps(query, key, value, options), rounded);
  }
}

TEST_CASE("scores that overflow, or do so only before they are scaled, give what attention() gives", "[fused]") {
  const Tensor value({2, 1}, std::vector<float>{0.0F, 1000.0F});
  const auto check = [&](float q, const std::vector<float>& k, float scale) {
    const Tensor query({1, 1}, q);
    const Tensor key({2, 1}, k);
    for (const EmptyRows empty : {EmptyRows::nan, EmptyRows::zeros}) {
      const FusedOptions options{.scale = scale, .empty_rows = empty};
      CAPTURE(q, k, scale);
      check_close(fused_attention(query, key, value, options), with_steps(query, key, value, options), rounded);
    }
  };
  for (const float scale : {1e-38F, 5e-38F, 1e-37F, 1e-36F, 2e-36F, 1.0F, 1.5F}) check(1e19F, {2e19F, -2e19F}, scale);
  check(1.0F, {1e38F, 5e37F}, 4.0F);
  check(1e20F, {-1e10F, -5e9F}, 1e30F);
}

TEST_CASE("fused attention refuses what can't be, with the values", "[fused]") {
  const Tensor query({6, 2, 4});
  const Tensor key({4, 2, 4});
  CHECK_THROWS_WITH(fused_attention(query, key, key), ContainsSubstring("[6, 2, 4]") && ContainsSubstring("[4, 2, 4]"));
  const Tensor x({2, 4});
  CHECK_THROWS_WITH(fused_attention(x, Tensor({2, 3}), x), ContainsSubstring("[2, 4]") && ContainsSubstring("[2, 3]"));
  CHECK_THROWS_WITH(fused_attention(x, x, x, {.scale = infinity}), ContainsSubstring("scale is inf"));
  CHECK_THROWS_WITH(fused_attention(x, x, x, {.soft_cap = 0.0F}), ContainsSubstring("soft_cap is 0"));
  CHECK_THROWS_WITH(fused_attention(x, x, x, {.threads = 0}), ContainsSubstring("threads is 0"));
  CHECK_THROWS_WITH(fused_attention(x, x, x, {.mask = keep_where(Tensor({3, 2}))}), ContainsSubstring("[3, 2]"));
  CHECK_THROWS_WITH(fused_attention(x, Tensor({0, 4}), Tensor({0, 4}), {.mask = keep_where(Tensor({7, 7}))}),
                    ContainsSubstring("[7, 7]"));
}

}  // namespace attn
