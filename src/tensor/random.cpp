#include "tensor/random.hpp"

#include <fmt/core.h>

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

namespace attn {

namespace {

// The low 24 bits of a 32-bit draw as a fraction: as many bits as a float holds exactly.
float unit_float(std::mt19937& engine) {
  const auto bits = static_cast<std::uint32_t>(engine());
  return static_cast<float>(bits & 0xFFFFFFU) * 0x1p-24F;
}

// The low 53 bits of a 64-bit draw as a fraction; the first 32-bit draw is the high half.
double unit_double(std::mt19937& engine) {
  const auto high = static_cast<std::uint64_t>(engine());
  const auto low = static_cast<std::uint64_t>(engine());
  const std::uint64_t bits = ((high << 32U) | low) & ((std::uint64_t{1} << 53U) - 1);
  return static_cast<double>(bits) * 0x1p-53;
}

float rounded(double x) {
  return static_cast<float>(x);
}

constexpr std::size_t block = 16;

// Box-Muller: two uniforms give two normals. Eight pairs at a time, number j with number j + 8.
// Each step is rounded to float, as in PyTorch's vector kernel. That shows: an angle near 6 is known to 2e-7 only, and
// with exact angles the results would be up to 1.8e-6 away from PyTorch's.
void block_to_normal(float* d) {
  constexpr float two_pi = 2.0F * std::numbers::pi_v<float>;
  for (std::size_t j = 0; j < block / 2; ++j) {
    const float u1 = 1.0F - d[j];  // in (0, 1], so that its logarithm is finite
    const float u2 = d[j + block / 2];
    const float radius = std::sqrt(-2.0F * rounded(std::log(static_cast<double>(u1))));
    const auto angle = static_cast<double>(two_pi * u2);
    d[j] = radius * rounded(std::cos(angle));
    d[j + block / 2] = radius * rounded(std::sin(angle));
  }
}

}  // namespace

Random::Random(std::uint64_t seed) : engine_(static_cast<std::uint32_t>(seed & 0xFFFFFFFFU)) {}

Tensor Random::uniform(const Shape& shape, float from, float to) {
  if (!(from <= to) || !std::isfinite(to - from)) {
    throw std::invalid_argument(
        fmt::format("uniform: from ({}) to ({}) is no range of numbers: from must not be above to", from, to));
  }
  Tensor result(shape);
  // One rounding, by fma: PyTorch's kernel is compiled so, and the bits would differ without it.
  for (float& x : result.values()) x = std::fma(unit_float(engine_), to - from, from);
  return result;
}

Tensor Random::normal(const Shape& shape) {
  Tensor result(shape);
  std::vector<float>& x = result.values();
  if (x.size() < block) {
    // Few numbers: one after the other, in double. Each pair of uniforms gives two normals; the second is kept.
    for (float& value : x) {
      if (has_spare_) {
        value = static_cast<float>(spare_);
        has_spare_ = false;
        continue;
      }
      const double u1 = unit_double(engine_);
      const double u2 = unit_double(engine_);
      const double radius = std::sqrt(-2.0 * std::log1p(-u2));
      const double angle = 2.0 * std::numbers::pi * u1;
      value = static_cast<float>(radius * std::cos(angle));
      spare_ = radius * std::sin(angle);
      has_spare_ = true;
    }
    return result;
  }

  // Many: all uniforms first, then whole blocks of 16 in place.
  for (float& u : x) u = unit_float(engine_);
  for (std::size_t start = 0; start + block <= x.size(); start += block) block_to_normal(x.data() + start);
  if (x.size() % block != 0) {
    // The last 16, some of which are normals already, are drawn anew as one more block.
    float* last = x.data() + (x.size() - block);
    for (std::size_t j = 0; j < block; ++j) last[j] = unit_float(engine_);
    block_to_normal(last);
  }
  return result;
}

Tensor embedding_weight(Random& random, std::size_t rows, std::size_t columns) {
  return random.normal({rows, columns});
}

namespace {

float linear_bound(std::size_t in) {
  return in == 0 ? 0.0F : static_cast<float>(1.0 / std::sqrt(static_cast<double>(in)));
}

}  // namespace

Tensor linear_weight(Random& random, std::size_t in, std::size_t out) {
  return random.uniform({out, in}, -linear_bound(in), linear_bound(in));
}

Tensor linear_bias(Random& random, std::size_t in, std::size_t out) {
  return random.uniform({out}, -linear_bound(in), linear_bound(in));
}

}  // namespace attn
