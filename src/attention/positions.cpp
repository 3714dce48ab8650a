#include "attention/positions.hpp"

#include <cmath>

namespace attn {

Tensor sinusoidal_positions(std::size_t seq_len, std::size_t d_model, std::size_t first, double base) {
  const auto width = static_cast<double>(d_model);
  Tensor table({seq_len, d_model});
  for (std::size_t i = 0; i < seq_len; ++i) {
    for (std::size_t d = 0; d < d_model; ++d) {
      // Two neighbours, a sine and a cosine, share one frequency: the exponent is that of the even channel of the pair.
      const auto even = static_cast<double>(d - d % 2);  // the paper's 2i
      const auto pos = static_cast<double>(first + i);
      const double angle = pos / std::pow(base, even / width);
      const double wave = d % 2 == 0 ? std::sin(angle) : std::cos(angle);
      table(i, d) = static_cast<float>(wave);
    }
  }
  return table;
}

}  // namespace attn
