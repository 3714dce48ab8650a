#pragma once

#include "tensor/compute.hpp"
#include "tensor/tensor.hpp"

namespace attn {

/// softmax(x)[i] = exp(x[i] - max x) / sum over j of exp(x[j] - max x), along one axis.
///
///   a        any rank of 1 or more; a negative axis counts from the end
///   returns  the same shape; every line along the axis sums to 1
///
/// A line of all -inf gives NaN, as PyTorch does; so does a line with NaN or +inf in it. A line of no numbers stays
/// empty. Throws std::invalid_argument when there is no such axis. Where `compute` is blocked, lines along the last
/// axis are computed in float.
[[nodiscard]] Tensor softmax(const Tensor& a, int axis, const Compute& compute = {});

/// log_softmax(x)[i] = (x[i] - max x) - log(sum over j of exp(x[j] - max x)), along one axis: the logarithm of softmax,
/// which stays finite where the weight itself is too small for a float.
///
///   a        any rank of 1 or more; a negative axis counts from the end
///   returns  the same shape; exp of every line along the axis sums to 1
///
/// Special values, errors: as softmax. Computed in double and rounded to float once: a score that lies further below
/// the largest than a float can say gives -inf.
[[nodiscard]] Tensor log_softmax(const Tensor& a, int axis);

}  // namespace attn
