#include "attention/kinds/alibi.hpp"

#include "tensor/elementwise.hpp"
#include "tensor/rearrange.hpp"

#include <fmt/core.h>

#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace attn {

namespace {

/// Slope h = 1, 2, .. of num_heads heads, num_heads a power of two.
double slope(std::size_t h, std::size_t num_heads) {
  return std::pow(2.0, -8.0 * static_cast<double>(h) / static_cast<double>(num_heads));
}

}  // namespace

Tensor alibi_slopes(std::size_t num_heads) {
  if (num_heads == 0) {
    throw std::invalid_argument("alibi_slopes: num_heads must be at least 1, not 0: try 4");
  }
  Tensor slopes({num_heads});
  const std::size_t below = std::bit_floor(num_heads);  // the largest power of two that is not larger
  for (std::size_t h = 0; h < below; ++h) slopes(h) = static_cast<float>(slope(h + 1, below));
  for (std::size_t h = below; h < num_heads; ++h) {
    const std::size_t every_second = 2 * (h - below) + 1;
    slopes(h) = static_cast<float>(slope(every_second, 2 * below));
  }
  return slopes;
}

Tensor alibi_distances(std::size_t seq_len_q, std::size_t seq_len_kv, std::size_t first) {
  Tensor distances({seq_len_q, seq_len_kv});
  for (std::size_t i = 0; i < seq_len_q; ++i) {
    for (std::size_t j = 0; j < seq_len_kv; ++j) {
      distances(i, j) = static_cast<float>(static_cast<double>(j) - static_cast<double>(first + i));
    }
  }
  return distances;
}

Tensor alibi_bias(const Tensor& slopes, const Tensor& distances) {
  if (slopes.rank() != 1) {
    throw std::invalid_argument(
        fmt::format("alibi_bias: slopes must be a list, one per head, not {}", to_string(slopes.shape())));
  }
  const Tensor per_head = reshape(slopes, {slopes.dim(0), 1, 1});
  return multiply(per_head, distances);  // [num_heads, seq_len_q, seq_len_kv]
}

AlibiSteps alibi_attention(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& slopes,
                           std::size_t first) {
  if (query.rank() < 3 || key.rank() < 2 || slopes.shape() != Shape{query.dim(-3)}) {
    throw std::invalid_argument(
        fmt::format("alibi: query must be [.., num_heads, seq_len, head_dim] and slopes [num_heads], but query is {}, "
                    "key is {} and "
                    "slopes is {}: split the heads first, and give each its slope",
                    to_string(query.shape()), to_string(key.shape()), to_string(slopes.shape())));
  }
  Tensor distances = alibi_distances(query.dim(-2), key.dim(-2), first);  // j - i
  Tensor bias = alibi_bias(slopes, distances);
  Tensor mask = distances;  // causal: a key ahead of its query is hidden
  for (float& x : mask.values()) x = x <= 0.0F ? 1.0F : 0.0F;
  AttentionSteps attention = scaled_dot_product_attention(query, key, value, {.keep = mask, .bias = bias});
  return {.distances = std::move(distances),
          .bias = std::move(bias),
          .mask = std::move(mask),
          .attention = std::move(attention)};
}

}  // namespace attn
