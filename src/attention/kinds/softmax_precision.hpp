#pragma once

#include "tensor/compute.hpp"
#include "tensor/tensor.hpp"

namespace attn {

/// The kinds of floating-point number in which a softmax may be run.
enum class Precision { float32, float64, float16, bfloat16 };

/// The nearest number that the format has (of two equally near ones the even one); what is too large becomes infinite.
/// In a float16, 11 binary digits count and the largest number is 65504; in a bfloat16, 8 digits, and float's range.
[[nodiscard]] double rounded_to(Precision precision, double x);

/// Softmax along the last axis, in another precision.
///
/// float32 and float64: the softmax of src/tensor, which runs in double and rounds once, to float. A Tensor holds
/// floats, so double can show no more than that. float32 is computed as `compute` says, the others are not.
/// float16 and bfloat16: every number on the way is rounded to that format: the scores, their distance to the largest,
/// each e^x, the sum, and each quotient. Weights then carry about three decimal digits, or two.
///
/// Source: ONNX operator Attention, attribute softmax_precision.
[[nodiscard]] Tensor softmax_in(Precision precision, const Tensor& a, const Compute& compute = {});

}  // namespace attn
