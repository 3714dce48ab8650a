#pragma once

#include <cstddef>
#include <functional>

namespace attn {

/// How often work is timed.
struct Repeats {
  std::size_t runs = 5;          // of which the median counts: a pause that the system makes in one does not show
  double least_seconds = 0.002;  // a run repeats the work for so long, so that the clock's steps do not show either
};

/// The median time of `work` in seconds, after a run that is not counted: it warms up what is warm from then on.
///   work   returns a number of its result. The number is kept, so that the compiler must have the result computed.
/// Throws std::invalid_argument when there are no runs.
[[nodiscard]] double median_seconds(const std::function<float()>& work, const Repeats& repeats = {});

/// The fastest of the runs: the time of work that is only measured, not compared, such as a processor's peak.
[[nodiscard]] double least_seconds(const std::function<float()>& work, const Repeats& repeats = {});

}  // namespace attn
