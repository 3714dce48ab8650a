#include "fast/pool.hpp"

#include "catch.hpp"

#include <algorithm>
#include <atomic>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace attn::fast {

TEST_CASE("every item is done once, whatever the number of threads", "[fast][pool]") {
  const std::size_t threads = GENERATE(1U, 2U, 3U, 8U, 64U);
  for (const std::size_t items : {0U, 1U, 2U, 3U, 100U, 1000U}) {
    std::vector<std::atomic<int>> done(items);
    for_each_item(items, threads, [&](std::size_t item) { ++done[item]; });
    CAPTURE(threads, items);
    CHECK(std::all_of(done.begin(), done.end(), [](const std::atomic<int>& times) { return times == 1; }));
  }
}

TEST_CASE("the caller works too, and no more threads than were asked for", "[fast][pool]") {
  for (int round = 0; round < 50; ++round) {
    std::vector<std::thread::id> who(64);
    for_each_item(who.size(), 3, [&](std::size_t item) { who[item] = std::this_thread::get_id(); });
    CHECK(std::set<std::thread::id>(who.begin(), who.end()).size() <= 3);
  }
  for_each_item(5, 1,
                [caller = std::this_thread::get_id()](std::size_t) { CHECK(std::this_thread::get_id() == caller); });
}

TEST_CASE("an exception of one item reaches the caller, and the pool works on", "[fast][pool]") {
  const std::size_t threads = GENERATE(1U, 2U, 5U);
  for (int round = 0; round < 100; ++round) {
    std::string caught;
    try {
      for_each_item(20, threads, [](std::size_t item) {
        if (item == 13) throw std::runtime_error("item 13");
      });
    } catch (const std::runtime_error& error) {
      caught = error.what();
    }
    CHECK(caught == "item 13");
    std::atomic<int> done = 0;
    for_each_item(20, threads, [&](std::size_t) { ++done; });
    CHECK(done == 20);
  }
}

TEST_CASE("when every item throws, the caller gets one exception", "[fast][pool]") {
  CHECK_THROWS_AS(for_each_item(50, 4, [](std::size_t) { throw std::runtime_error("each"); }), std::runtime_error);
}

TEST_CASE("work inside work is done at once by the thread that asks", "[fast][pool]") {
  std::atomic<int> done = 0;
  std::atomic<int> elsewhere = 0;
  for_each_item(8, 2, [&](std::size_t) {
    const std::thread::id outer = std::this_thread::get_id();
    for_each_item(8, 2, [&](std::size_t) {
      ++done;
      if (std::this_thread::get_id() != outer) ++elsewhere;
    });
  });
  CHECK(done == 64);
  CHECK(elsewhere == 0);
}

TEST_CASE("an exception inside work inside work reaches the outermost caller", "[fast][pool]") {
  CHECK_THROWS_AS(for_each_item(4, 2,
                                [](std::size_t) {
                                  for_each_item(4, 2, [](std::size_t item) {
                                    if (item == 2) throw std::logic_error("inner");
                                  });
                                }),
                  std::logic_error);
}

TEST_CASE("several threads may ask at the same time", "[fast][pool]") {
  std::atomic<int> done = 0;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      for (int round = 0; round < 200; ++round) for_each_item(10, 3, [&](std::size_t) { ++done; });
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK(done == 4 * 200 * 10);
}

}  // namespace attn::fast
