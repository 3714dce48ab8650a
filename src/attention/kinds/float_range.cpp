#include "attention/kinds/float_range.hpp"

#include <cmath>
#include <limits>

namespace attn {

double as_float_holds(double x) {
  // A cast of what is too large for a float is undefined.
  if (std::abs(x) > static_cast<double>(std::numeric_limits<float>::max())) {
    return std::copysign(std::numeric_limits<double>::infinity(), x);
  }
  return std::abs(x) < static_cast<double>(std::numeric_limits<float>::min())
             ? static_cast<double>(static_cast<float>(x))
             : x;
}

}  // namespace attn
