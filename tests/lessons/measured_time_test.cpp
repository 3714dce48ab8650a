#include "support/record/measured_time.hpp"

#include "catch.hpp"

#include <chrono>
#include <stdexcept>
#include <thread>

using namespace attn;

TEST_CASE("work is timed as often as is said, after a run that warms up", "[measured]") {
  int calls = 0;
  const auto work = [&] { return static_cast<float>(++calls); };
  CHECK(median_seconds(work, {.runs = 3, .least_seconds = 0.0}) >= 0.0);
  CHECK(calls == 4);
  CHECK(least_seconds(work, {.runs = 1, .least_seconds = 0.0}) >= 0.0);
  CHECK(calls == 6);
  CHECK_THROWS_AS(median_seconds(work, {.runs = 0}), std::invalid_argument);
}

TEST_CASE("one slow run does not move the median", "[measured]") {
  int calls = 0;
  const auto sleep = [](int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); };
  const auto work = [&] {
    sleep(++calls == 3 ? 300 : 2);
    return 0.0F;
  };
  const double median = median_seconds(work, {.runs = 5, .least_seconds = 0.0});
  CHECK(median >= 0.002);
  CHECK(median < 0.3);
}

TEST_CASE("short work is repeated within a run, and its time is that of one", "[measured]") {
  int calls = 0;
  const double seconds =
      median_seconds([&] { return static_cast<float>(++calls); }, {.runs = 1, .least_seconds = 0.01});
  CHECK(calls > 100);
  CHECK(seconds < 0.001);
}
