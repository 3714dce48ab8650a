#pragma once

#include "attention/kinds/attention.hpp"
#include "attention/mask.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <optional>

namespace attn {

/// The parameters of PyTorch's nn.MultiheadAttention(embed_dim, num_heads). What is missing was switched off there.
struct TorchMultiheadWeights {
  Tensor W_Q;                         // [embed_dim, embed_dim]
  Tensor W_K;                         // [embed_dim, kdim]: keys may be of another width
  Tensor W_V;                         // [embed_dim, vdim]: and so may values
  std::optional<Tensor> b_Q = {};     // [embed_dim]
  std::optional<Tensor> b_K = {};     // [embed_dim]
  std::optional<Tensor> b_V = {};     // [embed_dim]
  Tensor W_O;                         // [embed_dim, embed_dim]
  std::optional<Tensor> b_O = {};     // [embed_dim]
  std::optional<Tensor> bias_k = {};  // [embed_dim]: one learned key more for every sentence (add_bias_kv)
  std::optional<Tensor> bias_v = {};  // [embed_dim]: and its value
};

/// PyTorch stacks what belongs to query, key and value: in_proj_weight [3 * embed_dim, embed_dim], in_proj_bias
/// [3 * embed_dim]. Here they are one by one.
struct InProjection {
  Tensor query;
  Tensor key;
  Tensor value;
};

/// Throws std::invalid_argument, naming the shape, unless the first axis falls into three equal parts.
[[nodiscard]] InProjection split_in_proj(const Tensor& stacked);

/// What a call of the module may say besides its inputs.
struct TorchMultiheadOptions {
  std::size_t num_heads = 1;
  /// [seq_len_q, seq_len_kv], or [batch * num_heads, seq_len_q, seq_len_kv], or with those two axes apart. Make it with
  /// hide_where where it comes from PyTorch as True and False, with added where as numbers.
  Mask attn_mask = no_mask();
  Mask key_padding = no_mask();  // [batch, seq_len_kv], likewise; [seq_len_kv] without a batch
  bool add_zero_attn = false;    // one key and one value of zeros more for every head
  EmptyRows empty_rows = EmptyRows::nan;
  std::optional<Dropout> dropout = std::nullopt;
  Compute compute = {};  // how products are computed
};

/// Every step of the module.
struct TorchMultiheadSteps {
  Tensor Q;                 // query W_Q^T + b_Q                [.., seq_len_q,  embed_dim]
  Tensor K;                 // key W_K^T + b_K, added keys last [.., seq_len_kv, embed_dim]
  Tensor V;                 // value W_V^T + b_V, likewise      [.., seq_len_kv, embed_dim]
  Mask mask;                // attn_mask and key_padding in one; broadcasts to the heads' scores
  FamilySteps heads;        // all heads at once, scores etc.   [.., num_heads, seq_len_q, seq_len_kv]
  Tensor averaged_weights;  // mean over the heads of dropped   [.., seq_len_q, seq_len_kv]
  Tensor concat;            // the heads' contexts side by side [.., seq_len_q, embed_dim]
  Tensor output;            // concat W_O^T + b_O               [.., seq_len_q, embed_dim]
};

/// Multi-head attention as PyTorch's module computes it (batch_first): output = Concat(head_1, ..) W_O^T + b_O.
///
///   query    [seq_len_q,  embed_dim] or [batch, seq_len_q,  embed_dim]
///   key      [seq_len_kv, kdim]      or [batch, seq_len_kv, kdim]
///   value    [seq_len_kv, vdim]      or [batch, seq_len_kv, vdim]
///   returns  all steps; PyTorch's attn_output_weights are averaged_weights, or heads.dropped (average_attn_weights
///            False), both after dropout, as there
///
/// Throws std::invalid_argument, with the values, when num_heads does not divide embed_dim or shapes disagree.
/// Source: PyTorch 1.13, torch.nn.MultiheadAttention; Vaswani et al. 2017, section 3.2.2.
[[nodiscard]] TorchMultiheadSteps torch_multihead_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                                            const TorchMultiheadWeights& weights,
                                                            const TorchMultiheadOptions& options);

}  // namespace attn
