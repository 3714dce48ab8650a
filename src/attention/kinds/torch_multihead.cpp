#include "attention/kinds/torch_multihead.hpp"

#include "attention/kinds/masks.hpp"
#include "attention/multi_head.hpp"
#include "tensor/matmul.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"

#include <fmt/core.h>

#include <stdexcept>
#include <utility>

namespace attn {

namespace {

void require(bool holds, const char* rule, const char* a, const Shape& x, const char* b, const Shape& y) {
  if (holds) return;
  throw std::invalid_argument(
      fmt::format("nn.MultiheadAttention: {}, but {} is {} and {} is {}", rule, a, to_string(x), b, to_string(y)));
}

void check_shapes(const Tensor& query, const Tensor& key, const Tensor& value, const TorchMultiheadWeights& weights) {
  const auto is_batch = [](const Tensor& x) { return x.rank() == 2 || x.rank() == 3; };
  const auto leading = [](const Tensor& x) { return Shape(x.shape().begin(), x.shape().end() - 2); };
  require(is_batch(query) && query.rank() == key.rank() && leading(query) == leading(key),
          "query and key are [seq_len, dim] or [batch, seq_len, dim], of the same batch", "query", query.shape(), "key",
          key.shape());
  require(key.rank() == value.rank() && leading(key) == leading(value) && key.dim(-2) == value.dim(-2),
          "every key needs its value", "key", key.shape(), "value", value.shape());

  const Shape& W_Q = weights.W_Q.shape();
  const Shape& W_O = weights.W_O.shape();
  require(W_Q.size() == 2 && W_Q[0] == W_Q[1] && W_Q == W_O, "both weights must be [embed_dim, embed_dim]", "W_Q", W_Q,
          "W_O", W_O);
  const std::size_t embed_dim = W_Q[0];
  const auto is_map_from = [&](const Tensor& weight, const Tensor& x) {
    return weight.shape() == Shape{embed_dim, x.dim(-1)};
  };
  require(is_map_from(weights.W_Q, query), "W_Q must be [embed_dim, last axis of query]", "W_Q", W_Q, "query",
          query.shape());
  require(is_map_from(weights.W_K, key), "W_K must be [embed_dim, last axis of key]", "W_K", weights.W_K.shape(), "key",
          key.shape());
  require(is_map_from(weights.W_V, value), "W_V must be [embed_dim, last axis of value]", "W_V", weights.W_V.shape(),
          "value", value.shape());

  if (weights.bias_k.has_value() != weights.bias_v.has_value()) {
    throw std::invalid_argument(
        fmt::format("nn.MultiheadAttention: bias_k and bias_v go together, but only {} is given",
                    weights.bias_k ? "bias_k" : "bias_v"));
  }
}

/// x with one token more at its end, the same in every sentence: [.., seq_len, embed_dim] -> [.., seq_len + 1, ..].
Tensor append_token(const Tensor& x, const Tensor& token) {
  require(token.size() == x.dim(-1), "an added key or value has embed_dim numbers", "it", token.shape(), "the others",
          x.shape());
  Shape one_token = x.shape();
  one_token[one_token.size() - 2] = 1;
  Tensor repeated(one_token);
  for (std::size_t n = 0; n < repeated.size(); ++n) repeated.values()[n] = token.values()[n % token.size()];
  return concat({x, repeated}, -2);
}

/// A mask's table, with as many columns more as there are added keys, filled with what lets a key be seen.
Tensor append_keys(const Tensor& table, std::size_t added_keys, float seen) {
  if (added_keys == 0) return table;
  Shape columns = table.shape();
  columns.back() = added_keys;
  return concat({table, Tensor(columns, seen)}, -1);
}

/// Does the same to both tables of a mask.
template <typename Change>
Mask with_tables(const Mask& mask, Change change) {
  Mask changed;
  if (mask.keep) changed.keep = change(*mask.keep, /*seen=*/1.0F);
  if (mask.bias) changed.bias = change(*mask.bias, /*seen=*/0.0F);
  return changed;
}

}  // namespace

InProjection split_in_proj(const Tensor& stacked) {
  if (stacked.rank() == 0 || stacked.dim(0) % 3 != 0) {
    throw std::invalid_argument(
        fmt::format("split_in_proj: in_proj stacks query, key and value along its first axis, [3 * embed_dim, ..], and "
                    "so cannot be {}",
                    to_string(stacked.shape())));
  }
  const std::size_t embed_dim = stacked.dim(0) / 3;
  return {.query = slice(stacked, 0, 0, embed_dim),
          .key = slice(stacked, 0, embed_dim, 2 * embed_dim),
          .value = slice(stacked, 0, 2 * embed_dim, 3 * embed_dim)};
}

TorchMultiheadSteps torch_multihead_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                              const TorchMultiheadWeights& weights,
                                              const TorchMultiheadOptions& options) {
  check_shapes(query, key, value, weights);
  check_num_heads(weights.W_Q.dim(0), options.num_heads);
  const std::size_t seq_len_kv = key.dim(-2);
  const bool has_batch = query.rank() == 3;

  // 1. Three learned views of the inputs, and the keys and values that come with the module.
  Tensor Q = linear(query, weights.W_Q, weights.b_Q, options.compute);  // [.., seq_len_q,  embed_dim]
  Tensor K = linear(key, weights.W_K, weights.b_K, options.compute);    // [.., seq_len_kv, embed_dim]
  Tensor V = linear(value, weights.W_V, weights.b_V, options.compute);  // [.., seq_len_kv, embed_dim]
  if (weights.bias_k) {
    K = append_token(K, *weights.bias_k);
    V = append_token(V, *weights.bias_v);
  }
  if (options.add_zero_attn) {
    const Tensor zeros({K.dim(-1)});
    K = append_token(K, zeros);
    V = append_token(V, zeros);
  }

  // 2. Both masks, lined up with scores [batch, num_heads, seq_len_q, seq_len_kv]. Added keys are always seen.
  const std::size_t added_keys = K.dim(-2) - seq_len_kv;
  const Mask attn_mask = with_tables(options.attn_mask, [&](const Tensor& table, float seen) {
    const Tensor all_keys = append_keys(table, added_keys, seen);
    if (!has_batch || all_keys.rank() != 3) return all_keys;
    // PyTorch runs batch and heads together in one axis.
    const Shape apart = {query.dim(0), options.num_heads, all_keys.dim(-2), all_keys.dim(-1)};
    require(all_keys.dim(0) == apart[0] * apart[1], "attn_mask must be [batch * num_heads, seq_len_q, seq_len_kv]",
            "attn_mask", table.shape(), "batch and heads apart", apart);
    return reshape(all_keys, apart);
  });
  const Mask key_padding = with_tables(options.key_padding, [&](const Tensor& table, float seen) {
    const Shape expected = has_batch ? Shape{key.dim(0), seq_len_kv} : Shape{seq_len_kv};
    require(table.shape() == expected, "key_padding must be [batch, seq_len_kv], as the keys are", "key_padding",
            table.shape(), "key", key.shape());
    const Tensor all_keys = append_keys(table, added_keys, seen);
    return has_batch ? reshape(all_keys, {key.dim(0), 1, 1, K.dim(-2)}) : all_keys;
  });
  Mask mask = combine_masks(attn_mask, key_padding);

  // 3. Each head attends with its own head_dim channels.
  FamilySteps heads = attention(
      split_heads(Q, options.num_heads), split_heads(K, options.num_heads), split_heads(V, options.num_heads),
      {.mask = mask, .empty_rows = options.empty_rows, .dropout = options.dropout, .compute = options.compute});
  Tensor averaged_weights = mean(heads.dropped, -3);  // [.., seq_len_q, seq_len_kv]

  // 4. The heads' contexts side by side, mixed by the output map.
  Tensor concat = merge_heads(heads.context);
  Tensor output = linear(concat, weights.W_O, weights.b_O, options.compute);

  return {.Q = std::move(Q),
          .K = std::move(K),
          .V = std::move(V),
          .mask = std::move(mask),
          .heads = std::move(heads),
          .averaged_weights = std::move(averaged_weights),
          .concat = std::move(concat),
          .output = std::move(output)};
}

}  // namespace attn
