#pragma once

#include "tensor/tensor.hpp"

#include <cstddef>

namespace attn {

/// Which two channels turn together.
enum class RotaryLayout {
  interleaved,  // neighbours: 0 and 1, 2 and 3, ..          the paper; GPT-J
  halves,       // 0 and d/2, 1 and d/2 + 1, ..              GPT-NeoX, Hugging Face's Llama; ONNX's default
};

/// The turns of every place: pair p of place `pos` turns by the angle pos / base^(2p / rotary_dim).
struct RotaryTable {
  Tensor angles;  // rounded for showing; cos and sin come from the angle in double    [.., seq_len, rotary_dim / 2]
  Tensor cos;     //                                                                   [.., seq_len, rotary_dim / 2]
  Tensor sin;     //                                                                   [.., seq_len, rotary_dim / 2]
};

/// The places of neighbouring tokens: first, first + 1, .. as a tensor [seq_len]. Throws std::invalid_argument where
/// they pass 2^24: from there on not every whole number is a float.
[[nodiscard]] Tensor consecutive_positions(std::size_t seq_len, std::size_t first = 0);

/// Angles, cosines and sines for any places.
///
///   positions   [.., seq_len], one place per token; any finite number
///   rotary_dim  how many channels turn: an even number
///
/// Throws std::invalid_argument when rotary_dim is odd, or base is not a finite number above 0.
/// Source: Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position Embedding", section 3.2.2, eq. (15).
[[nodiscard]] RotaryTable rotary_table(const Tensor& positions, std::size_t rotary_dim, double base = 10000.0);

/// Turns each pair (a, b) of channels as a point in the plane:
///   a' = a cos - b sin
///   b' = a sin + b cos
///
///   x         [.., seq_len, head_dim]
///   cos, sin  [.., seq_len, rotary_dim / 2], leading axes broadcast; rotary_dim may be less than head_dim
///   returns   as x; channels from rotary_dim on are left as they are
///
/// Each number is computed in double and rounded to float once.
/// Throws std::invalid_argument, naming the shapes, when they do not fit.
/// Source: Su et al. 2021, eq. (34), for the interleaved layout; the layout in halves is the same with channels
/// renamed.
[[nodiscard]] Tensor rotate(const Tensor& x, const Tensor& cos, const Tensor& sin, RotaryLayout layout);

struct RotaryOptions {
  RotaryLayout layout = RotaryLayout::interleaved;
  std::size_t rotary_dim = 0;  // 0: all of head_dim
  double base = 10000.0;
};

/// Every step of a rotary embedding.
struct RotarySteps {
  RotaryTable table;
  Tensor rotated;  // [.., seq_len, head_dim]
};

/// Rotary position embedding: queries and keys (never values) are turned by their place, so that the dot product of a
/// query at place m with a key at place n depends on the distance m - n only, and not on m and n.
///
///   x          queries or keys, [.., seq_len, head_dim]
///   positions  [.., seq_len]; its leading axes broadcast to those of x. A batch with its own places per sentence, over
///              several heads: [batch, 1, seq_len]
///   returns    angles, cos, sin and the rotated x
///
/// Throws std::invalid_argument, with the values, when head_dim is odd and rotary_dim is not given, rotary_dim is odd
/// or larger than head_dim, or shapes do not fit. Source: Su et al. 2021, section 3.2.
[[nodiscard]] RotarySteps rotary_embedding(const Tensor& x, const Tensor& positions, const RotaryOptions& options = {});

}  // namespace attn
