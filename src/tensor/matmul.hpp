#pragma once

#include "tensor/tensor.hpp"

namespace attn {

// Naive products, one dot product per result, summed in double. The last two axes are the matrices; the axes before
// them are a batch and broadcast as in NumPy. Throws std::invalid_argument, naming both shapes and a likely cause.

/// c[i, j] = sum over k of a[i, k] * b[k, j].
///   a [.., m, k]   b [.., k, n]   returns [.., m, n]
[[nodiscard]] Tensor matmul(const Tensor& a, const Tensor& b);

/// c[i, j] = sum over k of a[i, k] * b[j, k]: rows of a against rows of b, that is a b^T.
///   a [.., m, k]   b [.., n, k]   returns [.., m, n]
[[nodiscard]] Tensor matmul_transposed(const Tensor& a, const Tensor& b);

/// y = x weight^T + bias, as PyTorch's nn.Linear (weight is stored [out, in]).
///   x [.., in]   weight [out, in]   bias [out]   returns [.., out]
[[nodiscard]] Tensor linear(const Tensor& x, const Tensor& weight);
[[nodiscard]] Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias);

}  // namespace attn
