#pragma once

#include "attention/kinds/dropout.hpp"
#include "attention/kinds/empty_rows.hpp"
#include "attention/kinds/softmax_precision.hpp"
#include "attention/mask.hpp"
#include "tensor/compute.hpp"
#include "tensor/tensor.hpp"

#include <optional>

namespace attn {

/// What may differ from plain scaled dot-product attention. Each left alone means: as in the paper.
/// What is no option is composed: masks are made before (masks.hpp), heads repeated before (grouped_heads.hpp), a cache
/// joined before (cache.hpp), positions rotated before.
struct AttentionOptions {
  Mask mask = no_mask();
  std::optional<float> scale = std::nullopt;      // in place of 1 / sqrt(head_dim)
  std::optional<float> soft_cap = std::nullopt;   // scores never pass +-soft_cap; see soft_cap.hpp
  EmptyRows empty_rows = EmptyRows::nan;          // the weights of a query that may see no key
  std::optional<Dropout> dropout = std::nullopt;  // of the weights; draw_dropout draws it, and none outside training
  Precision softmax_precision = Precision::float32;
  Compute compute = {};  // how products are computed
};

/// Every step of attention with options, in the order in which they are computed. A step whose option is left alone is
/// the step before it.
struct FamilySteps {
  Tensor scores;   // Q K^T                                    [.., seq_len_q, seq_len_kv]
  Tensor scaled;   // scores * scale                           [.., seq_len_q, seq_len_kv]
  Tensor capped;   // soft_cap * tanh(scaled / soft_cap)       [.., seq_len_q, seq_len_kv]
  Tensor masked;   // capped + bias, -inf at hidden keys       [.., seq_len_q, seq_len_kv]
  Tensor weights;  // softmax(masked), empty rows as chosen    [.., seq_len_q, seq_len_kv]
  Tensor dropped;  // weights * kept / (1 - rate)              [.., seq_len_q, seq_len_kv]
  Tensor context;  // dropped V                                [.., seq_len_q, value_dim]
};

/// Scaled dot-product attention with options: context = dropout(softmax(cap(Q K^T * scale) + mask)) V.
/// With no option set, every step is scaled_dot_product_attention's, bit for bit.
///
///   query    [.., seq_len_q,  head_dim]    leading axes (batch, heads) the same in all three
///   key      [.., seq_len_kv, head_dim]
///   value    [.., seq_len_kv, value_dim]
///   returns  all steps; where there are no keys at all, context is 0, the sum of nothing
///
/// NaN in a hidden value still shows, because a weight of 0 times NaN is NaN.
/// Throws std::invalid_argument, naming both shapes or the option's value, when shapes disagree or an option cannot be.
/// Source: Vaswani et al. 2017, eq. (1); order of soft cap, mask and softmax: ONNX operator Attention.
[[nodiscard]] FamilySteps attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const AttentionOptions& options = {});

}  // namespace attn
