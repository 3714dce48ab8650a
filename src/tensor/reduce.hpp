#pragma once

#include "tensor/tensor.hpp"

namespace attn {

// One axis folded into one number; that axis disappears from the shape. Sums run in double. A negative axis counts from
// the end. Throws std::invalid_argument when there is no such axis.

/// Sum along one axis; of nothing: 0.
[[nodiscard]] Tensor sum(const Tensor& a, int axis);
/// Sum divided by how many; of nothing: NaN, as in PyTorch.
[[nodiscard]] Tensor mean(const Tensor& a, int axis);
/// Largest along one axis; NaN when one of them is NaN. Throws when the axis has size 0.
[[nodiscard]] Tensor max(const Tensor& a, int axis);

}  // namespace attn
