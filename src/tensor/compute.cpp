#include "tensor/compute.hpp"

#include "fast/pool.hpp"

#include <fmt/core.h>

#include <stdexcept>

namespace attn {

void check_compute(const Compute& compute) {
  if (compute.threads >= 1 && compute.threads <= fast::most_threads) return;
  throw std::invalid_argument(
      fmt::format("threads is {}, but must be 1 to {}: 1 computes without helpers, and more than the machine has cores "
                  "gains nothing",
                  compute.threads, fast::most_threads));
}

}  // namespace attn
