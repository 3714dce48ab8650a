#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace attn::bench {

/// Who takes part in a comparison, and the milliseconds that one call took in each round.
struct Contender {
  std::string name;
  std::function<double()> sample;  // measures: milliseconds for one call
  std::vector<double> milliseconds = {};
};

/// So many rounds, or fewer when they have taken so long, but never fewer than three.
struct Rounds {
  std::size_t most;
  double seconds;
};

/// Measures in rounds, each contender once in each: a machine that slows down for a while slows down all of them.
void compare(std::vector<Contender>& contenders, Rounds rounds);

[[nodiscard]] double median(std::vector<double> numbers);
[[nodiscard]] double minimum(const std::vector<double>& numbers);
[[nodiscard]] double geometric_mean(const std::vector<double>& numbers);

/// Milliseconds of one call.
[[nodiscard]] double milliseconds_of(const std::function<void()>& call);

/// A sample of this process's own work: after one call that wakes the threads and fills the caches, as many calls as
/// take a millisecond or two, one right after the other; or that one, if it takes twenty. The work must leave its
/// result where the compiler cannot know that nobody reads it.
[[nodiscard]] std::function<double()> repeated(std::function<void()> call);

}  // namespace attn::bench
