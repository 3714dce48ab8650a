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

/// x * Phi(x), where Phi(x) = (1 + erf(x / sqrt(2))) / 2 is the share of a normal distribution that lies below x.
/// NaN for -inf, as in PyTorch: -inf * 0. Computed in double and rounded to float once.
/// Source: Hendrycks and Gimpel 2016, "Gaussian Error Linear Units", section 2; BERT and GPT use it between layers.
[[nodiscard]] Tensor gelu(const Tensor& a);
/// The same with Phi(x) replaced by (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2, which is off by up to 5e-4.
/// Source: the same, section 2; PyTorch's approximate="tanh".
[[nodiscard]] Tensor gelu_tanh(const Tensor& a);

}  // namespace attn
