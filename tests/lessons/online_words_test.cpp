#include "support/words/online_words.hpp"

#include "catch.hpp"

#include <limits>
#include <string>
#include <vector>

using namespace attn;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// What is said of two blocks with these own largest scores, largest scores so far and factors.
std::string said_of(const std::vector<float>& first, const std::vector<float>& second) {
  std::vector<float> numbers = first;
  numbers.insert(numbers.end(), second.begin(), second.end());
  Trace trace;
  trace.add("state", Tensor({2, 3}, numbers), given());
  return what_blocks_do(trace);
}

}  // namespace

TEST_CASE("of a block is said what its factor does", "[online]") {
  CHECK_THAT(said_of({0, 0, 0}, {4, 4, 0.0183F}),
             ContainsSubstring("Block 2 has a larger score: all that was added up before shrinks to 0.018 of itself"));
  CHECK_THAT(said_of({0, 0, 0}, {1e-6F, 1e-6F, 0.999999F}),
             ContainsSubstring("hardly larger") && !ContainsSubstring("shrinks"));
  CHECK_THAT(said_of({4, 4, 0}, {1, 4, 1}), ContainsSubstring("In block 2 the largest stays: factor 1."));
}

TEST_CASE("a block without a score changes nothing, unless its factor is nan", "[online]") {
  CHECK_THAT(said_of({4, 4, 0}, {-infinity, 4, 1}), ContainsSubstring("Block 2 has no score but -inf"));
  const std::string unknown = said_of({infinity, infinity, 0}, {-infinity, infinity, not_a_number});
  CHECK_THAT(unknown, ContainsSubstring("In block 2 inf - inf makes the factor nan"));
  CHECK_THAT(unknown, !ContainsSubstring("nothing changes"));
}
