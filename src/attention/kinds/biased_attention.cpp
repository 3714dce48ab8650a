#include "attention/kinds/biased_attention.hpp"

#include "attention/kinds/query_key_value.hpp"
#include "tensor/matmul.hpp"
#include "tensor/rearrange.hpp"

#include <fmt/core.h>

#include <stdexcept>
#include <utility>

namespace attn {

namespace {

void check_weights(const Tensor& query, const Tensor& key, const Tensor& value, const BiasedAttentionWeights& weights) {
  const Shape& W_Q = weights.W_Q.shape();
  const bool square = W_Q.size() == 2 && W_Q[0] == W_Q[1];
  for (const Tensor* weight : {&weights.W_Q, &weights.W_K, &weights.W_V, &weights.W_O}) {
    if (square && weight->shape() == W_Q) continue;
    throw std::invalid_argument(
        fmt::format("attention with biases: all four weights must be [d_model, d_model], but W_Q is {} and one is {}",
                    to_string(W_Q), to_string(weight->shape())));
  }
  for (const Tensor* bias : {&weights.b_Q, &weights.b_K, &weights.b_V, &weights.b_O}) {
    if (bias->shape() == Shape{W_Q[0]}) continue;
    throw std::invalid_argument(
        fmt::format("attention with biases: all four biases must be [d_model] = [{}], but one is {}", W_Q[0],
                    to_string(bias->shape())));
  }
  for (const Tensor* x : {&query, &key, &value}) {
    if (x->dim(-1) == W_Q[0]) continue;
    throw std::invalid_argument(
        fmt::format("attention with biases: inputs are [.., seq_len, d_model], d_model as in W_Q {}, but one is {}",
                    to_string(W_Q), to_string(x->shape())));
  }
}

/// A mask that has a batch axis, as the inputs have, holds for every head: it gets an axis of size 1 where scores have
/// their heads. Without it the batch would line up with the heads.
Tensor for_every_head(const Tensor& mask, const Tensor& query, const Tensor& key) {
  if (mask.rank() > query.rank()) return mask;
  Shape one_head = query.shape();
  one_head.back() = key.dim(-2);
  require_mask_fits(mask.shape(), one_head);
  if (mask.rank() < query.rank()) return mask;
  Shape shape = mask.shape();
  shape.insert(shape.end() - 2, 1);
  return reshape(mask, shape);
}

}  // namespace

BiasedAttentionWeights from_in_projection(const Tensor& in_proj_weight, const Tensor& in_proj_bias,
                                          const Tensor& out_proj_weight, const Tensor& out_proj_bias) {
  const Shape& out = out_proj_weight.shape();
  if (out.size() != 2 || in_proj_weight.shape() != Shape{3 * out[1], out[1]} ||
      in_proj_bias.shape() != Shape{3 * out[1]}) {
    throw std::invalid_argument(
        fmt::format("attention with biases: in_proj_weight must be [3 d_model, d_model] and in_proj_bias [3 d_model], "
                    "but they are {} and {}, and out_proj_weight is {}",
                    to_string(in_proj_weight.shape()), to_string(in_proj_bias.shape()), to_string(out)));
  }
  const std::size_t d_model = out[1];
  const auto third = [&](const Tensor& x, std::size_t which) {
    return slice(x, /*axis=*/0, which * d_model, (which + 1) * d_model);
  };
  return {.W_Q = third(in_proj_weight, 0),
          .b_Q = third(in_proj_bias, 0),
          .W_K = third(in_proj_weight, 1),
          .b_K = third(in_proj_bias, 1),
          .W_V = third(in_proj_weight, 2),
          .b_V = third(in_proj_bias, 2),
          .W_O = out_proj_weight,
          .b_O = out_proj_bias};
}

MultiHeadSteps biased_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                const BiasedAttentionWeights& weights, std::size_t num_heads, const Mask& mask) {
  check_query_key_value("attention with biases", query, key, value);
  check_weights(query, key, value, weights);
  Mask heads_mask;
  if (mask.keep) heads_mask.keep = for_every_head(*mask.keep, query, key);
  if (mask.bias) heads_mask.bias = for_every_head(*mask.bias, query, key);

  Tensor Q = linear(query, weights.W_Q, weights.b_Q);  // [.., seq_len_q,  d_model]
  Tensor K = linear(key, weights.W_K, weights.b_K);    // [.., seq_len_kv, d_model]
  Tensor V = linear(value, weights.W_V, weights.b_V);  // [.., seq_len_kv, d_model]

  AttentionSteps heads = scaled_dot_product_attention(split_heads(Q, num_heads), split_heads(K, num_heads),
                                                      split_heads(V, num_heads), heads_mask);

  Tensor concat = merge_heads(heads.context);                // [.., seq_len_q, d_model]
  Tensor output = linear(concat, weights.W_O, weights.b_O);  // [.., seq_len_q, d_model]
  return {.Q = std::move(Q),
          .K = std::move(K),
          .V = std::move(V),
          .heads = std::move(heads),
          .concat = std::move(concat),
          .output = std::move(output)};
}

}  // namespace attn
