#pragma once

#include "tensor/tensor.hpp"

namespace attn {

/// softmax(x)[i] = exp(x[i] - max x) / sum over j of exp(x[j] - max x), along one axis.
///
///   a        any rank of 1 or more; a negative axis counts from the end
///   returns  the same shape; every line along the axis sums to 1
///
/// A line of all -inf gives NaN, as PyTorch does; so does a line with NaN or +inf in it. A line of no numbers stays
/// empty. Throws std::invalid_argument when there is no such axis.
[[nodiscard]] Tensor softmax(const Tensor& a, int axis);

}  // namespace attn
