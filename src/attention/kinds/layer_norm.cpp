#include "attention/kinds/layer_norm.hpp"

#include "attention/kinds/float_range.hpp"
#include "attention/kinds/normalized_rows.hpp"
#include "tensor/elementwise.hpp"

#include <cmath>
#include <cstddef>

namespace attn {

LayerNormSteps layer_norm(const Tensor& x, const LayerNormWeights& weights, const LayerNormOptions& options) {
  const NormalizedRows rows = normalized_rows("layer_norm", x.shape(), options.axis);
  require_broadcasts_to("layer_norm", "scale", weights.scale.shape(), x.shape());
  if (weights.bias) require_broadcasts_to("layer_norm", "bias", weights.bias->shape(), x.shape());
  require_epsilon("layer_norm", options.epsilon);

  LayerNormSteps steps{.mean = Tensor(rows.statistics_shape),
                       .centered = x,
                       .variance = Tensor(rows.statistics_shape),
                       .inverse_std = Tensor(rows.statistics_shape),
                       .normalized = x,
                       .output = {}};
  const auto channels = static_cast<double>(rows.size);
  for (std::size_t r = 0; r < steps.mean.size(); ++r) {
    const float* row = x.values().data() + r * rows.size;

    double sum = 0.0;
    for (std::size_t c = 0; c < rows.size; ++c) sum += static_cast<double>(row[c]);
    const double mean = sum / channels;

    double squares = 0.0;
    for (std::size_t c = 0; c < rows.size; ++c) {
      const double centered = static_cast<double>(row[c]) - mean;
      squares += centered * centered;
    }
    const double variance = as_float_holds(squares / channels);
    const double inverse_std = as_float_holds(1.0 / std::sqrt(variance + as_float_holds(options.epsilon)));

    steps.mean.values()[r] = static_cast<float>(mean);
    steps.variance.values()[r] = static_cast<float>(variance);
    steps.inverse_std.values()[r] = static_cast<float>(inverse_std);
    for (std::size_t c = 0; c < rows.size; ++c) {
      const double centered = as_float_holds(static_cast<double>(row[c]) - mean);
      steps.centered.values()[r * rows.size + c] = static_cast<float>(centered);
      steps.normalized.values()[r * rows.size + c] = static_cast<float>(as_float_holds(centered * inverse_std));
    }
  }
  steps.output = multiply(steps.normalized, weights.scale);
  if (weights.bias) steps.output = add(steps.output, *weights.bias);
  return steps;
}

}  // namespace attn
