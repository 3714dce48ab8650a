#include "attention/kinds/cache.hpp"

#include "attention/kinds/drawn.hpp"
#include "attention/kinds/grouped_heads.hpp"
#include "attention/kinds/masks.hpp"
#include "catch.hpp"
#include "check_close.hpp"
#include "tensor/rearrange.hpp"

#include <cstddef>

namespace attn {

namespace {

constexpr Tolerance exact{};

}  // namespace

TEST_CASE("a cache joins past and new tokens in their order", "[kinds][cache]") {
  const KeyValueCache past = {.key = Tensor::matrix({{1, 2}}), .value = Tensor::matrix({{10}})};
  const KeyValueCache present = join(past, Tensor::matrix({{3, 4}, {5, 6}}), Tensor::matrix({{20}, {30}}));
  check_close(present.key, Tensor::matrix({{1, 2}, {3, 4}, {5, 6}}), exact);
  check_close(present.value, Tensor::matrix({{10}, {20}, {30}}), exact);
  CHECK(present.seq_len() == 3);
}

TEST_CASE("with a cache, each token's context is that of all tokens at once, wherever the text is split",
          "[kinds][cache]") {
  const unsigned seed = GENERATE(range(0U, 20U));
  Drawn drawn(seed);
  const std::size_t batch = drawn.size();
  const std::size_t seq_len = drawn.size();
  const std::size_t head_dim = drawn.size();
  const Tensor query = drawn.tensor({batch, 2, seq_len, head_dim});
  const Tensor key = drawn.tensor({batch, 2, seq_len, head_dim});
  const Tensor value = drawn.tensor({batch, 2, seq_len, drawn.size()});
  const Tensor all = attention(query, key, value, {.mask = keep_where(causal_mask(seq_len))}).context;
  const auto tokens = [](const Tensor& x, std::size_t start, std::size_t stop) { return slice(x, -2, start, stop); };

  for (std::size_t split = 0; split <= seq_len; ++split) {
    CAPTURE(seed, seq_len, split);
    const CachedSteps first = cached_attention(tokens(query, 0, split), tokens(key, 0, split), tokens(value, 0, split),
                                               empty_cache(key, value));
    const CachedSteps rest = cached_attention(tokens(query, split, seq_len), tokens(key, split, seq_len),
                                              tokens(value, split, seq_len), first.present);
    check_close(concat({first.attention.context, rest.attention.context}, -2), all, exact);
    check_close(rest.present.key, key, exact);
    check_close(rest.present.value, value, exact);
  }
}

TEST_CASE("a cache may keep fewer heads than there are queries", "[kinds][cache]") {
  const unsigned seed = GENERATE(range(0U, 10U));
  CAPTURE(seed);
  Drawn drawn(seed);
  const std::size_t num_kv_heads = drawn.size();
  const std::size_t seq_len = drawn.size();
  const std::size_t split = drawn.below(seq_len);
  const Tensor query = drawn.tensor({2, num_kv_heads * 3, seq_len, 5});
  const Tensor key = drawn.tensor({2, num_kv_heads, seq_len, 5});
  const Tensor value = drawn.tensor({2, num_kv_heads, seq_len, 7});
  const auto until = [&](const Tensor& x) { return slice(x, -2, 0, split); };
  const auto from = [&](const Tensor& x) { return slice(x, -2, split, seq_len); };

  const KeyValueCache present = join({.key = until(key), .value = until(value)}, from(key), from(value));
  const Tensor mask =
      causal_mask({.seq_len_q = seq_len - split, .seq_len_kv = seq_len, .offset = static_cast<std::ptrdiff_t>(split)});
  check_close(grouped_attention(from(query), present.key, present.value, {.mask = keep_where(mask)}).context,
              from(grouped_attention(query, key, value, {.mask = keep_where(causal_mask(seq_len))}).context), exact);
}

TEST_CASE("a further mask holds besides the causal one", "[kinds][cache]") {
  const KeyValueCache past = {.key = Tensor::matrix({{1}, {1}}), .value = Tensor::matrix({{10}, {20}})};
  const CachedSteps step =
      cached_attention(Tensor::matrix({{1}, {1}}), Tensor::matrix({{1}, {1}}), Tensor::matrix({{30}, {40}}), past,
                       {.mask = keep_where(Tensor::matrix({{0, 1, 1, 1}}))});
  check_close(step.mask, Tensor::matrix({{1, 1, 1, 0}, {1, 1, 1, 1}}), exact);
  check_close(step.attention.context, Tensor::matrix({{25}, {30}}), {.atol = 0.0, .rtol = 1e-6});
}

TEST_CASE("a cache says what does not fit", "[kinds][cache]") {
  const KeyValueCache past = {.key = Tensor({2, 3, 4}), .value = Tensor({2, 3, 5})};
  CHECK_THROWS_WITH(join(past, Tensor({2, 1, 6}), Tensor({2, 1, 5})),
                    "cache: past key is [2, 3, 4] and new key is [2, 1, 6]: all axes but seq_len (the second last) "
                    "must be the same");
  CHECK_THROWS_WITH(join(past, Tensor({2, 1, 4}), Tensor({3, 1, 5})),
                    ContainsSubstring("past value is [2, 3, 5] and new value is [3, 1, 5]"));
  CHECK_THROWS_WITH(join(past, Tensor({2, 1, 4}), Tensor({2, 2, 5})),
                    ContainsSubstring("new keys [2, 1, 4] and values [2, 2, 5]"));
  CHECK_THROWS_WITH(join({.key = Tensor({4}), .value = Tensor({5})}, Tensor({4}), Tensor({5})),
                    ContainsSubstring("past key is [4]"));
}

}  // namespace attn
