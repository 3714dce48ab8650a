#pragma once

#include "fast/vectors.hpp"

#include <bit>

namespace attn::fast {
namespace {

/// 2^x for x <= 0, to 1.6e-7 of the value; from -127 down 0, and between it and -126 less than 2^-126. NaN stays NaN.
inline Vector exp2(Vector x) {
  x = -127.0F > x ? broadcast(-127.0F) : x;
  // Adding 1.5 * 2^23 leaves no room for digits behind the point, so the sum is rounded to a whole number, which now
  // stands in the sum's last bits.
  constexpr float rounding = 12582912.0F;
  const Vector sum = x + rounding;
  const Vector part = x - (sum - rounding);  // -0.5 to 0.5
  Vector power = 1.3333558e-3F * part + 9.6181291e-3F;
  power = power * part + 5.5504109e-2F;
  power = power * part + 2.4022651e-1F;
  power = power * part + 6.9314718e-1F;
  power = power * part + 1.0F;
  // The exponent of a float begins at its 23rd bit: adding the whole number there multiplies by 2^whole.
  return std::bit_cast<Vector>(std::bit_cast<Integers>(power) + (std::bit_cast<Integers>(sum) << 23));
}

}  // namespace
}  // namespace attn::fast
