#include "fast/pool.hpp"
#include "peak.hpp"

#include <array>
#include <stdexcept>
#include <vector>

namespace attn::bench {

extern const Peak plain;
extern const Peak base;
#if defined(ATTENTION_X86_LEVELS)
extern const Peak avx2;
extern const Peak avx512;
#endif

const Peak& peak_of(std::string_view level) {
  std::vector<const Peak*> peaks = {&plain, &base};
#if defined(ATTENTION_X86_LEVELS)
  peaks.insert(peaks.end(), {&avx2, &avx512});
#endif
  for (const Peak* peak : peaks) {
    if (peak->level == level) return *peak;
  }
  throw std::runtime_error("tests/bench/peak.cpp is not compiled for " + std::string(level));
}

double reach_for_peak(const Peak& peak, std::size_t threads) {
  std::vector<std::array<float, 64>> sums(threads, {0.5F, 0.5F, 0.25F});  // each in lines of the cache of its own
  fast::for_each_item(threads, threads, [&](std::size_t item) { peak.multiply_and_add(sums[item].data()); });
  return peak.operations * static_cast<double>(threads);
}

}  // namespace attn::bench
