#pragma once

#include "attention/kinds/empty_rows.hpp"
#include "attention/mask.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <optional>

namespace attn {

/// What fused attention can be asked for. Dropout and other precisions of softmax it can't: attention() has them.
struct FusedOptions {
  Mask mask = no_mask();  // padding and numbers to add; causal and windows need no table:
  // Query i stands at p = i + offset and sees key j when p - left <= j <= p + right; no number, no limit.
  std::ptrdiff_t offset = 0;
  std::optional<std::size_t> left = std::nullopt;
  std::optional<std::size_t> right = std::nullopt;  // 0: causal
  std::optional<float> scale = std::nullopt;        // in place of 1 / sqrt(head_dim)
  std::optional<float> soft_cap = std::nullopt;     // scores never pass +-soft_cap
  EmptyRows empty_rows = EmptyRows::nan;            // a query that may see no key
  std::size_t threads = 1;
};

/// The context of attention() and of grouped_attention() without its steps: scores and weights are never held, so
/// memory grows with the length of the text and not with its square (src/fast/attention.hpp).
///
///   query    [.., num_heads,    seq_len_q,  head_dim], or [seq_len_q, head_dim] for one head
///   key      [.., num_kv_heads, seq_len_kv, head_dim]: query head h looks at key head h / (num_heads / num_kv_heads)
///   value    [.., num_kv_heads, seq_len_kv, value_dim]
///   mask     broadcasts to [.., num_heads, seq_len_q, seq_len_kv]
///   returns  context [.., num_heads, seq_len_q, value_dim], within the rounding of float sums; the same bits on any
///            number of threads; where there are no keys at all, 0
///
/// Where it differs from attention(): values are summed before the sum is divided, so values near the largest float may
/// overflow; and an added -inf hides a score whatever it is, also NaN. A NaN in a value that no query may see shows
/// where a weight of 0 meets it, as in attention(), unless its keys are hidden by offset, left or right and skipped, or
/// the query sees no key and EmptyRows is not nan.
/// Throws std::invalid_argument, naming both shapes or the option's value, when shapes disagree or an option cannot be.
/// Source: Dao et al. 2022, "FlashAttention: Fast and Memory-Efficient Exact Attention", algorithm 1.
[[nodiscard]] Tensor fused_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                     const FusedOptions& options = {});

}  // namespace attn
