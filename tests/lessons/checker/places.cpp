#include "lessons/checker/ops.hpp"

#include <cmath>

namespace checker {

Expected sinusoid(const Step& step) {
  const std::size_t positions = step.whole_attribute("positions");
  const std::size_t d_model = step.whole_attribute("d_model");
  const double base = step.attributes.count("base") == 0 ? 10000.0 : step.attribute("base");
  Expected expected({positions, d_model});
  for (std::size_t p = 0; p < positions; ++p) {
    for (std::size_t c = 0; c < d_model; ++c) {
      const double exponent = static_cast<double>(c - c % 2) / static_cast<double>(d_model);
      const double angle = static_cast<double>(p) / std::pow(base, exponent);
      const double wave = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
      expected.computed(wave, std::abs(wave));
    }
  }
  return expected;
}

Expected rotate(const Step& step) {
  const Array& x = *step.inputs[0];
  const Array& places = *step.inputs[1];
  require(x.rank() >= 2, "{} has no tokens with channels", x.shape);
  const std::size_t width = x.shape.back();
  const std::size_t turning = step.attributes.count("rotary_dim") == 0 ? width : step.whole_attribute("rotary_dim");
  require(turning % 2 == 0 && turning <= width, "{} channels of {} cannot turn in pairs", turning, x.shape);
  const double base = step.attribute("base");
  const bool interleaved = step.whole_attribute("interleaved") != 0;
  const Shape tokens(x.shape.begin(), x.shape.end() - 1);
  require(broadcast(tokens, places.shape) == tokens, "places {} cannot be spread over the tokens {}", places.shape,
          tokens);

  Expected expected(x.shape);
  for (std::size_t token = 0; token < count_of(tokens); ++token) {
    const double place = places.values[partner(token, tokens, places.shape)];
    for (std::size_t c = 0; c < width; ++c) {
      const double own = x.values[token * width + c];
      if (c >= turning) {
        expected.moved(own);
        continue;
      }
      const std::size_t pair = interleaved ? c / 2 : c % (turning / 2);
      const bool real = interleaved ? c % 2 == 0 : c < turning / 2;
      const std::size_t apart = interleaved ? 1 : turning / 2;
      const double other = x.values[token * width + (real ? c + apart : c - apart)];
      const double angle = place * std::pow(base, -2.0 * static_cast<double>(pair) / static_cast<double>(turning));
      const double turned = own * std::cos(angle) + (real ? -other : other) * std::sin(angle);
      expected.computed(turned, std::abs(own) + std::abs(other));
    }
  }
  return expected;
}

}  // namespace checker
