#include "attention/kinds/additive.hpp"

#include "attention/kinds/query_key_value.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/softmax.hpp"

#include <fmt/core.h>

#include <stdexcept>
#include <utility>

namespace attn {

namespace {

void check_weights(const Tensor& query, const Tensor& key, const AdditiveWeights& weights) {
  const Shape& W_query = weights.W_query.shape();
  const Shape& W_key = weights.W_key.shape();
  const Shape& v = weights.v.shape();
  if (W_query.size() != 2 || W_key.size() != 2 || v.size() != 1 || W_query[0] != v[0] || W_key[0] != v[0]) {
    throw std::invalid_argument(fmt::format(
        "additive attention: W_query must be [attention_dim, query_dim], W_key [attention_dim, key_dim] and v "
        "[attention_dim], but they are {}, {} and {}",
        to_string(W_query), to_string(W_key), to_string(v)));
  }
  if (W_query[1] != query.dim(-1)) {
    throw std::invalid_argument(fmt::format("additive attention: W_query {} takes queries of width {}, but query is {}",
                                            to_string(W_query), W_query[1], to_string(query.shape())));
  }
  if (W_key[1] != key.dim(-1)) {
    throw std::invalid_argument(fmt::format("additive attention: W_key {} takes keys of width {}, but key is {}",
                                            to_string(W_key), W_key[1], to_string(key.shape())));
  }
}

/// x with an axis of size 1 put in as axis `axis`, counted from the end of the result.
Tensor with_axis(const Tensor& x, std::size_t from_end) {
  Shape shape = x.shape();
  shape.insert(shape.end() - static_cast<std::ptrdiff_t>(from_end - 1), 1);
  return reshape(x, shape);
}

}  // namespace

AdditiveSteps additive_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                 const AdditiveWeights& weights, const Mask& mask, const Compute& compute) {
  check_query_key_value("additive attention", query, key, value);
  check_weights(query, key, weights);

  Tensor projected_query = linear(query, weights.W_query, compute);  // [.., seq_len_q,  attention_dim]
  Tensor projected_key = linear(key, weights.W_key, compute);        // [.., seq_len_kv, attention_dim]

  // Every query meets every key: [.., seq_len_q, 1, attention_dim] + [.., 1, seq_len_kv, attention_dim].
  Tensor sums = add(with_axis(projected_query, 2), with_axis(projected_key, 3));
  Tensor hidden = tanh(sums);  // [.., seq_len_q, seq_len_kv, attention_dim]

  // v as a linear map with one output, whose axis then goes.
  const Tensor v = reshape(weights.v, {1, weights.v.dim(0)});
  Shape scores_shape = hidden.shape();
  scores_shape.pop_back();
  Tensor scores = reshape(linear(hidden, v, compute), scores_shape);  // [.., seq_len_q, seq_len_kv]

  Tensor masked = apply_mask(scores, mask);
  Tensor attention_weights = softmax(masked, /*axis=*/-1, compute);
  Tensor context = matmul(attention_weights, value, compute);  // [.., seq_len_q, value_dim]

  return {.projected_query = std::move(projected_query),
          .projected_key = std::move(projected_key),
          .sums = std::move(sums),
          .hidden = std::move(hidden),
          .scores = std::move(scores),
          .masked = std::move(masked),
          .weights = std::move(attention_weights),
          .context = std::move(context)};
}

AdditiveSteps additive_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                 const AdditiveWeights& weights, const Compute& compute) {
  return additive_attention(query, key, value, weights, no_mask(), compute);
}

}  // namespace attn
