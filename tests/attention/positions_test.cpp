#include "attention/positions.hpp"

#include "catch.hpp"
#include "check_close.hpp"
#include "tensor/rearrange.hpp"

#include <cmath>

using namespace attn;

TEST_CASE("place 0 reads 0, 1, 0, 1, ... because sin 0 = 0 and cos 0 = 1", "[positions]") {
  check_close(sinusoidal_positions(1, 6), Tensor::matrix({{0, 1, 0, 1, 0, 1}}), {});
}

TEST_CASE("place 1 with 4 channels reads sin 1, cos 1, sin 1/100, cos 1/100", "[positions]") {
  // 10000^(0/4) = 1 and 10000^(2/4) = 100
  check_close(sinusoidal_positions(2, 4), Tensor::matrix({{0, 1, 0, 1}, {0.841471F, 0.540302F, 0.00999983F, 0.99995F}}),
              {.atol = 1e-6, .rtol = 0});
}

TEST_CASE("a sine and the cosine beside it share one frequency: their squares add up to 1", "[positions]") {
  const Tensor positions = sinusoidal_positions(7, 10);
  for (std::size_t pos = 0; pos < 7; ++pos) {
    for (std::size_t d = 0; d < 10; d += 2) {
      CAPTURE(pos, d);
      const float sine = positions(pos, d);
      const float cosine = positions(pos, d + 1);
      CHECK_THAT(sine * sine + cosine * cosine, WithinAbs(1.0, 3e-7));  // a few roundings near 1
    }
  }
}

TEST_CASE("an odd width ends with a sine that has no cosine", "[positions]") {
  const std::size_t d_model = GENERATE(1U, 3U, 5U, 7U);
  CAPTURE(d_model);
  const Tensor positions = sinusoidal_positions(3, d_model);
  CHECK(positions.shape() == Shape{3, d_model});
  const double last_frequency = std::pow(10000.0, -static_cast<double>(d_model - 1) / static_cast<double>(d_model));
  CHECK_THAT(positions(2, d_model - 1), WithinAbs(std::sin(2 * last_frequency), 1e-7));
}

TEST_CASE("a table that starts at a later place is the end of a longer table, bit for bit", "[positions]") {
  check_close(sinusoidal_positions(3, 8, 4), slice(sinusoidal_positions(7, 8), 0, 4, 7), {});
}

TEST_CASE("the likeness of two places depends on their distance only", "[positions]") {
  const Tensor positions = sinusoidal_positions(12, 16);
  const auto likeness = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t d = 0; d < 16; ++d) sum += static_cast<double>(positions(a, d)) * positions(b, d);
    return sum;
  };
  for (std::size_t i = 0; i < 9; ++i) CHECK_THAT(likeness(i, i + 3), WithinAbs(likeness(0, 3), 1e-6));
}

TEST_CASE("with base 16 the second wave of four channels is a quarter as fast as the first", "[positions]") {
  check_close(sinusoidal_positions(2, 4, 0, 16.0),
              Tensor::matrix({{0, 1, 0, 1}, {0.841471F, 0.540302F, 0.247404F, 0.968912F}}), {.atol = 1e-6, .rtol = 0});
}

TEST_CASE("far places stay exact, because angles are computed in double", "[positions]") {
  const Tensor positions = sinusoidal_positions(1, 4, 1234567);
  CHECK(positions(0, 0) == static_cast<float>(std::sin(1234567.0)));
  CHECK(positions(0, 3) == static_cast<float>(std::cos(12345.67)));
}

TEST_CASE("no places or no channels give an empty table", "[positions]") {
  CHECK(sinusoidal_positions(0, 6).shape() == Shape{0, 6});
  CHECK(sinusoidal_positions(5, 0).shape() == Shape{5, 0});
}
