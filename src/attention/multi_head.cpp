#include "attention/multi_head.hpp"

#include "tensor/matmul.hpp"
#include "tensor/random.hpp"
#include "tensor/rearrange.hpp"

#include <fmt/core.h>

#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace attn {

namespace {

/// The divisors of d_model that are nearest to num_heads, below and above: "2 or 5" for 10 channels and 4 heads.
std::string nearest_divisors(std::size_t d_model, std::size_t num_heads) {
  std::size_t below = 0;
  std::size_t above = 0;
  for (std::size_t divisor = 1; divisor <= d_model; ++divisor) {
    if (d_model % divisor != 0) continue;
    if (divisor < num_heads) below = divisor;
    if (divisor > num_heads && above == 0) above = divisor;
  }
  return above == 0 ? fmt::format("{}", below) : fmt::format("{} or {}", below, above);
}

void check_shapes(const Tensor& query, const Tensor& key, const Tensor& value, const MultiHeadWeights& weights) {
  const auto require = [](bool holds, const char* rule, const char* a, const Shape& x, const char* b, const Shape& y) {
    if (holds) return;
    throw std::invalid_argument(
        fmt::format("multi-head attention: {}, but {} is {} and {} is {}", rule, a, to_string(x), b, to_string(y)));
  };
  const Shape& W_Q = weights.W_Q.shape();
  require(W_Q.size() == 2 && W_Q[0] == W_Q[1] && W_Q == weights.W_O.shape(),
          "all four weights must be [d_model, d_model]", "W_Q", W_Q, "W_O", weights.W_O.shape());
  require(W_Q == weights.W_K.shape() && W_Q == weights.W_V.shape(), "all four weights must be [d_model, d_model]",
          "W_K", weights.W_K.shape(), "W_V", weights.W_V.shape());
  require(weights.b_O.shape() == Shape{W_Q[0]}, "the bias must have one number per row of W_O", "W_O",
          weights.W_O.shape(), "b_O", weights.b_O.shape());

  const auto is_input = [&](const Tensor& x) { return x.rank() >= 2 && x.dim(-1) == W_Q[0]; };
  const auto leading = [](const Tensor& x) { return Shape(x.shape().begin(), x.shape().end() - 2); };
  const char* const last_axis = "inputs are [.., seq_len, d_model], d_model as in the weights";
  require(is_input(query), last_axis, "query", query.shape(), "W_Q", W_Q);
  require(is_input(key), last_axis, "key", key.shape(), "W_K", W_Q);
  require(is_input(value), last_axis, "value", value.shape(), "W_V", W_Q);
  require(key.shape() == value.shape(), "every key needs its value, so both come from the same tokens", "key",
          key.shape(), "value", value.shape());
  require(leading(query) == leading(key), "query and key must be of the same batch", "query", query.shape(), "key",
          key.shape());
}

/// A mask [.., seq_len_q, seq_len_kv] that says nothing of heads holds for each of them: it gets an axis of size 1
/// where scores [.., num_heads, seq_len_q, seq_len_kv] have their heads. Without it a batch mask would line up with the
/// heads.
Tensor for_every_head(const Tensor& mask, const Tensor& query, const Tensor& key) {
  if (mask.rank() > query.rank()) return mask;  // has a head axis already
  Shape one_head = query.shape();
  one_head.back() = key.dim(-2);
  require_mask_fits(mask.shape(), one_head);
  if (mask.rank() < query.rank()) return mask;  // has no batch axis, so nothing can line up wrongly

  Shape shape = mask.shape();
  shape.insert(shape.end() - 2, 1);
  return reshape(mask, shape);
}

Mask for_every_head(const Mask& mask, const Tensor& query, const Tensor& key) {
  Mask result;
  if (mask.keep) result.keep = for_every_head(*mask.keep, query, key);
  if (mask.bias) result.bias = for_every_head(*mask.bias, query, key);
  return result;
}

/// [.., a, b, c] -> [.., b, a, c].
Tensor swap_heads_and_tokens(const Tensor& x) {
  std::vector<int> order(x.rank());
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[x.rank() - 3], order[x.rank() - 2]);
  return permute(x, order);
}

}  // namespace

void check_num_heads(std::size_t d_model, std::size_t num_heads) {
  if (d_model == 0 || num_heads == 0) {
    throw std::invalid_argument(fmt::format(
        "d_model ({}) and num_heads ({}) must be at least 1: try d_model 16 and 4 heads", d_model, num_heads));
  }
  if (d_model % num_heads != 0) {
    throw std::invalid_argument(fmt::format("d_model ({}) must be divisible by num_heads ({}): try {}", d_model,
                                            num_heads, nearest_divisors(d_model, num_heads)));
  }
}

Tensor split_heads(const Tensor& x, std::size_t num_heads) {
  if (x.rank() < 2) {
    throw std::invalid_argument(
        fmt::format("split_heads: x must be [.., seq_len, d_model], not {}", to_string(x.shape())));
  }
  const std::size_t d_model = x.dim(-1);
  check_num_heads(d_model, num_heads);

  Shape cut = x.shape();
  cut.back() = num_heads;
  cut.push_back(d_model / num_heads);
  // Cut every token's channels first, then move the heads in front. One reshape straight to the final shape would have
  // the right sizes too, and would mix numbers of different tokens.
  const Tensor by_token = reshape(x, cut);  // [.., seq_len, num_heads, head_dim]
  return swap_heads_and_tokens(by_token);   // [.., num_heads, seq_len, head_dim]
}

Tensor merge_heads(const Tensor& x) {
  if (x.rank() < 3) {
    throw std::invalid_argument(
        fmt::format("merge_heads: x must be [.., num_heads, seq_len, head_dim], not {}", to_string(x.shape())));
  }
  const std::size_t d_model = x.dim(-3) * x.dim(-1);
  const Tensor by_token = swap_heads_and_tokens(x);  // [.., seq_len, num_heads, head_dim]
  Shape joined = by_token.shape();
  joined.pop_back();
  joined.back() = d_model;
  return reshape(by_token, joined);  // [.., seq_len, d_model]
}

MultiHeadSteps multi_head_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const MultiHeadWeights& weights, std::size_t num_heads, const Mask& mask,
                                    const Compute& compute) {
  check_shapes(query, key, value, weights);

  // 1. Three learned views of the inputs, each made from all d_model channels.
  Tensor Q = linear(query, weights.W_Q, compute);  // [.., seq_len_q,  d_model]
  Tensor K = linear(key, weights.W_K, compute);    // [.., seq_len_kv, d_model]
  Tensor V = linear(value, weights.W_V, compute);  // [.., seq_len_kv, d_model]

  // 2. Each head gets its own head_dim channels of them and attends, all heads at once.
  const Tensor Q_heads = split_heads(Q, num_heads);  // [.., num_heads, seq_len_q,  head_dim]
  const Tensor K_heads = split_heads(K, num_heads);  // [.., num_heads, seq_len_kv, head_dim]
  const Tensor V_heads = split_heads(V, num_heads);  // [.., num_heads, seq_len_kv, head_dim]
  AttentionSteps heads =
      scaled_dot_product_attention(Q_heads, K_heads, V_heads, for_every_head(mask, query, key), compute);

  // 3. The heads' contexts side by side, mixed by the output map.
  Tensor concat = merge_heads(heads.context);                         // [.., seq_len_q, d_model]
  Tensor output = linear(concat, weights.W_O, weights.b_O, compute);  // [.., seq_len_q, d_model]

  return {.Q = std::move(Q),
          .K = std::move(K),
          .V = std::move(V),
          .heads = std::move(heads),
          .concat = std::move(concat),
          .output = std::move(output)};
}

MultiHeadAttention::MultiHeadAttention(std::size_t d_model, std::size_t num_heads, Random& random)
    : num_heads_(num_heads) {
  check_num_heads(d_model, num_heads);
  weights_.W_Q = linear_weight(random, d_model, d_model);
  weights_.W_K = linear_weight(random, d_model, d_model);
  weights_.W_V = linear_weight(random, d_model, d_model);
  weights_.W_O = linear_weight(random, d_model, d_model);
  weights_.b_O = linear_bias(random, d_model, d_model);
}

MultiHeadAttention::MultiHeadAttention(std::size_t num_heads, MultiHeadWeights weights)
    : num_heads_(num_heads), weights_(std::move(weights)) {
  check_num_heads(d_model(), num_heads);
}

MultiHeadSteps MultiHeadAttention::forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                           const Mask& mask, const Compute& compute) const {
  return multi_head_attention(query, key, value, weights_, num_heads_, mask, compute);
}

}  // namespace attn
