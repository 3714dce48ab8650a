#pragma once

#include "tensor/tensor.hpp"

#include <cstddef>

namespace attn {

/// Sinusoidal positions, one row per place:
///   table[pos, 2i]     = sin(pos / 10000^(2i / d_model))
///   table[pos, 2i + 1] = cos(pos / 10000^(2i / d_model))
/// Angles are computed in double. An odd d_model ends with a sine that has no cosine. Another `base` than 10000
/// stretches the slow waves more or less.
///
///   returns  [seq_len, d_model]; row 0 is place `first`
///
/// Source: Vaswani et al. 2017, section 3.5.
[[nodiscard]] Tensor sinusoidal_positions(std::size_t seq_len, std::size_t d_model, std::size_t first = 0,
                                          double base = 10000.0);

}  // namespace attn
