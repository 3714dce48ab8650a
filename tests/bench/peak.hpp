#pragma once

#include <cstddef>
#include <string_view>

namespace attn::bench {

/// Multiplications and additions in registers alone, as compiled for one level of the processor: nothing that loads its
/// numbers from memory can be faster. peak.cpp is compiled once for each level.
struct Peak {
  const char* level;
  double operations;  // in one call
  void (*multiply_and_add)(float* sums);
};

/// What was compiled for the level of this name.
[[nodiscard]] const Peak& peak_of(std::string_view level);

/// One call on each of so many threads. Returns the operations done.
double reach_for_peak(const Peak& peak, std::size_t threads);

}  // namespace attn::bench
