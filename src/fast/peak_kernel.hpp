#pragma once

#include "fast/vectors.hpp"

#include <cstddef>
#include <cstring>
#include <utility>

namespace attn::fast {
namespace {

inline constexpr std::size_t peak_sums = 12;  // two units, each busy four cycles with one: eight under way would do

/// Multiplications and additions of numbers that stay in registers: what loads its numbers from memory is no faster.
/// `numbers` are a first sum, a factor and an addend, and for the first sum the result comes back. Each sum has a
/// number that the compiler knows, or it would keep them in memory.
template <int... sum>
inline void multiply_and_add(std::size_t rounds, float* numbers, std::integer_sequence<int, sum...> /*all*/) {
  Vector sums[] = {broadcast(numbers[0] + static_cast<float>(sum) * numbers[2])...};
  const Vector factor = broadcast(numbers[1]);
  const Vector addend = broadcast(numbers[2]);
  for (std::size_t round = 0; round < rounds; ++round) ((sums[sum] = sums[sum] * factor + addend), ...);
  const Vector total = (sums[sum] + ...);
  std::memcpy(numbers, &total, sizeof(float));
}

inline void reach_for_peak(std::size_t rounds, float* numbers) {
  multiply_and_add(rounds, numbers, std::make_integer_sequence<int, static_cast<int>(peak_sums)>());
}

}  // namespace
}  // namespace attn::fast
