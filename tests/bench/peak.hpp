#pragma once

#include <cstddef>

namespace attn::bench {

/// Multiplications and additions in registers alone, on so many threads: nothing that loads its numbers from memory can
/// be faster (src/fast/peak_kernel.hpp).
void reach_for_peak(std::size_t threads);

/// How many operations that is.
[[nodiscard]] double operations_at_peak(std::size_t threads);

}  // namespace attn::bench
