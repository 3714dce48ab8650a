#pragma once

#include "attention/kinds/attention.hpp"
#include "attention/mask.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace attn {

/// The inputs of ONNX's operator Attention. What is not given there is left out here.
struct OnnxAttentionInputs {
  Tensor Q;                                         // [batch, q_num_heads, seq_len_q, head_dim], or with 3 axes
  Tensor K;                                         // [batch, kv_num_heads, seq_len_kv, head_dim], or with 3 axes
  Tensor V;                                         // [batch, kv_num_heads, seq_len_kv, value_dim], or with 3 axes
  Mask attn_mask = no_mask();                       // keep_where(bool mask) or added(float mask), rank 1 to 4
  std::optional<Tensor> past_key = std::nullopt;    // [batch, kv_num_heads, seq_len_past, head_dim]
  std::optional<Tensor> past_value = std::nullopt;  // [batch, kv_num_heads, seq_len_past, value_dim]
  std::optional<Tensor> nonpad_kv_seqlen = std::nullopt;  // [batch]: how many keys of each sentence are no padding
};

/// Its attributes, with ONNX's defaults.
struct OnnxAttentionAttributes {
  std::int64_t opset = 25;  // 23 has no nonpad_kv_seqlen, 23 and 24 have no windows
  bool is_causal = false;
  std::optional<std::size_t> q_num_heads = std::nullopt;         // needed when Q, K, V have 3 axes
  std::optional<std::size_t> kv_num_heads = std::nullopt;        // needed when Q, K, V have 3 axes
  std::optional<float> scale = std::nullopt;                     // 1 / sqrt(head_dim)
  float softcap = 0.0F;                                          // 0: none
  std::optional<std::int64_t> softmax_precision = std::nullopt;  // 1 float, 10 float16, 11 double, 16 bfloat16
  std::int64_t qk_matmul_output_mode = 0;                        // 0 scaled, 1 capped, 2 masked, 3 weights
  std::int64_t left_window_size = -1;                            // keys back, -1 for all
  std::int64_t right_window_size = -1;                           // keys ahead, -1 for all
};

/// Every step of the operator, and its four outputs.
struct OnnxAttentionSteps {
  Tensor query;             // Q, its heads split                     [batch, q_num_heads, seq_len_q, head_dim]
  Tensor key;               // all keys, a head for each query head   [batch, q_num_heads, seq_len_kv, head_dim]
  Tensor value;             // all values, likewise                   [batch, q_num_heads, seq_len_kv, value_dim]
  Mask mask;                // attn_mask, causal, window, padding in one
  FamilySteps attention;    // scores to context
  Tensor Y;                 // context, in as many axes as Q has
  Tensor present_key;       // past and new keys                      [batch, kv_num_heads, seq_len_kv, head_dim]
  Tensor present_value;     // past and new values                    [batch, kv_num_heads, seq_len_kv, value_dim]
  Tensor qk_matmul_output;  // the step that qk_matmul_output_mode names
};

/// ONNX's operator Attention, composed of this folder's parts: split heads, join the past, repeat heads, build one
/// mask, attend, merge heads.
///
/// - Inputs with 3 axes are [batch, seq_len, heads * dim].
/// - Query i stands at p = i + offset, the offset being the length of the past, or with nonpad_kv_seqlen each
/// sentence's
///   length minus seq_len_q, or else 0. Causal: it sees keys up to p. Windows: left_window_size back from p and
///   right_window_size ahead. With nonpad_kv_seqlen a sentence's keys end at its length.
/// - attn_mask broadcasts from the right (three axes are heads, queries, keys). Where it has fewer columns than there
/// are
///   keys, the rest is hidden; a single column too is one key, and not repeated.
/// - A query that may see no key gets weights and Y of 0.
/// - All is computed in float. Results for float16 inputs are as good or better than in float16; softmax_precision
///   rounds as softmax_in says.
///
/// Throws std::invalid_argument, with the values, when shapes or attributes disagree.
/// Source: ONNX 1.23 operator set 23 to 25, Attention, and its reference implementation.
[[nodiscard]] OnnxAttentionSteps onnx_attention(const OnnxAttentionInputs& inputs,
                                                const OnnxAttentionAttributes& attributes = {},
                                                const Compute& compute = {});

}  // namespace attn
