#include "attention/kinds/grouped_heads.hpp"

#include "attention/kinds/drawn.hpp"
#include "catch.hpp"
#include "check_close.hpp"
#include "tensor/rearrange.hpp"

#include <cstddef>

namespace attn {

namespace {

constexpr Tolerance exact{};

}  // namespace

TEST_CASE("each key head is repeated next to itself: 0 0 0 1 1 1", "[kinds][grouped]") {
  const Tensor key({1, 2, 1, 2}, {1, 2, 3, 4});
  check_close(repeat_heads(key, 6), Tensor({1, 6, 1, 2}, {1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4}), exact);
}

TEST_CASE("query head h uses key head h / group", "[kinds][grouped]") {
  const unsigned seed = GENERATE(range(0U, 30U));
  CAPTURE(seed);
  Drawn drawn(seed);
  const std::size_t batch = drawn.size();
  const std::size_t num_kv_heads = drawn.size();
  const std::size_t group = drawn.size();
  const std::size_t seq_len_q = drawn.size();
  const std::size_t seq_len_kv = drawn.size();
  const std::size_t head_dim = drawn.size();
  const Tensor query = drawn.tensor({batch, num_kv_heads * group, seq_len_q, head_dim});
  const Tensor key = drawn.tensor({batch, num_kv_heads, seq_len_kv, head_dim});
  const Tensor value = drawn.tensor({batch, num_kv_heads, seq_len_kv, drawn.size()});

  const FamilySteps grouped = grouped_attention(query, key, value);
  const std::size_t h = drawn.below(num_kv_heads * group);
  const auto head = [](const Tensor& x, std::size_t number) { return slice(x, 1, number, number + 1); };
  check_close(head(grouped.context, h), attention(head(query, h), head(key, h / group), head(value, h / group)).context,
              exact);
}

TEST_CASE("as many groups as heads is multi-head attention", "[kinds][grouped]") {
  const unsigned seed = GENERATE(range(0U, 20U));
  CAPTURE(seed);
  Drawn drawn(seed);
  const Shape shape = {drawn.size(), drawn.size(), drawn.size(), drawn.size()};
  const Tensor query = drawn.tensor(shape);
  const Tensor key = drawn.tensor(shape);
  const Tensor value = drawn.tensor(shape);
  check_close(grouped_attention(query, key, value).context, attention(query, key, value).context, exact);
}

TEST_CASE("grouped heads say what does not fit", "[kinds][grouped]") {
  CHECK_THROWS_WITH(repeat_heads(Tensor({2, 5, 8}), 5),
                    "grouped heads: num_heads (5) must be a multiple of num_kv_heads (2), so that every key head "
                    "serves as many query heads");
  CHECK_THROWS_WITH(repeat_heads(Tensor({5, 8}), 5), ContainsSubstring("[5, 8]: split_heads"));
  CHECK_THROWS_WITH(repeat_heads(Tensor({1, 0, 5, 8}), 5), ContainsSubstring("num_kv_heads (0)"));
  CHECK_THROWS_WITH(grouped_attention(Tensor({4, 3, 8}), Tensor({2, 3, 8}), Tensor({4, 3, 8})),
                    "grouped heads: key and value must have as many heads as each other, but key is [2, 3, 8] and "
                    "value is [4, 3, 8]");
  CHECK(repeat_heads(Tensor({2, 1, 5, 8}), 0).shape() == Shape{2, 0, 5, 8});
}

}  // namespace attn
