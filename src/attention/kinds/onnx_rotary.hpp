#pragma once

#include "tensor/tensor.hpp"

#include <cstddef>
#include <optional>

namespace attn {

/// The attributes of ONNX's RotaryEmbedding, with ONNX's names and defaults.
struct OnnxRotaryOptions {
  bool interleaved = false;              // neighbours turn together; false: channel p with channel p + width / 2
  std::size_t num_heads = 0;             // needed for an input of three axes
  std::size_t rotary_embedding_dim = 0;  // how many channels of each head turn; 0: all
};

/// ONNX's RotaryEmbedding: rotate() with the cosines and sines looked up in tables.
///
///   input         [batch, num_heads, seq_len, head_dim] or [batch, seq_len, num_heads * head_dim]
///   cos_cache     with position_ids [max_positions, rotary_dim / 2]; without [batch, seq_len, rotary_dim / 2]
///   sin_cache     as cos_cache
///   position_ids  [batch, seq_len]: which row of the tables each token takes
///   returns       as input
///
/// Throws std::invalid_argument, with the shapes, when they do not fit, an id has no row, or num_heads is needed and
/// not given. Source: ONNX operator RotaryEmbedding, opset 23.
[[nodiscard]] Tensor onnx_rotary_embedding(const Tensor& input, const Tensor& cos_cache, const Tensor& sin_cache,
                                           const std::optional<Tensor>& position_ids = std::nullopt,
                                           const OnnxRotaryOptions& options = {});

}  // namespace attn
