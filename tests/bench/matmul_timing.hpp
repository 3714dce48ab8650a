#pragma once

#include "matmul_shapes.hpp"
#include "rivals/blas.hpp"
#include "timing.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace attn::bench {

inline constexpr std::array<std::size_t, 2> thread_counts = {1, 2};

/// Milliseconds of one shape on so many threads. A rival that is not here has none.
struct Timing {
  std::vector<double> ours;
  std::vector<std::vector<double>> rivals;
  std::vector<double> peak;

  [[nodiscard]] bool has(std::size_t rival) const { return !rivals[rival].empty(); }
  /// How many times as fast as this rival we are, and as the best rival.
  [[nodiscard]] double ratio_to(std::size_t rival) const { return median(rivals[rival]) / median(ours); }
  [[nodiscard]] double ratio_to_best() const;
};

/// Times one shape on one thread and on two, all in the same rounds, after each result was compared with sums in
/// double. A wrong answer has no speed: it ends the program with status 1.
[[nodiscard]] std::array<Timing, 2> time_shape(const Shape& shape, const std::vector<BlasRival>& rivals, Rounds rounds);

}  // namespace attn::bench
