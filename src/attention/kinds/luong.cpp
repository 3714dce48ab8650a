#include "attention/kinds/luong.hpp"

#include "attention/kinds/query_key_value.hpp"
#include "tensor/matmul.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/softmax.hpp"

#include <fmt/core.h>

#include <stdexcept>
#include <utility>

namespace attn {

namespace {

/// From a query that is as wide as the keys.
MultiplicativeSteps attend(Tensor projected_query, const Tensor& key, const Tensor& value, const Mask& mask,
                           const Compute& compute) {
  Tensor scores = matmul_transposed(projected_query, key, compute);  // [.., seq_len_q, seq_len_kv]
  Tensor masked = apply_mask(scores, mask);
  Tensor weights = softmax(masked, /*axis=*/-1, compute);
  Tensor context = matmul(weights, value, compute);  // [.., seq_len_q, value_dim]
  return {.projected_query = std::move(projected_query),
          .scores = std::move(scores),
          .masked = std::move(masked),
          .weights = std::move(weights),
          .context = std::move(context)};
}

}  // namespace

MultiplicativeSteps luong_dot(const Tensor& query, const Tensor& key, const Tensor& value, const Mask& mask,
                              const Compute& compute) {
  check_query_key_value("luong_dot", query, key, value);
  if (query.dim(-1) != key.dim(-1)) {
    throw std::invalid_argument(
        fmt::format("luong_dot: query and key must have the same width (last axis), but query is {} and key is {}: use "
                    "luong_general, whose W lies between two widths",
                    to_string(query.shape()), to_string(key.shape())));
  }
  return attend(query, key, value, mask, compute);
}

MultiplicativeSteps luong_dot(const Tensor& query, const Tensor& key, const Tensor& value, const Compute& compute) {
  return luong_dot(query, key, value, no_mask(), compute);
}

MultiplicativeSteps luong_general(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& W,
                                  const Mask& mask, const Compute& compute) {
  check_query_key_value("luong_general", query, key, value);
  if (W.shape() != Shape{query.dim(-1), key.dim(-1)}) {
    throw std::invalid_argument(fmt::format(
        "luong_general: W must be [query_dim, key_dim] = [{}, {}], but it is {} (query is {}, key is {})",
        query.dim(-1), key.dim(-1), to_string(W.shape()), to_string(query.shape()), to_string(key.shape())));
  }
  return attend(matmul(query, W, compute), key, value, mask, compute);
}

AdditiveSteps luong_concat(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& W,
                           const Tensor& v, const Mask& mask, const Compute& compute) {
  check_query_key_value("luong_concat", query, key, value);
  const std::size_t query_dim = query.dim(-1);
  const std::size_t key_dim = key.dim(-1);
  if (W.rank() != 2 || W.dim(1) != query_dim + key_dim) {
    throw std::invalid_argument(
        fmt::format("luong_concat: W must be [attention_dim, query_dim + key_dim] = [attention_dim, {}], but it is {} "
                    "(query is {}, "
                    "key is {})",
                    query_dim + key_dim, to_string(W.shape()), to_string(query.shape()), to_string(key.shape())));
  }
  return additive_attention(query, key, value,
                            {.W_query = slice(W, /*axis=*/1, 0, query_dim),
                             .W_key = slice(W, /*axis=*/1, query_dim, query_dim + key_dim),
                             .v = v},
                            mask, compute);
}

}  // namespace attn
