#include "peak.hpp"

#include "fast/level.hpp"
#include "fast/pool.hpp"

#include <array>
#include <vector>

namespace attn::bench {

namespace {

constexpr std::size_t rounds = 500'000;

}  // namespace

double operations_at_peak(std::size_t threads) {
  return static_cast<double>(rounds * fast::best_kernels().peak_operations * threads);
}

void reach_for_peak(std::size_t threads) {
  std::vector<std::array<float, 64>> numbers(threads, {0.5F, 0.5F, 0.25F});  // each in lines of the cache of its own
  fast::for_each_item(threads, threads,
                      [&](std::size_t item) { fast::best_kernels().reach_for_peak(rounds, numbers[item].data()); });
}

}  // namespace attn::bench
