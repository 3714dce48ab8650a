#include "attention/kinds/rms_norm.hpp"

#include "attention/kinds/float_range.hpp"
#include "attention/kinds/normalized_rows.hpp"
#include "tensor/elementwise.hpp"

#include <cmath>
#include <cstddef>

namespace attn {

RmsNormSteps rms_norm(const Tensor& x, const Tensor& scale, const RmsNormOptions& options) {
  const NormalizedRows rows = normalized_rows("rms_norm", x.shape(), options.axis);
  require_broadcasts_to("rms_norm", "scale", scale.shape(), x.shape());
  require_epsilon("rms_norm", options.epsilon);

  RmsNormSteps steps{.mean_square = Tensor(rows.statistics_shape),
                     .inverse_rms = Tensor(rows.statistics_shape),
                     .normalized = x,
                     .output = {}};
  for (std::size_t r = 0; r < steps.mean_square.size(); ++r) {
    const float* row = x.values().data() + r * rows.size;

    double squares = 0.0;
    for (std::size_t c = 0; c < rows.size; ++c) squares += static_cast<double>(row[c]) * static_cast<double>(row[c]);
    const double mean_square = as_float_holds(squares / static_cast<double>(rows.size));
    const double inverse_rms = as_float_holds(1.0 / std::sqrt(mean_square + as_float_holds(options.epsilon)));

    steps.mean_square.values()[r] = static_cast<float>(mean_square);
    steps.inverse_rms.values()[r] = static_cast<float>(inverse_rms);
    for (std::size_t c = 0; c < rows.size; ++c) {
      const double normalized = static_cast<double>(row[c]) * inverse_rms;
      steps.normalized.values()[r * rows.size + c] = static_cast<float>(as_float_holds(normalized));
    }
  }
  steps.output = multiply(steps.normalized, scale);
  return steps;
}

}  // namespace attn
