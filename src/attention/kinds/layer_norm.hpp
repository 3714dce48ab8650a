#pragma once

#include "tensor/tensor.hpp"

#include <optional>

namespace attn {

/// What layer normalization learns: a factor and, mostly, a summand for every channel.
struct LayerNormWeights {
  Tensor scale;                // broadcasts to x; ones at first           (PyTorch: weight, papers: gamma)
  std::optional<Tensor> bias;  // broadcasts to x; zeros at first, or none (PyTorch: bias, papers: beta)
};

struct LayerNormOptions {
  int axis = -1;           // this axis and all after it are normalized together; negative counts from the end
  double epsilon = 1e-05;  // added to the variance, so that a constant row is not divided by 0
};

/// Every step of a layer normalization.
struct LayerNormSteps {
  Tensor mean;         // of each row                           [.., 1]
  Tensor centered;     // x - mean                              [.., channels]
  Tensor variance;     // mean of centered^2                    [.., 1]
  Tensor inverse_std;  // 1 / sqrt(variance + epsilon)          [.., 1]
  Tensor normalized;   // centered * inverse_std                [.., channels]
  Tensor output;       // normalized * scale + bias             [.., channels]
};

/// Layer normalization with every step kept: each row gets mean 0 and variance 1, then its own scale and bias.
///
///   output = (x - mean) / sqrt(variance + epsilon) * scale + bias
///
///   x        [.., channels]; a row is all axes from options.axis on
///   weights  scale and bias broadcast to x, mostly [channels]
///   returns  all steps; in mean, variance and inverse_std the normalized axes have size 1, as in ONNX
///
/// The variance divides by how many there are, not by one less. A constant row becomes 0 (with epsilon 0: NaN, 0 / 0),
/// so its output is the bias; a row with NaN or an infinity in it becomes NaN. Each step is computed in double from x
/// and rounded to float once; that is also what stash_type 1 of ONNX (float in the middle, even for half-precision x)
/// asks for, within rounding. What no float can hold is infinite for what follows, too: the variance of 1e25 and -1e25
/// is, so the row becomes 0, as in PyTorch and ONNX.
/// Throws std::invalid_argument, with the values, when there is no such axis, scale or bias does not broadcast to x, or
/// epsilon is negative or no number.
/// Source: Ba et al. 2016, "Layer Normalization", section 3; ONNX LayerNormalization (opset 17); PyTorch nn.LayerNorm.
[[nodiscard]] LayerNormSteps layer_norm(const Tensor& x, const LayerNormWeights& weights,
                                        const LayerNormOptions& options = {});

}  // namespace attn
