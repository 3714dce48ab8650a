// Compiled once for each level of the processor with that level's flags, as src/fast/kernels.cpp is.

#include "peak.hpp"

#include "fast/vectors.hpp"

namespace attn::bench {

namespace {

using namespace attn::fast;

// Two units that each start one multiply-add a cycle and finish it four cycles later have eight under way.
constexpr std::size_t sums_at_a_time = 12;
constexpr std::size_t steps = 500'000;

void multiply_and_add(float* result) {
  Vector sums[sums_at_a_time];
  for (Vector& sum : sums) sum = broadcast(result[0]);
  const Vector factor = broadcast(result[1]);
  const Vector addend = broadcast(result[2]);
  for (std::size_t step = 0; step < steps; ++step) {
#pragma GCC unroll 12
    for (std::size_t i = 0; i < sums_at_a_time; ++i) sums[i] = sums[i] * factor + addend;
  }
  for (std::size_t i = 1; i < sums_at_a_time; ++i) sums[0] += sums[i];
  std::memcpy(result, &sums[0], sizeof(float));
}

}  // namespace

extern const Peak ATTENTION_LEVEL;
const Peak ATTENTION_LEVEL = {
    .level = level_name, .operations = 2.0 * sums_at_a_time * lanes * steps, .multiply_and_add = multiply_and_add};

}  // namespace attn::bench
