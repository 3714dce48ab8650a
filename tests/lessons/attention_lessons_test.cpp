#include "catch.hpp"
#include "lessons/run_lesson.hpp"
#include "lessons/texts.hpp"
#include "lessons/trace_checker.hpp"
#include "text/unicode.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <regex>
#include <string>
#include <vector>

// The lessons on softmax, the mask and the weighted sum: what they claim is held against their traces.

namespace {

using Json = nlohmann::json;

const std::vector<std::string> lessons = {"07_softmax", "08_mask", "09_weighted_sum"};

std::string page_of(const std::string& lesson, const std::vector<std::string>& options) {
  const Ran ran = run_lesson(lesson, options);
  CAPTURE(lesson, written(options), ran.output);
  REQUIRE(ran.status == 0);
  return ran.output;
}

Json trace_of(const std::string& lesson, std::vector<std::string> options) {
  options.insert(options.end(), {"--face", "json"});
  return Json::parse(page_of(lesson, options));
}

const Json& step_named(const Json& trace, const std::string& name) {
  for (const Json& step : trace["steps"]) {
    if (step["name"] == name) return step;
  }
  throw std::invalid_argument("no step " + name);
}

/// Row i of a matrix; nan and infinities as such.
std::vector<double> row_of(const Json& step, std::size_t i) {
  const std::size_t columns = step["shape"].back();
  std::vector<double> row;
  for (std::size_t j = 0; j < columns; ++j) {
    const Json& value = step["values"][i * columns + j];
    row.push_back(value.is_number() ? value.get<double>()
                  : value == "nan"  ? NAN
                  : value == "inf"  ? INFINITY
                                    : -INFINITY);
  }
  return row;
}

double sum_of(const std::vector<double>& row) {
  double sum = 0.0;
  for (const double x : row) sum += x;
  return sum;
}

std::vector<std::vector<std::string>> variants(const std::string& text) {
  return {{"--text", text},
          {"--text", text, "--mask", "causal", "--head", "1"},
          {"--text", text, "--positions", "none", "--head", "4"},
          {"--text", text, "--weights", "torch", "--mask", "causal", "--seed", "3"}};
}

}  // namespace

TEST_CASE("in lessons 07 to 09 every number follows from earlier ones, and every line fits", "[lessons]") {
  // Each lesson takes every third text: all pairs would take minutes.
  std::size_t turn = 0;
  for (const std::string& lesson : lessons) {
    const std::vector<std::string> texts = proving_texts();
    for (std::size_t k = turn++ % 3; k < texts.size(); k += 3) {
      for (const std::vector<std::string>& options : variants(texts[k])) {
        CAPTURE(lesson, written(options));
        std::vector<std::string> for_trace = options;
        for_trace.insert(for_trace.end(), {"--face", "json"});
        CHECK(problems_of_trace(page_of(lesson, for_trace)).empty());
        for (const std::size_t width : {60U, 80U}) {
          std::vector<std::string> for_page = options;
          for_page.insert(for_page.end(), {"--width", std::to_string(width)});
          const std::string page = page_of(lesson, for_page);
          for (std::size_t begin = 0; begin < page.size();) {
            const std::size_t end = page.find('\n', begin);
            const std::string line = page.substr(begin, end - begin);
            CAPTURE(line);
            CHECK(attn::display_width(line) <= width);
            begin = end + 1;
          }
        }
      }
    }
  }
}

TEST_CASE("the naive softmax of a row 100 higher is lost, and the one that takes the largest off is not", "[lessons]") {
  for (const char* weights : {"crafted", "torch"}) {
    const Json trace = trace_of("07_softmax", {"--weights", weights});
    for (const double power : row_of(step_named(trace, "raised_powers"), 0)) CHECK(std::isinf(power));
    for (const double share : row_of(step_named(trace, "lost"), 0)) CHECK(std::isnan(share));
    const std::vector<double> saved = row_of(step_named(trace, "saved"), 0);
    const std::vector<double> before = row_of(step_named(trace, "row_weights"), 0);
    for (std::size_t j = 0; j < saved.size(); ++j) CHECK_THAT(saved[j], WithinAbs(before[j], 1e-5));
  }
}

TEST_CASE("over the wrong axis the columns add up to 1, and the page tells the rows' range", "[lessons]") {
  const Json trace = trace_of("07_softmax", {});
  const Json& wrong = step_named(trace, "wrong_axis");
  double least = INFINITY;
  double most = 0.0;
  for (std::size_t i = 0; i < 7; ++i) {
    double column = 0.0;
    for (std::size_t row = 0; row < 7; ++row) column += row_of(wrong, row)[i];
    CHECK_THAT(column, WithinAbs(1.0, 1e-6));
    least = std::min(least, sum_of(row_of(wrong, i)));
    most = std::max(most, sum_of(row_of(wrong, i)));
  }
  CHECK_THAT(least, WithinAbs(0.59, 0.005));
  CHECK_THAT(most, WithinAbs(2.48, 0.005));
  CHECK_THAT(page_of("07_softmax", {}), ContainsSubstring("from 0.59 to 2.48"));
}

TEST_CASE("lesson 08 has a sentence and a mask of its own, and --text replaces the sentence", "[lessons]") {
  CHECK(trace_of("08_mask", {})["options"]["text"] == "The dog barked very loudly.");
  CHECK(trace_of("08_mask", {})["options"]["mask"] == "causal");
  CHECK(trace_of("08_mask", {"--text", "the cat sat on the mat."})["options"]["text"] == "the cat sat on the mat.");
  CHECK(trace_of("07_softmax", {})["options"]["text"] == "the cat sat on the mat.");
}

TEST_CASE("of the ways to hide later words only -inf where j > i moves no earlier word", "[lessons][mask]") {
  for (const std::string& text : proving_texts()) {
    for (const std::vector<std::string>& options : variants(text)) {
      const Json trace = trace_of("08_mask", options);
      const std::size_t seq_len = step_named(trace, "tokens")["shape"][0];
      if (seq_len == 1) continue;
      CAPTURE(written(options));
      const Json& moved = step_named(trace, "moved");
      const std::size_t ways = moved["shape"][0];
      REQUIRE(moved["rows"][ways - 1] == "-inf, j ≤ i");
      for (std::size_t way = 0; way < ways; ++way) {
        const std::vector<double> row = row_of(moved, way);
        bool still = true;
        for (std::size_t j = 0; j + 1 < seq_len; ++j) still = still && row[j] == 0.0;
        CAPTURE(moved["rows"][way]);
        if (way + 1 == ways) {
          CHECK(still);
          CHECK(row[seq_len - 1] > 0.0);
        } else if (way == 0) {
          CHECK_FALSE(still);
        }
      }
    }
  }
}

TEST_CASE("masks that leave a word nobody to look at give nan, and the page says so", "[lessons][mask]") {
  const Json trace = trace_of("08_mask", {});
  const Json& moved = step_named(trace, "moved");
  CHECK(std::isnan(row_of(moved, 4)[0]));  // j < i: the first word has nobody
  CHECK(std::isnan(row_of(moved, 5)[5]));  // 1 and 0 swapped: the last one has nobody
  CHECK_THAT(page_of("08_mask", {}), ContainsSubstring("0 / 0"));
  for (std::size_t i = 0; i < 6; ++i) CHECK_THAT(sum_of(row_of(step_named(trace, "weights"), i)), WithinAbs(1.0, 1e-6));
  CHECK_THAT(sum_of(row_of(step_named(trace, "erased"), 1)), WithinAbs(0.169, 0.0005));
}

TEST_CASE("Orange collects .21 + .40 of a thing, and a share is not what a word brings", "[lessons]") {
  const Json trace = trace_of("09_weighted_sum", {});
  const std::vector<double> taken = row_of(step_named(trace, "taken"), 0);
  CHECK_THAT(taken[9], WithinAbs(0.61, 1e-6));   // thing
  CHECK_THAT(taken[14], WithinAbs(0.31, 1e-6));  // adjective
  CHECK_THAT(page_of("09_weighted_sum", {}), ContainsSubstring("about half \"cat\", half \"mat\""));

  // Who has the largest share of the row that the page shows brings nothing.
  const Json& shares = step_named(trace, "row_shares");
  std::size_t largest = 0;
  for (std::size_t j = 0; j < 7; ++j) largest = row_of(shares, j)[0] > row_of(shares, largest)[0] ? j : largest;
  for (const double number : row_of(step_named(trace, "brought"), largest)) CHECK(number == 0.0);
}

TEST_CASE("lesson 09 says by itself what channel \"one\" is for", "[lessons]") {
  const auto prose = [](const std::vector<std::string>& options) {
    return std::regex_replace(page_of("09_weighted_sum", options), std::regex("\\n +"), " ");
  };
  // In X, thing is the embedding's 0 or 1 and cos(0.01 i); one is cos(0.000316 i). At place 6: 0.9982 and 1.0000.
  CHECK_THAT(prose({}),
             ContainsSubstring("In X, thing stands on a slow wave, 0.998 to 1.000 here. Channel 15, \"one\", "
                               "holds such a wave and nothing else. Taken off, it leaves what the embedding "
                               "says: largest difference 0.0018."));
  CHECK_THAT(prose({"--positions", "none"}),
             ContainsSubstring("Channel 15, \"one\", holds a wave alone, and there are none: it is 0."));
  CHECK(prose({"--weights", "torch"}).find("\"one\"") == std::string::npos);
}
