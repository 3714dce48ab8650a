#include "catch.hpp"
#include "support/words/words.hpp"
#include "support/world/one_head.hpp"

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

using namespace attn;

namespace {

constexpr float no_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinite = std::numeric_limits<float>::infinity();

Tensor list(const std::vector<float>& values) {
  return Tensor({values.size()}, values);
}

World world_of(const std::string& text) {
  Options options;
  options.text = text;
  return one_head(options).world;
}

}  // namespace

TEST_CASE("a difference is told in digits where there are numbers, and an infinity that both have is none", "[words]") {
  CHECK(difference_in_words(list({1, 2, 3}), list({1, 2.5F, 3})) == "0.50");
  CHECK(difference_in_words(list({1, infinite, -infinite}), list({1, infinite, -infinite})) == "0");
  CHECK(difference_in_words(list({1, infinite}), list({1, 2})) == "inf");
  CHECK(is_none(difference_of(list({1, 2}), list({1, 2}))));
  CHECK_FALSE(is_none(difference_of(list({1, 2}), list({1, 3}))));
  CHECK(difference_of(list({1, 2}), list({1, 3})).number() == 1.0);
  CHECK_THROWS_AS(difference_of(list({1, 2}), list({1, 2, 3})), std::invalid_argument);
}

TEST_CASE("nan is told and never taken for 0: in both there is nothing to compare, in one it is nan", "[words]") {
  CHECK(difference_in_words(list({no_number, no_number}), list({no_number, no_number})) == "nan (both are nan)");
  CHECK(difference_in_words(list({no_number, 2, 4}), list({no_number, 2, 4.5F})) ==
        "0.50 (both are nan in 1 of 3 places)");
  CHECK(difference_in_words(list({no_number, 2, 3}), list({1, 2, no_number})) ==
        "nan (nan against a number in 2 of 3 places)");
  CHECK(difference_in_words(list({no_number, 2}), list({no_number, no_number})) ==
        "nan (nan against a number in 1 of 2 places)");
  CHECK(difference_in_words(list({no_number}), list({infinite})) == "nan (nan against a number in 1 of 1 places)");
  CHECK_FALSE(is_none(difference_of(list({no_number}), list({no_number}))));
  CHECK_FALSE(is_none(difference_of(list({no_number, 1}), list({no_number, 1}))));
}

TEST_CASE("whom a word gives most is one only where one has most", "[words]") {
  const World world = world_of("the cat sat");
  const auto told = [&](const std::vector<float>& row) {
    return whom_it_gives_most(world, Tensor({1, row.size()}, row), 0, 2);
  };
  CHECK(told({0.25F, 0.5F, 0.25F}) == "most to \"cat\" (0.500)");
  CHECK(told({0.25F, 0.25F, 0.5F}) == "most to itself (0.500)");
  CHECK(told({0.4F, 0.4F, 0.2F}) == "most to \"the\" and \"cat\" (0.400 each)");
  CHECK(told({0.25F, 0.25F, 0.25F}) == "as much to each word (0.250)");
  CHECK(told({0.5F, no_number, 0.5F}) == "nan");
  CHECK(whom_it_gives_most(world_of("cat"), Tensor({1, 1}, 1.0F), 0) == "all to \"cat\"");
}
