#include "support/record/measured_time.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <vector>

namespace attn {

namespace {

/// Seconds for one time `work`, from a run of at least so many seconds.
double seconds_of_run(const std::function<float()>& work, double least) {
  using Clock = std::chrono::steady_clock;  // it never goes back
  volatile float kept = 0.0F;
  std::size_t times = 0;
  std::chrono::duration<double> passed{};
  const Clock::time_point start = Clock::now();
  do {
    kept = work();
    ++times;
    passed = Clock::now() - start;
  } while (passed.count() < least);
  static_cast<void>(kept);
  return passed.count() / static_cast<double>(times);
}

/// The times of all runs, the shortest first.
std::vector<double> sorted_seconds(const std::function<float()>& work, const Repeats& repeats) {
  if (repeats.runs == 0) throw std::invalid_argument("measured time: no runs, so there is no time: ask for 1 or more");
  static_cast<void>(seconds_of_run(work, 0.0));  // warms up
  std::vector<double> seconds;
  for (std::size_t run = 0; run < repeats.runs; ++run) {
    seconds.push_back(seconds_of_run(work, repeats.least_seconds));
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds;
}

}  // namespace

double median_seconds(const std::function<float()>& work, const Repeats& repeats) {
  return sorted_seconds(work, repeats)[repeats.runs / 2];
}

double least_seconds(const std::function<float()>& work, const Repeats& repeats) {
  return sorted_seconds(work, repeats).front();
}

}  // namespace attn
