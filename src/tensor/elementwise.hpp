#pragma once

#include "tensor/tensor.hpp"

namespace attn {

// Number by number. Two tensors broadcast as in NumPy: shapes are compared from the right, and a size of 1 (or a
// missing axis) repeats. Every function throws std::invalid_argument, naming itself, both shapes and a likely cause,
// when they do not fit.

/// The shape that two shapes broadcast to; `operation` is the name the error message uses.
[[nodiscard]] Shape broadcast_shape(const char* operation, const Shape& a, const Shape& b);

[[nodiscard]] Tensor add(const Tensor& a, const Tensor& b);
[[nodiscard]] Tensor subtract(const Tensor& a, const Tensor& b);
[[nodiscard]] Tensor multiply(const Tensor& a, const Tensor& b);
[[nodiscard]] Tensor divide(const Tensor& a, const Tensor& b);

/// a * factor.
[[nodiscard]] Tensor scale(const Tensor& a, float factor);

/// Each computed in double and rounded to float once.
[[nodiscard]] Tensor exp(const Tensor& a);
[[nodiscard]] Tensor log(const Tensor& a);
[[nodiscard]] Tensor tanh(const Tensor& a);
/// max(x, 0); NaN stays NaN.
[[nodiscard]] Tensor relu(const Tensor& a);
[[nodiscard]] Tensor abs(const Tensor& a);

}  // namespace attn
