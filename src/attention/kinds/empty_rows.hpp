#pragma once

#include "tensor/tensor.hpp"

namespace attn {

/// The weights of a query that may see no key at all: softmax would divide 0 by 0. Libraries differ, so the caller
/// says.
enum class EmptyRows {
  nan,     // 0 / 0, as softmax gives it: PyTorch's softmax and its nn.MultiheadAttention
  zeros,   // nothing is collected: ONNX's Attention
  uniform  // 1 / seq_len_kv for every key, hidden or not: what masking with -1e9 in place of -inf leads to
};

/// The weights with their empty rows as chosen; all other rows stay.
///
///   weights  [.., seq_len_q, seq_len_kv]
///   masked   [.., seq_len_q, seq_len_kv], the scores that the weights were made from; a row of all -inf is empty
///
/// Throws std::invalid_argument, naming both shapes, when they differ.
/// Source: PyTorch softmax; ONNX operator Attention (fully masked rows give 0).
[[nodiscard]] Tensor fill_empty_rows(const Tensor& weights, const Tensor& masked, EmptyRows choice);

}  // namespace attn
