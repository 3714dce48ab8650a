#include "catch.hpp"
#include "lessons/printed_page.hpp"
#include "lessons/run_lesson.hpp"
#include "lessons/texts.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

// What lesson 25 says of its products, as a reader gets it.

namespace {

const std::string lesson = "25_blocked_matmul";

/// The page as one line, so that a sentence is found wherever it was broken.
std::string page_of(const std::vector<std::string>& options) {
  const Ran ran = run_lesson(lesson, options);
  CAPTURE(written(options), ran.output);
  REQUIRE(ran.status == 0);
  std::string page;
  for (const Block& block : blocks_of(ran.output)) append_words(page, block.joined());
  return page;
}

std::vector<double> values_of(const nlohmann::json& trace, const std::string& name) {
  for (const auto& step : trace["steps"]) {
    if (step["name"] == name) return step["values"].get<std::vector<double>>();
  }
  FAIL("there is no step " << name);
  return {};
}

}  // namespace

TEST_CASE("the counts in the sentences of lesson 25 are those of its trace", "[blocked][page]") {
  const std::string page = page_of({});
  const nlohmann::json trace = nlohmann::json::parse(run_lesson(lesson, {"--face", "json"}).output);
  const std::vector<double> accesses = values_of(trace, "accesses");  // [5, 4]: A, B, C, all
  const std::vector<double> misses = values_of(trace, "misses");
  const auto all = [&](const std::vector<double>& counts, std::size_t way) { return counts[way * 4 + 3]; };
  const auto of_B = [&](const std::vector<double>& counts, std::size_t way) { return counts[way * 4 + 1]; };
  CHECK_THAT(page, ContainsSubstring(fmt::format("The same {} accesses in another order", all(accesses, 1))));
  CHECK(all(accesses, 0) == all(accesses, 1));
  CHECK_THAT(page, ContainsSubstring(fmt::format("of {} reads of B {} miss", of_B(accesses, 0), of_B(misses, 0))));
  CHECK_THAT(page, ContainsSubstring(fmt::format("a line serves 4 reads: {} misses", of_B(misses, 1))));
  CHECK(of_B(misses, 1) * 4 == of_B(accesses, 1));
  CHECK_THAT(page, ContainsSubstring(fmt::format("8 rows of A: {} misses", of_B(misses, 1))));
  CHECK_THAT(page, ContainsSubstring(fmt::format(
                       "before the next block: {} misses. If none of them were lost in between, it would be 16",
                       of_B(misses, 2))));
  CHECK(of_B(misses, 2) > 16);
  CHECK_THAT(page, ContainsSubstring(fmt::format("{} accesses, not {}", all(accesses, 3), all(accesses, 2))));
  CHECK_THAT(page,
             ContainsSubstring(fmt::format("To copy takes {} accesses more", all(accesses, 4) - all(accesses, 3))));
  CHECK_THAT(page, ContainsSubstring(fmt::format("miss {} times, not {}", of_B(misses, 4), of_B(misses, 3))));
  for (std::size_t way = 1; way < 5; ++way) CHECK(all(misses, way) < all(misses, way - 1));
}

TEST_CASE("the operations of the scores are counted for the text that is there", "[blocked][page]") {
  const std::regex counted(R"((\d+) · (\d+) scores, (\d+) products and (\d+) sums? each: 2 · (\d+) · (\d+) · (\d+) = )"
                           R"((\d+) FLOP \((\d+) products were counted\))");
  for (const std::string& text : proving_texts()) {
    const std::string page = page_of({"--text", text, "--head", "3"});
    std::smatch found;
    CAPTURE(text, page);
    REQUIRE(std::regex_search(page, found, counted));
    const auto number = [&](std::size_t group) { return std::stoull(found[group].str()); };
    CHECK(number(5) == number(1));
    CHECK(number(6) == number(2));
    CHECK(number(7) == number(3));
    CHECK(number(8) == 2 * number(1) * number(2) * number(3));
    CHECK(number(9) * 2 == number(8));
  }
}

TEST_CASE("without times the page is the same whatever the threads and the way to multiply", "[blocked][page]") {
  for (const std::vector<std::string>& world : std::vector<std::vector<std::string>>{{}, {"--weights", "torch"}}) {
    const std::string page = page_of(world);
    CHECK_THAT(page, ContainsSubstring("(Measured times are left out; --timing on shows them.)"));
    CHECK_THAT(page, !ContainsSubstring("GFLOP/s ×"));
    for (const char* threads : {"1", "2", "3", "8"}) {
      std::vector<std::string> options = world;
      options.insert(options.end(), {"--threads", threads});
      CHECK(page_of(options) == page);
    }
  }
}

TEST_CASE("with times the page has seven speeds and what they were measured on", "[blocked][page]") {
  const Ran ran = run_lesson(lesson, {"--timing", "on", "--threads", "3"});
  REQUIRE(ran.status == 0);
  CAPTURE(ran.output);
  const std::vector<Block> blocks = blocks_of(ran.output);
  const auto measured =
      std::find_if(blocks.begin(), blocks.end(), [](const Block& block) { return block.label == "measured"; });
  REQUIRE(measured != blocks.end());
  CHECK(measured->lines.size() == 9);
  CHECK(measured->lines[0] == "here and now, on this machine: your numbers will differ.");
  CHECK(measured->lines[2].starts_with("1 ijk "));
  CHECK(measured->lines[8].starts_with("7 threaded "));
  const std::string page = page_of({"--timing", "on", "--threads", "3"});
  CHECK_THAT(page, ContainsSubstring("way 7: 3 threads"));
  CHECK_THAT(page, !ContainsSubstring("nan"));
}

TEST_CASE("a trace holds no measured number", "[blocked][page]") {
  const Ran with = run_lesson(lesson, {"--face", "json", "--timing", "on"});
  CHECK(with.output == run_lesson(lesson, {"--face", "json"}).output);
}
