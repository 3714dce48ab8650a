#pragma once

namespace attn {

/// A number as a float holds it, where that is another one: inf beyond 3.4e38, coarse or 0 below 1.2e-38. What follows
/// from a step then follows from the number that the step shows. Any other keeps the digits of a double.
[[nodiscard]] double as_float_holds(double x);

}  // namespace attn
