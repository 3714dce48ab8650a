#include "catch.hpp"
#include "lessons/run_lesson.hpp"
#include "lessons/texts.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

// What the traces and pages of the lessons on masks and on the cache claim, as a reader gets them.

namespace {

using Row = std::vector<double>;

nlohmann::json trace_of(const std::string& lesson, std::vector<std::string> options) {
  options.insert(options.end(), {"--face", "json"});
  const Ran ran = run_lesson(lesson, options);
  CAPTURE(lesson, written(options), ran.output.substr(0, 200));
  REQUIRE(ran.status == 0);
  return nlohmann::json::parse(ran.output);
}

std::string page_of(const std::string& lesson, const std::vector<std::string>& options) {
  const Ran ran = run_lesson(lesson, options);
  CAPTURE(lesson, written(options), ran.output);
  REQUIRE(ran.status == 0);
  // One line, so that a sentence is found wherever it was broken.
  std::string page;
  for (const char letter : ran.output) {
    const bool blank = letter == ' ' || letter == '\n';
    if (!blank || page.empty() || page.back() != ' ') page += blank ? ' ' : letter;
  }
  return page;
}

const nlohmann::json& step_named(const nlohmann::json& trace, const std::string& name) {
  for (const auto& step : trace["steps"]) {
    if (step["name"] == name) return step;
  }
  FAIL("there is no step " << name);
  return trace;
}

bool has_step(const nlohmann::json& trace, const std::string& name) {
  return std::any_of(trace["steps"].begin(), trace["steps"].end(),
                     [&](const nlohmann::json& step) { return step["name"] == name; });
}

Row values_of(const nlohmann::json& trace, const std::string& name) {
  Row values;
  for (const auto& value : step_named(trace, name)["values"]) {
    values.push_back(value.is_number() ? value.get<double>()
                     : value == "inf"  ? INFINITY
                     : value == "nan"  ? NAN
                                       : -INFINITY);
  }
  return values;
}

/// Row i of a matrix.
Row row_of(const nlohmann::json& trace, const std::string& name, std::size_t i) {
  const Row values = values_of(trace, name);
  const std::size_t width = step_named(trace, name)["shape"].back();
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(i * width);
  return {begin, begin + static_cast<std::ptrdiff_t>(width)};
}

bool all_nan(const Row& row) {
  return std::all_of(row.begin(), row.end(), [](double x) { return std::isnan(x); });
}

bool same(const Row& a, const Row& b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) { return x == y || (x != x && y != y); });
}

double largest_difference(const Row& a, const Row& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
  return largest;
}

std::vector<std::vector<std::string>> worlds(const std::string& text) {
  return {{"--text", text}, {"--text", text, "--weights", "torch", "--seed", "3"}};
}

std::size_t length_of(const nlohmann::json& trace) {
  return step_named(trace, "tokens")["values"].size();
}

}  // namespace

TEST_CASE("one mask in three notations leaves the same scores, whatever the text", "[lessons][mask]") {
  for (const std::string& text : proving_texts()) {
    for (const std::vector<std::string>& options : worlds(text)) {
      CAPTURE(written(options));
      const nlohmann::json trace = trace_of("15_mask_lab", options);
      const Row masked = values_of(trace, "masked");
      CHECK(same(values_of(trace, "by_hide"), masked));
      CHECK(same(values_of(trace, "by_adding"), masked));
      const Row keep = values_of(trace, "mask");
      const Row hide = values_of(trace, "hide");
      for (std::size_t k = 0; k < keep.size(); ++k) CHECK(keep[k] + hide[k] == 1.0);
      CHECK_THAT(page_of("15_mask_lab", options), ContainsSubstring("largest difference 0 and 0."));
    }
  }
}

TEST_CASE("a mask read the wrong way gives hidden words what was to be kept from them, and its rows still sum to 1",
          "[lessons][mask]") {
  const nlohmann::json trace = trace_of("15_mask_lab", {});
  for (std::size_t i = 0; i < 3; ++i) {
    const Row swapped = row_of(trace, "swapped", i);
    const Row added = row_of(trace, "ones_added", i);
    double to_hidden = 0.0;
    double sum = 0.0;
    for (std::size_t j = 0; j < 4; ++j) {
      if (j > i) to_hidden += swapped[j];
      sum += added[j];
      CHECK(added[j] > 0.0);
    }
    CHECK_THAT(to_hidden, WithinAbs(1.0, 1e-6));
    CHECK_THAT(sum, WithinAbs(1.0, 1e-6));
    CHECK(all_nan(row_of(trace, "flipped", i)));
  }
  CHECK(all_nan(row_of(trace, "swapped", 3)));
  CHECK_THAT(page_of("15_mask_lab", {}), ContainsSubstring("\"dog\" gives hidden words 1.000 swapped, and 0.603"));
  CHECK_THAT(page_of("15_mask_lab", {}), ContainsSubstring("of all 4 rows, in 1 swapped, in 3 with M subtracted"));
}

TEST_CASE("two masks hide the same cells in each notation, and multiplied as 1 hides they hide fewer",
          "[lessons][mask]") {
  const nlohmann::json trace = trace_of("15_mask_lab", {});
  CHECK(values_of(trace, "both") == Row{1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0});
  const Row both = values_of(trace, "both");
  const Row hides = values_of(trace, "either_hides");
  const Row to_add = values_of(trace, "both_to_add");
  for (std::size_t k = 0; k < both.size(); ++k) {
    CHECK(hides[k] == 1.0 - both[k]);
    CHECK(to_add[k] == (both[k] == 1.0 ? 0.0 : -INFINITY));
  }
  CHECK(values_of(trace, "too_open") == Row{1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1});
  CHECK_THAT(page_of("15_mask_lab", {}), ContainsSubstring("the two hide 7, 7 and 7 of 16 cells"));
  CHECK_THAT(page_of("15_mask_lab", {}), ContainsSubstring("only what both hide: 3. 4 are left open."));
}

TEST_CASE("an empty row is nan, zeros or uniform, and uniform collects the average of all values", "[lessons][mask]") {
  for (const std::string& text : proving_texts()) {
    for (const std::vector<std::string>& options : worlds(text)) {
      CAPTURE(written(options));
      const nlohmann::json trace = trace_of("15_mask_lab", options);
      const std::size_t seq_len = length_of(trace);
      CHECK(all_nan(row_of(trace, "nobody", 0)));
      CHECK(all_nan(row_of(trace, "takes", 0)));
      CHECK(row_of(trace, "nobody", 1) == Row(seq_len, 0.0));
      // Exactly the float next to 1 / seq_len: traces print floats so that they read back as the same.
      for (const double weight : row_of(trace, "nobody", 2)) {
        CHECK(static_cast<float>(weight) == 1.0F / static_cast<float>(seq_len));
      }
      const Row V = values_of(trace, "V");
      const Row uniform = row_of(trace, "takes", 2);
      for (std::size_t d = 0; d < uniform.size(); ++d) {
        double total = 0.0;
        for (std::size_t j = 0; j < seq_len; ++j) total += V[j * uniform.size() + d];
        CHECK_THAT(uniform[d], WithinAbs(total / static_cast<double>(seq_len), 1e-5));
      }
    }
  }
}

TEST_CASE("each large number fails somewhere where -inf does not", "[lessons][mask]") {
  const nlohmann::json trace = trace_of("15_mask_lab", {});
  CHECK(step_named(trace, "stand_ins")["rows"] ==
        nlohmann::json({"no mask", "-1e4", "-1e9", "-3.4e38", "-3.4e38, twice", "-inf"}));
  CHECK(largest_difference(row_of(trace, "stand_ins", 1), row_of(trace, "stand_ins", 0)) < 5e-4);
  CHECK(largest_difference(row_of(trace, "stand_ins", 0), Row(4, 0.25)) > 0.02);
  CHECK(row_of(trace, "stand_ins", 2) == Row(4, 0.25));
  CHECK(row_of(trace, "stand_ins", 3) == Row(4, 0.25));
  CHECK(all_nan(row_of(trace, "stand_ins", 4)));
  CHECK(all_nan(row_of(trace, "stand_ins", 5)));
  // By growing scores: to hidden words go ...
  CHECK(row_of(trace, "leaks", 0) == Row{0, 1, 1});
  CHECK(row_of(trace, "leaks", 1) == Row{0, 0, 1});
  CHECK(row_of(trace, "leaks", 2) == Row{0, 0, 0});
  CHECK(row_of(trace, "leaks", 3) == Row{0, 0, 0});
  for (const std::string& text : proving_texts()) {
    for (const std::vector<std::string>& options : worlds(text)) {
      const nlohmann::json other = trace_of("15_mask_lab", options);
      if (length_of(other) > 1) CHECK(row_of(other, "leaks", 3) == Row{0, 0, 0});
    }
  }
}

TEST_CASE("with the cache, word by word, each row is exactly what it is all at once", "[lessons][cache]") {
  for (const std::string& text : proving_texts()) {
    for (const std::vector<std::string>& options : worlds(text)) {
      CAPTURE(written(options));
      const nlohmann::json trace = trace_of("18_cache", options);
      const std::size_t seq_len = length_of(trace);
      const std::size_t begin = seq_len > 16 ? seq_len - 16 : 0;
      CHECK(step_named(trace, "written.weights")["shape"] == nlohmann::json({seq_len - begin, seq_len}));
      for (std::size_t t = begin; t < seq_len; ++t) {
        CHECK(row_of(trace, "written.weights", t - begin) == row_of(trace, "weights", t));
        CHECK(row_of(trace, "written.context", t - begin) == row_of(trace, "context", t));
        const std::string own = "step" + std::to_string(t + 1) + ".";
        CHECK(step_named(trace, own + "query")["shape"][0] == 1);
        CHECK(step_named(trace, own + "K")["shape"][0] == t + 1);
      }
      CHECK(has_step(trace, "start.K") == (begin > 0));
      CHECK_THAT(page_of("18_cache", options), ContainsSubstring("difference in the weights: 0, in the context: 0."));
    }
  }
}

TEST_CASE("a later word moves old contexts unless the causal mask hides it", "[lessons][cache]") {
  for (const std::string& text : proving_texts()) {
    for (const std::vector<std::string>& options : worlds(text)) {
      CAPTURE(written(options));
      const nlohmann::json trace = trace_of("18_cache", options);
      if (length_of(trace) == 1) continue;
      for (const double distance : values_of(trace, "causal.moved")) CHECK(distance == 0.0);
      if (text == "the cat sat on the mat.") {
        for (const double distance : values_of(trace, "open.moved")) CHECK(distance > 0.0);
      }
    }
  }
}

TEST_CASE("what the cache saves is counted, and agrees with the formulas", "[lessons][cache]") {
  const nlohmann::json trace = trace_of("18_cache", {});
  CHECK(values_of(trace, "work_sum") == Row{7, 28, 7, 28, 28, 140});
  CHECK(row_of(trace, "work", 1) == Row{7, 6, 5, 4, 3, 2, 1});
  CHECK(row_of(trace, "work", 5) == Row{1, 4, 9, 16, 25, 36, 49});
  std::size_t scores = 0;
  for (const auto& step : trace["steps"]) {
    const std::string name = step["name"];
    if (name.starts_with("step") && name.ends_with(".scores")) scores += step["values"].size();
  }
  CHECK(scores == 28);
  const std::string page = page_of("18_cache", {});
  CHECK_THAT(page, ContainsSubstring("Rows of K: 7, not 28. Scores: 28 (the steps of part 1 computed 28 scores), not "
                                     "140."));
  CHECK_THAT(page, ContainsSubstring("2 · 7 · 4 = 56 numbers; of 4 heads, at 4 bytes each, 896 bytes, 128 a word."));
}

TEST_CASE("a mask from the top left leaves a new word its first key only, from the bottom right all",
          "[lessons][cache]") {
  for (const std::string& text : proving_texts()) {
    for (const std::vector<std::string>& options : worlds(text)) {
      CAPTURE(written(options));
      const nlohmann::json trace = trace_of("18_cache", options);
      const std::size_t seq_len = length_of(trace);
      Row first(seq_len, 0.0);
      first[0] = 1.0;
      CHECK(values_of(trace, "alone.left") == first);
      CHECK(values_of(trace, "alone.right") == row_of(trace, "weights", seq_len - 1));
      CHECK(values_of(trace, "corner.right_context") == values_of(trace, "corner.want"));
    }
  }
  const nlohmann::json trace = trace_of("18_cache", {});
  CHECK(largest_difference(values_of(trace, "corner.open_context"), values_of(trace, "corner.want")) > 0.05);
  CHECK(largest_difference(values_of(trace, "corner.left_context"), values_of(trace, "corner.want")) > 0.5);
}
