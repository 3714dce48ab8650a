#include "support/record/false_sharing.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace attn {

namespace {

constexpr std::size_t most_threads = 4;
constexpr std::size_t additions = 2 * 1000 * 1000;  // of each thread
constexpr std::size_t runs = 5;

/// Room for the counters. It begins where a line does.
struct alignas(bytes_of_line) Counters {
  std::array<double, most_threads* doubles_of_line> room = {};
};

double seconds_of_run(std::size_t apart) {
  using Clock = std::chrono::steady_clock;
  Counters counters;
  std::atomic<int> ready = 0;
  const auto add_up = [&](std::size_t thread) {
    // volatile: each addition reads and writes memory, as if the compiler had no register for the sum.
    volatile double* const counter = &counters.room[thread * apart];
    ++ready;
    while (ready < 2) std::this_thread::yield();
    for (std::size_t k = 0; k < additions; ++k) *counter = *counter + 1.0;
  };
  std::thread other(add_up, 1);
  while (ready < 1) std::this_thread::yield();  // starting a thread is not what is measured
  const Clock::time_point start = Clock::now();
  add_up(0);
  other.join();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

std::vector<std::size_t> lines_of_counters(std::size_t threads, std::size_t apart) {
  const Counters counters;
  const auto line_of = [&](std::size_t thread) {
    return reinterpret_cast<std::uintptr_t>(&counters.room[thread * apart]) / bytes_of_line;
  };
  std::vector<std::size_t> lines;
  for (std::size_t thread = 0; thread < threads; ++thread) lines.push_back(line_of(thread) - line_of(0));
  return lines;
}

double additions_in_a_second(std::size_t apart) {
  std::array<double, runs> seconds{};
  for (double& run : seconds) run = seconds_of_run(apart);
  std::sort(seconds.begin(), seconds.end());
  return 2.0 * static_cast<double>(additions) / seconds[runs / 2];
}

}  // namespace attn
