#pragma once

#include "fast/vectors.hpp"

#include <bit>

namespace attn::fast {
namespace {

/// 2^x for x <= 0, to 2.5e-7 of the value; from -127 down 0, and between it and -126 less than 2^-126. NaN stays NaN.
inline Vector exp2(Vector x) {
  const Vector not_tiny = -127.0F > x ? broadcast(-127.0F) : x;
  // Adding 1.5 * 2^23 leaves no room for digits behind the point, so the sum is rounded to a whole number, which now
  // stands in the sum's last bits.
  constexpr float rounding = 12582912.0F;
  const Vector sum = not_tiny + rounding;
  const Vector part = not_tiny - (sum - rounding);  // -0.5 to 0.5
  // The polynomial whose largest relative error on -0.5 to 0.5 is smallest (Remez's exchange), 1 at 0.
  Vector power = 1.32764725e-3F * part + 9.67554096e-3F;
  power = power * part + 5.55071309e-2F;
  power = power * part + 2.40221202e-1F;
  power = power * part + 6.93146944e-1F;
  power = power * part + 1.0F;
  // The exponent of a float begins at its 23rd bit: adding the whole number there multiplies by 2^whole.
  const Vector result = std::bit_cast<Vector>(std::bit_cast<Bits>(power) + (std::bit_cast<Bits>(sum) << 23));
  return x == x ? result : x;
}

}  // namespace
}  // namespace attn::fast
