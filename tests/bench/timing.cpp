#include "timing.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <memory>
#include <thread>
#include <utility>

namespace attn::bench {

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Threads of a library, ours too, stay awake for a while after their work. The next contender gets the cores for
/// itself: nothing is measured while this process uses more than a tenth of a core.
void wait_until_quiet() {
  for (int tries = 0; tries < 100; ++tries) {
    const std::clock_t before = std::clock();  // of all threads
    const Clock::time_point start = Clock::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const double busy = static_cast<double>(std::clock() - before) * 1e3 / CLOCKS_PER_SEC;
    if (busy < 0.1 * milliseconds_since(start)) return;
  }
}

}  // namespace

void compare(std::vector<Contender>& contenders, Rounds rounds) {
  for (const Contender& contender : contenders) {
    wait_until_quiet();
    contender.sample();
  }
  const Clock::time_point start = Clock::now();
  for (std::size_t round = 0; round < rounds.most; ++round) {
    if (round >= 3 && milliseconds_since(start) > rounds.seconds * 1e3) return;
    for (Contender& contender : contenders) {
      wait_until_quiet();
      contender.milliseconds.push_back(contender.sample());
    }
  }
}

double median(std::vector<double> numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  return *middle;
}

double minimum(const std::vector<double>& numbers) {
  return *std::min_element(numbers.begin(), numbers.end());
}

double geometric_mean(const std::vector<double>& numbers) {
  double logarithms = 0.0;
  for (const double number : numbers) logarithms += std::log(number);
  return std::exp(logarithms / static_cast<double>(numbers.size()));
}

double milliseconds_of(const std::function<void()>& call) {
  const Clock::time_point start = Clock::now();
  call();
  return milliseconds_since(start);
}

std::function<double()> repeated(std::function<void()> call) {
  static constexpr double enough = 1.0;  // milliseconds
  const auto calls = std::make_shared<std::size_t>(1);
  return [call = std::move(call), calls] {
    // Threads that slept take some milliseconds until each runs on a core of its own.
    const Clock::time_point start = Clock::now();
    while (milliseconds_since(start) < 10.0 * enough) call();
    const double first = milliseconds_of(call);
    if (first >= 20.0 * enough) return first;  // to one long call a slow start does no harm
    for (;;) {
      const double elapsed = milliseconds_of([&] {
        for (std::size_t i = 0; i < *calls; ++i) call();
      });
      if (elapsed >= enough) return elapsed / static_cast<double>(*calls);
      *calls = static_cast<std::size_t>(static_cast<double>(*calls) * std::min(100.0, 0.5 + 2.0 * enough / elapsed));
    }
  };
}

}  // namespace attn::bench
