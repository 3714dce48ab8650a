#include "catch.hpp"
#include "support/record/cache_simulator.hpp"
#include "support/record/counted_accesses.hpp"
#include "support/record/seven_products.hpp"
#include "support/words/blocked_words.hpp"
#include "tensor/matmul.hpp"
#include "tensor/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

using namespace attn;

namespace {

ProductData drawn_data(const ProductSizes& sizes) {
  Random random(1);
  return {.sizes = sizes,
          .a = random.normal({sizes.rows, sizes.depth}).values(),
          .b = random.normal({sizes.depth, sizes.columns}).values()};
}

/// The product that all are held to, summed in double.
std::vector<double> plain_product(const ProductData& data) {
  const auto [rows, columns, depth] = data.sizes;
  std::vector<double> c(rows * columns);
  for (std::size_t k = 0; k < c.size() * depth; ++k) {
    const std::size_t place = k / depth;
    c[place] += static_cast<double>(data.a[place / columns * depth + k % depth]) *
                static_cast<double>(data.b[k % depth * columns + place % columns]);
  }
  return c;
}

/// Hits (0) and misses (1) of some addresses.
std::vector<int> misses_of(const CacheLayout& layout, const std::vector<std::size_t>& addresses) {
  Cache cache(layout);
  std::vector<int> misses;
  for (const std::size_t address : addresses) misses.push_back(cache.access(address) ? 1 : 0);
  CHECK(cache.misses() == static_cast<std::size_t>(std::count(misses.begin(), misses.end(), 1)));
  CHECK(cache.hits() + cache.misses() == addresses.size());
  return misses;
}

std::size_t misses_in(Way way, Region region, const CacheLayout& layout = small_cache) {
  Cache cache(layout);
  std::size_t count = 0;
  for (const std::size_t address : accesses_of(way)) {
    const bool miss = cache.access(address);
    const bool here = address >= first_address(region) && address < first_address(region) + small_size * small_size;
    count += miss && here ? 1U : 0U;
  }
  return count;
}

}  // namespace

TEST_CASE("the seven ways give the same product at every size, past each edge of a tile, a block and a vector",
          "[blocked]") {
  for (const std::size_t rows : {0U, 1U, 2U, 5U, 17U, 65U}) {
    for (const std::size_t columns : {0U, 1U, 3U, 4U, 17U, 64U, 65U}) {
      for (const std::size_t depth : {0U, 1U, 5U, 64U, 65U, 130U}) {
        const ProductData data = drawn_data({.rows = rows, .columns = columns, .depth = depth});
        const std::vector<double> want = plain_product(data);
        for (const Way way : seven_ways) {
          for (const std::size_t threads : {1U, 3U}) {
            const std::vector<float> got = product(way, data, threads);
            REQUIRE(got.size() == want.size());
            double largest = 0.0;
            for (std::size_t k = 0; k < got.size(); ++k) {
              largest = std::max(largest, std::abs(static_cast<double>(got[k]) - want[k]));
            }
            CAPTURE(name_of(way), rows, columns, depth, threads);
            CHECK(largest <= 1e-4);  // at most 130 products near 1, summed in float
          }
        }
      }
    }
  }
}

TEST_CASE("what a product's memory held before does not matter", "[blocked]") {
  const ProductData data = drawn_data({.rows = 5, .columns = 9, .depth = 7});
  for (const Way way : seven_ways) {
    std::vector<float> c(45, 1000.0F);
    product_into(way, data, 2, c);
    CHECK(c == product(way, data, 2));
  }
}

TEST_CASE("a line comes as a whole: of numbers in a row only the first of each line misses", "[cache]") {
  CHECK(misses_of({.line = 4, .sets = 1, .places = 1}, {0, 1, 2, 3, 4, 5, 8, 7}) ==
        std::vector<int>{1, 0, 0, 0, 1, 0, 1, 1});
}

TEST_CASE("with one line in each set, lines that share a set push each other out; with two they stay", "[cache]") {
  // Lines 0 and 2 share set 0 of two.
  const std::vector<std::size_t> in_turn = {0, 2, 0, 2, 0, 1};
  CHECK(misses_of({.line = 1, .sets = 2, .places = 1}, in_turn) == std::vector<int>{1, 1, 1, 1, 1, 1});
  CHECK(misses_of({.line = 1, .sets = 2, .places = 2}, in_turn) == std::vector<int>{1, 1, 0, 0, 0, 1});
}

TEST_CASE("the line that was not used for longest goes, and not the one that came first", "[cache]") {
  // 0, 1, 2 fill the set; 0 is used again, so 3 takes the place of 1.
  CHECK(misses_of({.line = 1, .sets = 1, .places = 3}, {0, 1, 2, 0, 3, 0, 2, 1}) ==
        std::vector<int>{1, 1, 1, 0, 1, 0, 0, 1});
}

TEST_CASE("a cache that holds nothing is refused, with its sizes", "[cache]") {
  CHECK_THROWS_WITH(Cache({.line = 4, .sets = 0, .places = 2}),
                    "cache: lines of 4 numbers, 0 sets, 2 lines in a set: it needs 1 of each");
}

TEST_CASE("in a cache that holds everything each line is fetched once, whatever the way", "[cache][blocked]") {
  const CacheLayout large = {.line = 4, .sets = 1, .places = 64};
  for (const Way way : counted_ways) {
    for (const Region region : counted_regions) {
      CAPTURE(name_of(way));
      CHECK(misses_in(way, region, large) == small_size * small_size / large.line);
    }
  }
}

TEST_CASE("the misses of the small product are those of its formulas", "[cache][blocked]") {
  constexpr std::size_t n = small_size;
  constexpr std::size_t lines = n * n / small_cache.line;  // of a matrix
  // Down a column all 8 lines fall in two sets of three, so each read of B misses; along the rows each line comes once
  // for each row of A.
  CHECK(misses_in(Way::ijk, Region::B) == n * n * n);
  CHECK(misses_in(Way::ikj, Region::B) == n * lines);
  // In way 2 a row of A and of C stays while it is in use.
  CHECK(misses_in(Way::ikj, Region::A) == lines);
  CHECK(misses_in(Way::ikj, Region::C) == lines);
  // With blocks half as wide A and C come twice; B, without the crowd in its sets, once.
  for (const Way way : {Way::blocked, Way::tiled, Way::packed}) {
    CHECK(misses_in(way, Region::A) == 2 * lines);
    CHECK(misses_in(way, Region::C) == 2 * lines);
  }
  CHECK(misses_in(Way::blocked, Region::B, {.line = 4, .sets = 1, .places = 12}) == lines);
  CHECK(misses_in(Way::packed, Region::B) == lines);
}

TEST_CASE("ways 1 to 3 touch the same numbers equally often, in other orders", "[blocked]") {
  AccessLog first = accesses_of(Way::ijk);
  CHECK(first.size() == 4 * small_size * small_size * small_size);
  for (const Way way : {Way::ikj, Way::blocked}) {
    AccessLog other = accesses_of(way);
    CHECK(other != accesses_of(Way::ijk));
    std::sort(first.begin(), first.end());
    std::sort(other.begin(), other.end());
    CHECK(other == first);
  }
}

TEST_CASE("an address is named by its matrix, row and column", "[blocked]") {
  CHECK(name_of_address(0) == "A[0,0]");
  CHECK(name_of_address(first_address(Region::B) + 9) == "B[1,1]");
  CHECK(name_of_address(first_address(Region::C) + 63) == "C[7,7]");
  CHECK(name_of_address(first_address(Region::copy) + 6) == "copy[1,2]");
  CHECK(first_names(Way::ikj, 3) == std::vector<std::string>{"A[0,0]", "B[0,0]", "C[0,0]"});
}

TEST_CASE("the ways are told to agree on scores of any size, also where they cancel, and not on what is no number",
          "[blocked]") {
  Random random(2);
  for (const std::size_t head_dim : {1U, 4U, 64U, 512U, 2048U}) {
    for (const float size : {1e-3F, 1.0F, 1e15F}) {
      Tensor Q = random.normal({7, head_dim});
      const Tensor K = random.normal({7, head_dim});
      for (float& number : Q.values()) number *= size;
      CAPTURE(head_dim, size);
      CHECK_THAT(whether_ways_agree(Q, K), ContainsSubstring("6 and 7 by less than "));
    }
  }
  Tensor Q({2, 3}, 1.0F);
  CHECK_THAT(whether_ways_agree(Q, Tensor({2, 3})), ContainsSubstring("by 0, 6 and 7 by less than "));
  Q(1, 2) = NAN;
  CHECK_THAT(whether_ways_agree(Q, Q), ContainsSubstring("no finite numbers"));
}

TEST_CASE("a way that was slower than the one before is named, with a reason, and so is what vectors gain beside width",
          "[blocked]") {
  MeasuredProducts measured;
  measured.threads = 2;
  measured.vector_floats = 16;
  measured.multiplies_and_adds = true;
  for (const double speed : {1.0, 2.0, 3.0, 4.0, 5.0, 80.0, 160.0}) measured.speeds.rows.push_back({"way", speed});
  CHECK(which_were_slower(measured).empty());
  CHECK(why_vectors_gain_more(measured).empty());
  measured.speeds.rows[5].value = 150.0;
  CHECK_THAT(why_vectors_gain_more(measured), ContainsSubstring("Way 6 is 30.0 times as fast as way 5."));
  CHECK_THAT(why_vectors_gain_more(measured), ContainsSubstring("one instruction multiplies and adds"));
  measured.multiplies_and_adds = false;
  CHECK_THAT(why_vectors_gain_more(measured), !ContainsSubstring("multiplies"));
  measured.speeds.rows[2].value = 1.5;
  CHECK_THAT(which_were_slower(measured),
             Catch::Matchers::StartsWith("Way 3 was slower here than the way before, though it misses"));
  measured.speeds.rows[4].value = 3.0;
  CHECK_THAT(which_were_slower(measured),
             Catch::Matchers::StartsWith("Ways 3 and 5 were slower here than the way before"));
  CHECK_THAT(which_were_slower(measured), !ContainsSubstring("threads"));
  measured.speeds.rows[6].value = 100.0;
  CHECK_THAT(which_were_slower(measured),
             Catch::Matchers::EndsWith(" 2 threads were slower than one: the machine is busy, or has one "
                                       "core."));
}
