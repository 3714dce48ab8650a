#pragma once

#include <cstddef>

namespace attn {

/// Seconds that attention of 8 heads of 64 over 512 words takes, measured.
struct ThreadTimes {
  double products;  // Q K^T and weights V, on one thread
  double softmax;   // on one thread
  double one;       // all steps, with tables, on one thread
  double two;       // on two: products and softmax share the work, the rest does not
  double fused_one;
  double fused_two;

  /// The share of the time that one thread works alone, whatever the number of threads.
  [[nodiscard]] double alone() const;
};
[[nodiscard]] ThreadTimes measure_threads();

/// Amdahl's law: how many times as fast `threads` are when a share of the work is done by one of them alone.
[[nodiscard]] double speedup_by_amdahl(double alone, std::size_t threads);

}  // namespace attn
