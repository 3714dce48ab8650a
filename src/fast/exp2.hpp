#pragma once

#include "fast/vectors.hpp"

#include <bit>

namespace attn::fast {
namespace {

/// 2^x for x <= 0, to 2.5e-7 of the value; from -126.5 down 0. NaN stays NaN.
inline Vector exp2(Vector x) {
  const Vector not_tiny = greater(broadcast(-127.0F), x);  // where x is NaN, x
  // Adding 1.5 * 2^23 leaves no room for digits behind the point, so the sum is rounded to a whole number, which now
  // stands in the sum's last bits: 127 more than the whole part of x.
  constexpr float rounding = 12582912.0F + 127.0F;
  const Vector sum = not_tiny + rounding;
  const Vector part = not_tiny - (sum - rounding);  // -0.5 to 0.5
  // The polynomial whose largest relative error on -0.5 to 0.5 is smallest (Remez's exchange), 1 at 0.
  Vector power = 1.32764725e-3F * part + 9.67554096e-3F;
  power = power * part + 5.55071309e-2F;
  power = power * part + 2.40221202e-1F;
  power = power * part + 6.93146944e-1F;
  power = power * part + 1.0F;
  // A float's exponent begins at its 23rd bit and is 127 more than the power of 2 that it stands for, so this is
  // 2^whole; 0 for -127.
  return power * std::bit_cast<Vector>(std::bit_cast<Bits>(sum) << 23);
}

}  // namespace
}  // namespace attn::fast
