#include "attention/kinds/soft_cap.hpp"

#include "tensor/elementwise.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

namespace attn {

Tensor soft_cap(const Tensor& scores, float cap) {
  if (!(cap > 0.0F) || std::isinf(cap)) {
    throw std::invalid_argument(
        fmt::format("soft_cap: cap is {}, but must be above 0 and finite: for no cap, leave it out", cap));
  }
  return scale(tanh(scale(scores, 1.0F / cap)), cap);
}

}  // namespace attn
