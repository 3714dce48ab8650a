#pragma once

#include "tensor/tensor.hpp"

namespace attn {

class Random;

/// Dropout works while a model is trained and rests when it is used.
enum class Mode { training, evaluation };

/// One draw of dropout: which numbers stay, and how often a number goes.
struct Dropout {
  float rate = 0.0F;  // the share that is dropped on average, 0 to 1
  Tensor kept;        // 1 where a number stays, 0 where it is dropped
};

/// Draws which numbers stay, each by itself with probability 1 - rate.
///
///   shape    of the numbers that will be dropped: for attention, that of the weights
///   returns  kept of that shape; in evaluation all 1 with rate 0, and nothing is drawn
///
/// The numbers drawn are those of uniform(0, 1), kept where below 1 - rate; PyTorch's dropout draws in its own way.
/// Throws std::invalid_argument, naming the rate, when it is not between 0 and 1.
[[nodiscard]] Dropout draw_dropout(Random& random, const Shape& shape, float rate, Mode mode);

/// dropped = x * kept / (1 - rate): what stays grows, so that the sum stays the same on average. A row of weights then
/// seldom sums to 1. With rate 1 all is 0.
///
///   x        any shape
///   dropout  kept broadcasts to x
///
/// Throws std::invalid_argument when the rate is not between 0 and 1, or kept holds anything but 0 and 1 or does not
/// broadcast to x. Source: Srivastava et al. 2014, "Dropout", section 10 (scaled while training, as PyTorch's
/// nn.Dropout does); on attention's weights: Vaswani et al. 2017, section 5.4.
[[nodiscard]] Tensor drop(const Tensor& x, const Dropout& dropout);

}  // namespace attn
