#include "attention/scaled_dot_product.hpp"

#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/softmax.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>
#include <utility>

namespace attn {

void check_attention_shapes(const Shape& query, const Shape& key, const Shape& value) {
  const auto refuse = [](const char* rule, const char* a, const Shape& x, const char* b, const Shape& y,
                         const char* advice) {
    throw std::invalid_argument(fmt::format("attention: {} and {} must {}, but {} is {} and {} is {}: {}", a, b, rule,
                                            a, to_string(x), b, to_string(y), advice));
  };
  const auto leading = [](const Shape& x) { return Shape(x.begin(), x.end() - 2); };

  for (const Shape* x : {&query, &key, &value}) {
    if (x->size() < 2) {
      throw std::invalid_argument(fmt::format(
          "attention: query, key and value are [.., seq_len, dim], but one is {}: a single token is [1, dim]",
          to_string(*x)));
    }
  }
  if (query.back() != key.back()) {
    refuse("have the same head_dim (last axis)", "query", query, "key", key,
           "project both to one head_dim, or look for a missing transpose");
  }
  if (query.back() == 0) {
    throw std::invalid_argument(
        fmt::format("attention: head_dim (last axis) must be at least 1, but query is {}", to_string(query)));
  }
  if (key[key.size() - 2] != value[value.size() - 2]) {
    refuse("have the same seq_len_kv (second last axis)", "key", key, "value", value,
           "every key hands over one value, so make both from the same tokens");
  }
  if (leading(query) != leading(key)) {
    refuse("have the same leading axes", "query", query, "key", key, "give both the same batch");
  }
  if (leading(key) != leading(value)) {
    refuse("have the same leading axes", "key", key, "value", value, "give both the same batch");
  }
}

AttentionSteps scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                            const Mask& mask, const Compute& compute) {
  check_attention_shapes(query.shape(), key.shape(), value.shape());
  const auto head_dim = static_cast<float>(query.dim(-1));

  Tensor scores = matmul_transposed(query, key, compute);     // Q K^T             [.., seq_len_q, seq_len_kv]
  Tensor scaled = scale(scores, 1.0F / std::sqrt(head_dim));  // / sqrt(head_dim)  [.., seq_len_q, seq_len_kv]
  Tensor masked = apply_mask(scaled, mask);                   // -inf where hidden [.., seq_len_q, seq_len_kv]
  Tensor weights = softmax(masked, /*axis=*/-1, compute);     // rows sum to 1     [.., seq_len_q, seq_len_kv]
  Tensor context = matmul(weights, value, compute);           // weights V         [.., seq_len_q, value_dim]

  return {.scores = std::move(scores),
          .scaled = std::move(scaled),
          .masked = std::move(masked),
          .weights = std::move(weights),
          .context = std::move(context)};
}

AttentionSteps scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                            const Compute& compute) {
  return scaled_dot_product_attention(query, key, value, no_mask(), compute);
}

}  // namespace attn
