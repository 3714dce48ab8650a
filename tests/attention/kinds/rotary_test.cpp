#include "attention/kinds/rotary.hpp"

#include "attention/kinds/drawn.hpp"
#include "attention/kinds/onnx_rotary.hpp"
#include "attention/multi_head.hpp"
#include "catch.hpp"
#include "check_close.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/random.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace attn {

namespace {

constexpr Tolerance exact{};
const float nan = std::numeric_limits<float>::quiet_NaN();

/// Random options for a head_dim of at least 1: any layout, all or some of the channels.
RotaryOptions random_options(Drawn& drawn, std::size_t head_dim) {
  const std::size_t widest = head_dim - head_dim % 2;
  const bool all = head_dim % 2 == 0 && drawn.below(2) == 0;
  return {.layout = drawn.below(2) == 0 ? RotaryLayout::interleaved : RotaryLayout::halves,
          .rotary_dim = all || widest == 0 ? 0 : 2 * (1 + drawn.below(widest / 2)),
          .base = drawn.below(2) == 0 ? 10000.0 : 100.0};
}

std::size_t random_head_dim(Drawn& drawn) {
  const std::size_t odd_or_even = drawn.size();
  return odd_or_even == 1 ? 2 : odd_or_even;  // one channel alone cannot turn
}

/// Channel d of each token alone, moved to where the other layout has it: 0 2 4 .. 1 3 5 ..
Tensor neighbours_apart(const Tensor& x) {
  std::vector<Tensor> channels;
  for (std::size_t start : {0U, 1U}) {
    for (std::size_t d = start; d < x.dim(-1); d += 2) channels.push_back(slice(x, -1, d, d + 1));
  }
  return concat(channels, -1);
}

}  // namespace

TEST_CASE("a pair at place 1 turns by 1 radian, the next by 1 / base^(2/4)", "[rotary]") {
  // Of head_dim 4 and base 100 the second pair turns by 1 / 100^(1/2) = 0.1.
  const Tensor x = Tensor::matrix({{1, 0, 0, 2}});
  const RotarySteps steps = rotary_embedding(x, Tensor::vector({1}), {.base = 100.0});
  check_close(steps.table.angles, Tensor::matrix({{1.0F, 0.1F}}), exact);
  const auto cosine = [](double angle) { return static_cast<float>(std::cos(angle)); };
  const auto sine = [](double angle) { return static_cast<float>(std::sin(angle)); };
  check_close(steps.rotated, Tensor::matrix({{cosine(1), sine(1), -2 * sine(0.1), 2 * cosine(0.1)}}),
              {.atol = 1e-7, .rtol = 0.0});
  // In halves, channels 0 and 2 turn by 1, channels 1 and 3 by 0.1.
  const Tensor halves =
      rotary_embedding(x, Tensor::vector({1}), {.layout = RotaryLayout::halves, .base = 100.0}).rotated;
  check_close(halves, Tensor::matrix({{cosine(1), -2 * sine(0.1), sine(1), 2 * cosine(0.1)}}),
              {.atol = 1e-7, .rtol = 0.0});
}

TEST_CASE("place 0 turns nothing", "[rotary][law]") {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    Drawn drawn(seed);
    const std::size_t head_dim = random_head_dim(drawn);
    const Tensor x = Random(seed).normal({drawn.size(), drawn.size(), head_dim});
    const RotaryOptions options = random_options(drawn, head_dim % 2 == 0 ? head_dim : head_dim - 1);
    const RotaryOptions even{.layout = options.layout,
                             .rotary_dim = options.rotary_dim == 0 ? head_dim - head_dim % 2 : options.rotary_dim,
                             .base = options.base};
    check_close(rotary_embedding(x, Tensor({x.dim(1)}), even).rotated, x, exact);
  }
}

TEST_CASE("rotary scores depend on the distance of two tokens only: shifting all places changes none",
          "[rotary][law]") {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    Drawn drawn(seed);
    Random random(seed);
    const std::size_t head_dim = random_head_dim(drawn);
    RotaryOptions options = random_options(drawn, head_dim);
    if (options.rotary_dim == 0 && head_dim % 2 != 0) options.rotary_dim = head_dim - 1;
    const std::size_t heads = drawn.size();
    const Tensor query = random.normal({heads, drawn.size(), head_dim});
    const Tensor key = random.normal({heads, drawn.size(), head_dim});
    const auto scores = [&](std::size_t first) {
      const Tensor turned_query = rotary_embedding(query, consecutive_positions(query.dim(1), first), options).rotated;
      const Tensor turned_key = rotary_embedding(key, consecutive_positions(key.dim(1), first), options).rotated;
      return matmul_transposed(turned_query, turned_key);
    };
    const std::size_t shift = 1 + drawn.below(1000);
    CAPTURE(shift, head_dim, options.rotary_dim);
    check_close(scores(shift), scores(0), {.atol = 2e-5, .rtol = 1e-5});  // 17 products of rounded turns
    // And it is the rotation that makes them depend on the distance.
    if (query.dim(1) > 1) CHECK(largest_difference(scores(0), matmul_transposed(query, key)).largest > 1e-4);
  }
}

TEST_CASE("turning changes no token's length", "[rotary][law]") {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    Drawn drawn(seed);
    const std::size_t head_dim = random_head_dim(drawn);
    RotaryOptions options = random_options(drawn, head_dim);
    if (options.rotary_dim == 0 && head_dim % 2 != 0) options.rotary_dim = head_dim - 1;
    const Tensor x = Random(seed).normal({drawn.size(), head_dim});
    const Tensor turned = rotary_embedding(x, consecutive_positions(x.dim(0), 3), options).rotated;
    check_close(sum(multiply(turned, turned), -1), sum(multiply(x, x), -1), {.atol = 1e-6, .rtol = 1e-6});
    // Channels that do not turn stay bit for bit.
    const std::size_t still = options.rotary_dim == 0 ? head_dim : options.rotary_dim;
    check_close(slice(turned, -1, still, head_dim), slice(x, -1, still, head_dim), exact);
  }
}

TEST_CASE("the two layouts are one rotation with the channels renamed", "[rotary][law]") {
  for (const std::size_t head_dim : {2U, 4U, 6U, 10U, 14U}) {
    CAPTURE(head_dim);
    const Tensor x = Random(head_dim).normal({3, 5, head_dim});
    const Tensor places = consecutive_positions(5, 2);
    const Tensor neighbours = rotary_embedding(x, places, {.layout = RotaryLayout::interleaved}).rotated;
    const Tensor halves = rotary_embedding(neighbours_apart(x), places, {.layout = RotaryLayout::halves}).rotated;
    check_close(halves, neighbours_apart(neighbours), exact);
    if (head_dim > 2) {  // and not the same thing under one naming
      const Tensor mixed_up = rotary_embedding(x, places, {.layout = RotaryLayout::halves}).rotated;
      CHECK(largest_difference(mixed_up, neighbours).largest > 0.01);
    }
  }
}

TEST_CASE("each sentence of a batch may have its own places, over all heads", "[rotary]") {
  const Tensor x = Random(5).normal({2, 3, 5, 4});
  const Tensor places = Tensor({2, 1, 5}, std::vector<float>{0, 1, 2, 3, 4, 10, 11, 12, 13, 14});
  const Tensor turned = rotary_embedding(x, places).rotated;
  const Tensor second = slice(x, 0, 1, 2);
  check_close(slice(turned, 0, 1, 2), rotary_embedding(second, consecutive_positions(5, 10)).rotated, exact);
}

TEST_CASE("the edges of rotary positions: no token, one channel that stays, huge places, NaN", "[rotary]") {
  CHECK(rotary_embedding(Tensor({0, 4}), Tensor({0})).rotated.shape() == Shape{0, 4});
  CHECK(rotary_embedding(Tensor({3, 0}), Tensor({3})).rotated.shape() == Shape{3, 0});
  const Tensor huge = rotary_embedding(Tensor::matrix({{3, 4}}), Tensor::vector({1e30F})).rotated;
  CHECK_THAT(std::hypot(huge(0, 0), huge(0, 1)), WithinAbs(5.0, 1e-5));
  const Tensor undefined = rotary_embedding(Tensor::matrix({{nan, 1, 2, 3}}), Tensor::vector({1})).rotated;
  CHECK(std::isnan(undefined(0, 0)));
  CHECK(std::isnan(undefined(0, 1)));
  CHECK(std::isfinite(undefined(0, 2)));
}

TEST_CASE("places are whole numbers that a float holds, or are refused", "[rotary]") {
  CHECK(consecutive_positions(3, (1 << 24) - 3).values() == std::vector<float>{16777213, 16777214, 16777215});
  CHECK_THROWS_WITH(consecutive_positions(4, (1 << 24) - 3), ContainsSubstring("4 tokens from place 16777213"));
  CHECK_THROWS_WITH(consecutive_positions(1, std::numeric_limits<std::size_t>::max()), ContainsSubstring("16777216"));
}

TEST_CASE("rotary positions refuse what does not fit, naming it", "[rotary]") {
  CHECK_THROWS_WITH(
      rotary_embedding(Tensor({3, 5}), Tensor({3})),
      "rotary: head_dim (5) is odd, but channels turn in pairs: give rotary_dim 4 to leave the last as it "
      "is");
  CHECK_THROWS_WITH(rotary_embedding(Tensor({3, 6}), Tensor({3}), {.rotary_dim = 3}),
                    "rotary: rotary_dim (3) is odd, but channels turn in pairs: try 2");
  CHECK_THROWS_WITH(
      rotary_embedding(Tensor({3, 6}), Tensor({3}), {.rotary_dim = 8}),
      "rotary: rotary_dim (8) is more than head_dim (6) of x [3, 6]: no more channels can turn than there "
      "are");
  CHECK_THROWS_WITH(rotary_embedding(Tensor({6}), Tensor({1})),
                    "rotary: x must be [.., seq_len, head_dim], not [6]: a single token is [1, head_dim]");
  CHECK_THROWS_WITH(rotary_embedding(Tensor({2, 3, 6}), Tensor({5})),
                    "rotary: cos and sin are [5, 3] and do not broadcast to [2, 3, 3], the 3 pairs of each token of x "
                    "[2, 3, 6]: give one place per token, and an axis of size 1 where the heads are");
  CHECK_THROWS_WITH(rotary_embedding(Tensor({3, 6}), Tensor({3}), {.base = 0.0}),
                    "rotary: base must be a number above 0, not 0: try 10000");
  CHECK_THROWS_WITH(rotate(Tensor({3, 4}), Tensor({3, 3}), Tensor({3, 3}), RotaryLayout::halves),
                    "rotary: cos and sin must be [.., seq_len, rotary_dim / 2] with rotary_dim at most head_dim, but x "
                    "is [3, 4], cos is [3, 3] and sin is [3, 3]");
}

TEST_CASE("ONNX's operator with cosines of the usual angles is the rotary embedding", "[rotary][onnx]") {
  for (const bool interleaved : {false, true}) {
    CAPTURE(interleaved);
    const Tensor x = Random(7).normal({2, 3, 5, 6});  // [batch, num_heads, seq_len, head_dim]
    const RotaryTable table = rotary_table(consecutive_positions(20), 4);
    const Tensor ids = Tensor({2, 5}, std::vector<float>{0, 1, 2, 3, 4, 9, 8, 7, 0, 19});
    const OnnxRotaryOptions options{.interleaved = interleaved, .rotary_embedding_dim = 4};
    const Tensor ours = onnx_rotary_embedding(x, table.cos, table.sin, ids, options);
    const RotaryLayout layout = interleaved ? RotaryLayout::interleaved : RotaryLayout::halves;
    check_close(ours, rotary_embedding(x, reshape(ids, {2, 1, 5}), {.layout = layout, .rotary_dim = 4}).rotated, exact);

    // The same numbers with the heads side by side.
    const Tensor side_by_side = merge_heads(x);  // [batch, seq_len, num_heads * head_dim]
    const OnnxRotaryOptions with_heads{.interleaved = interleaved, .num_heads = 3, .rotary_embedding_dim = 4};
    check_close(onnx_rotary_embedding(side_by_side, table.cos, table.sin, ids, with_heads), merge_heads(ours), exact);
  }
}

TEST_CASE("ONNX's operator refuses what does not fit, naming it", "[rotary][onnx]") {
  const Tensor cache({20, 2});
  CHECK_THROWS_WITH(onnx_rotary_embedding(Tensor({2, 5, 12}), cache, cache, Tensor({2, 5})),
                    "RotaryEmbedding: an input of three axes, [2, 5, 12], needs the attribute num_heads, at least 1");
  CHECK_THROWS_WITH(onnx_rotary_embedding(Tensor({5, 12}), cache, cache, Tensor({2, 5})),
                    ContainsSubstring("not [5, 12]"));
  CHECK_THROWS_WITH(onnx_rotary_embedding(Tensor({2, 3, 5, 4}), cache, cache),
                    "RotaryEmbedding: cos_cache is [20, 2]: with position_ids it is [max_positions, rotary_dim / 2], "
                    "without them [batch, seq_len, rotary_dim / 2]");
  CHECK_THROWS_WITH(
      onnx_rotary_embedding(Tensor({2, 3, 5, 4}), cache, cache, Tensor({2, 3})),
      "RotaryEmbedding: position_ids is [2, 3] and must be [batch, seq_len] = [2, 5]: one place per token");
  CHECK_THROWS_WITH(
      onnx_rotary_embedding(Tensor({2, 3, 5, 6}), cache, cache, Tensor({2, 5})),
      "RotaryEmbedding: 6 channels of each head turn, so cos_cache and sin_cache need 3, but cos_cache is "
      "[20, 2]: an even number of channels, and one cosine for each two of them");
  CHECK_THROWS_AS(onnx_rotary_embedding(Tensor({2, 3, 5, 4}), cache, cache, Tensor({2, 5}, 20.0F)),
                  std::invalid_argument);  // the cache has rows 0 to 19
}

}  // namespace attn
