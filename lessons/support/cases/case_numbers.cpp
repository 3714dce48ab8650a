#include "support/cases/case_numbers.hpp"

#include <fmt/core.h>

#include <cmath>

namespace attn {

float hashed_number(std::uint64_t seed, std::uint64_t i, double amplitude) {
  std::uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  z = z ^ (z >> 31U);
  return static_cast<float>((static_cast<double>(z >> 40U) / 8388608.0 - 1.0) * amplitude);
}

std::string number_text(float value, const std::string& type) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0.0F ? "-inf" : "inf";
  return type == "float64" ? fmt::format("{}", static_cast<double>(value)) : fmt::format("{}", value);
}

}  // namespace attn
