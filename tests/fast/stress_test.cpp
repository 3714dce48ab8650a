#include "catch.hpp"
#include "fast/reference.hpp"

#include <thread>

namespace attn::fast {

TEST_CASE("ten thousand random products on changing numbers of threads are the textbook's", "[fast][stress]") {
  Engine engine(20);
  std::size_t wrong = 0;
  std::string first;
  for (int round = 0; round < 10000; ++round) {
    const bool large = round % 100 == 0;  // past the edges of blocks; most are small, or this takes minutes
    const auto size = [&] { return whole_number(engine, 0, large ? 300 : 40); };
    const std::size_t rows = size();
    RandomProduct random(engine, rows, size(), size(), engine() % 2 == 0, engine() % 2 == 0);
    const std::vector<const Kernels*>& levels = kernels_here();
    matmul(&random.product, 1, whole_number(engine, 1, 8), *levels[engine() % levels.size()]);
    const std::string difference = difference_from(expected_product(random.product), random.product);
    if (difference.empty() && random.untouched_around_c()) continue;
    if (wrong++ == 0) first = difference;
  }
  CAPTURE(first);
  CHECK(wrong == 0);
}

TEST_CASE("several threads may multiply and attend at the same time", "[fast][stress]") {
  std::vector<std::string> failures(4);
  std::vector<std::thread> callers;
  for (unsigned caller = 0; caller < 4; ++caller) {
    callers.emplace_back([caller, &failures] {
      Engine engine(30 + caller);
      for (int round = 0; round < 25 && failures[caller].empty(); ++round) {
        RandomProduct product(engine, whole_number(engine, 60, 130), whole_number(engine, 60, 130),
                              whole_number(engine, 20, 60), false, true);
        matmul(&product.product, 1, whole_number(engine, 1, 4));
        failures[caller] = difference_from(expected_product(product.product), product.product);
        RandomHead head(engine, whole_number(engine, 100, 300), whole_number(engine, 1, 100), 8, 8);
        attend(&head.head, 1, whole_number(engine, 1, 4));
        failures[caller] += difference_from(expected_context(head.head), head.head);
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  for (const std::string& failure : failures) CHECK(failure == "");
}

}  // namespace attn::fast
