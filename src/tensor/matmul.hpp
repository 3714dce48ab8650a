#pragma once

#include "tensor/compute.hpp"
#include "tensor/tensor.hpp"

#include <optional>

namespace attn {

// Products of matrices. The last two axes are the matrices; the axes before them are a batch and broadcast as in NumPy.
// `compute` says how: naive, one dot product per result, or blocked, which is fast (compute.hpp). Throws
// std::invalid_argument, naming both shapes and a likely cause.

/// c[i, j] = sum over k of a[i, k] * b[k, j].
///   a [.., m, k]   b [.., k, n]   returns [.., m, n]
[[nodiscard]] Tensor matmul(const Tensor& a, const Tensor& b, const Compute& compute = {});

/// c[i, j] = sum over k of a[i, k] * b[j, k]: rows of a against rows of b, that is a b^T.
///   a [.., m, k]   b [.., n, k]   returns [.., m, n]
[[nodiscard]] Tensor matmul_transposed(const Tensor& a, const Tensor& b, const Compute& compute = {});

/// y = x weight^T + bias, as PyTorch's nn.Linear (weight is stored [out, in]).
///   x [.., in]   weight [out, in]   bias [out]   returns [.., out]
[[nodiscard]] Tensor linear(const Tensor& x, const Tensor& weight, const Compute& compute = {});
[[nodiscard]] Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias, const Compute& compute = {});

/// The same for a map that may have no bias.
[[nodiscard]] Tensor linear(const Tensor& x, const Tensor& weight, const std::optional<Tensor>& bias,
                            const Compute& compute = {});

}  // namespace attn
