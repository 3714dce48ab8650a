#pragma once

#include "attention/kinds/attention.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>

namespace attn {

/// The keys and values of all tokens so far. Queries are not kept: a token asks once, when it is new.
struct KeyValueCache {
  Tensor key;    // [.., seq_len_past, head_dim]
  Tensor value;  // [.., seq_len_past, value_dim]

  [[nodiscard]] std::size_t seq_len() const { return key.dim(-2); }
};

/// A cache of no tokens, for keys and values of these leading axes and widths.
[[nodiscard]] KeyValueCache empty_cache(const Tensor& key, const Tensor& value);

/// Past and new tokens, one after the other.
///
///   past     [.., seq_len_past, dim] each
///   key      [.., seq_len_new, head_dim]
///   value    [.., seq_len_new, value_dim]
///   returns  [.., seq_len_past + seq_len_new, dim] each
///
/// Throws std::invalid_argument, naming the shapes, when past and new differ in anything but their length, or when keys
/// and values are not equally many. Source: ONNX operator Attention, past_key .. present_value.
[[nodiscard]] KeyValueCache join(const KeyValueCache& past, const Tensor& key, const Tensor& value);

/// One step of decoding.
struct CachedSteps {
  KeyValueCache present;  // past and new tokens, to hand to the next step
  Tensor mask;            // causal, offset by the past [seq_len_new, seq_len_past + seq_len_new]
  FamilySteps attention;
};

/// The new tokens attend to the past and to each other: new token i sees key j when j <= i + seq_len_past. The steps
/// are the last rows of causal attention over all tokens at once.
///
///   query    [.., seq_len_new, head_dim]; key and value as for join
///   options  a mask in it holds besides the causal one, for [.., seq_len_new, seq_len_past + seq_len_new]
///
/// A cache of grouped heads keeps num_kv_heads only. Compose it: join, then grouped_attention with the mask
/// causal_mask({.seq_len_q = .., .seq_len_kv = .., .offset = past.seq_len()}).
[[nodiscard]] CachedSteps cached_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                           const KeyValueCache& past, const AttentionOptions& options = {});

}  // namespace attn
