#pragma once

#include "tensor/tensor.hpp"

namespace attn {

struct RmsNormOptions {
  int axis = -1;           // this axis and all after it are normalized together; negative counts from the end
  double epsilon = 1e-05;  // added to the mean of the squares, so that a row of zeros is not divided by 0
};

/// Every step of a root-mean-square normalization.
struct RmsNormSteps {
  Tensor mean_square;  // mean of x^2 in each row            [.., 1]
  Tensor inverse_rms;  // 1 / sqrt(mean_square + epsilon)    [.., 1]
  Tensor normalized;   // x * inverse_rms                    [.., channels]
  Tensor output;       // normalized * scale                 [.., channels]
};

/// RMS normalization with every step kept: each row is brought to length sqrt(channels), then scaled. It is layer
/// normalization without the mean and without the bias.
///
///   output = x / sqrt(mean(x^2) + epsilon) * scale
///
///   x        [.., channels]; a row is all axes from options.axis on
///   scale    broadcasts to x, mostly [channels]
///   returns  all steps; in mean_square and inverse_rms the normalized axes have size 1
///
/// A row of zeros stays 0 (with epsilon 0: NaN, 0 / 0); a row with NaN in it becomes NaN. Each step is computed in
/// double from x and rounded to float once; a mean square that no float can hold is infinite, and the row 0. Throws
/// std::invalid_argument, with the values, when there is no such axis, scale does not broadcast to x, or epsilon is
/// negative or no number. Source: Zhang and Sennrich 2019, "Root Mean Square Layer Normalization", eq. (4); ONNX
/// RMSNormalization (opset 23).
[[nodiscard]] RmsNormSteps rms_norm(const Tensor& x, const Tensor& scale, const RmsNormOptions& options = {});

}  // namespace attn
