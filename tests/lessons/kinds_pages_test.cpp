#include "catch.hpp"
#include "lessons/run_lesson.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

// What the traces and pages of lessons 13 and 14 claim, as a reader gets them.

namespace {

using Values = std::vector<double>;

struct Matrix {
  std::vector<std::size_t> shape;
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  Values values;

  [[nodiscard]] std::size_t width() const { return shape.back(); }
  [[nodiscard]] double at(std::size_t i, std::size_t j) const { return values[i * width() + j]; }
  [[nodiscard]] double row_sum(std::size_t i) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < width(); ++j) sum += at(i, j);
    return sum;
  }
};

double number_of(const nlohmann::json& value) {
  if (value.is_number()) return value.get<double>();
  return value == "inf" ? INFINITY : value == "-inf" ? -INFINITY : NAN;
}

nlohmann::json trace_of(const std::string& lesson, std::vector<std::string> options) {
  options.insert(options.end(), {"--face", "json"});
  const Ran ran = run_lesson(lesson, options);
  CAPTURE(written(options), ran.output.substr(0, 200));
  REQUIRE(ran.status == 0);
  return nlohmann::json::parse(ran.output);
}

Matrix step_of(const nlohmann::json& trace, const std::string& name) {
  for (const auto& step : trace["steps"]) {
    if (step["name"] != name) continue;
    Matrix matrix{step["shape"], step["rows"], step["columns"], {}};
    for (const auto& value : step["values"]) matrix.values.push_back(number_of(value));
    return matrix;
  }
  FAIL("there is no step " << name);
  return {};
}

}  // namespace

TEST_CASE("the three kinds share one function and differ in who asks and what is hidden", "[lessons][kinds]") {
  for (const char* weights : {"crafted", "torch"}) {
    const nlohmann::json trace = trace_of("13_three_kinds", {"--weights", weights});
    const Matrix encoder = step_of(trace, "encoder.weights");
    const Matrix decoder = step_of(trace, "decoder.weights");
    const Matrix cross = step_of(trace, "cross.weights");
    CHECK(encoder.shape == std::vector<std::size_t>{7, 7});
    CHECK(decoder.shape == std::vector<std::size_t>{6, 6});
    CHECK(cross.shape == std::vector<std::size_t>{3, 5});
    CHECK(cross.rows == std::vector<std::string>{"Hello", "everyone", "."});
    CHECK(cross.columns == std::vector<std::string>{"Bonjour", "tout", "le", "monde", "."});
    CHECK(step_of(trace, "swapped.weights").shape == std::vector<std::size_t>{5, 3});
    for (const Matrix& kind : {encoder, decoder, cross}) {
      for (std::size_t i = 0; i < kind.shape[0]; ++i) CHECK(std::abs(kind.row_sum(i) - 1.0) < 1e-6);
    }
    for (std::size_t i = 0; i < 7; ++i) {
      for (std::size_t j = 0; j < 7; ++j) CHECK(encoder.at(i, j) > 0.0);
    }
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) CHECK((decoder.at(i, j) > 0.0) == (j <= i));
    }
  }
}

TEST_CASE("the masks of padded sentences hide the padding of the text that is looked at", "[lessons][kinds]") {
  const nlohmann::json trace = trace_of("13_three_kinds", {"--text", "the cat", "--memory", "a dog barked"});
  const Matrix decoder = step_of(trace, "decoder_mask");
  const Matrix cross = step_of(trace, "cross_mask");
  CHECK(decoder.values == Values{1, 0, 0, 1, 1, 0, 1, 1, 0});
  CHECK(cross.values == Values{1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0});
  CHECK(cross.columns == std::vector<std::string>{"a", "dog", "barked", "<pad>"});
}

TEST_CASE("--memory gives the text that is asked, and stands in the trace and in commands to try",
          "[lessons][memory]") {
  for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
           {"--memory", "a dog", "--text", "the cat sat"}, {"--text=the cat sat", "--memory=a dog"}}) {
    const nlohmann::json trace = trace_of("13_three_kinds", options);
    CHECK(trace["options"]["memory"] == "a dog");
    CHECK(trace["options"]["text"] == "the cat sat");
    CHECK(step_of(trace, "cross.scores").shape == std::vector<std::size_t>{3, 2});
    CHECK_THAT(run_lesson("13_three_kinds", options).output,
               ContainsSubstring("lessons/run 13 --text \"the cat sat\" --memory \"a dog\" --weights torch"));
  }
  CHECK(trace_of("13_three_kinds", {})["options"]["memory"] == "Bonjour tout le monde.");
}

TEST_CASE("a memory without words is refused, and so is any memory where a lesson has one text", "[lessons][memory]") {
  const Ran blank = run_lesson("13_three_kinds", {"--memory", " "});
  CHECK(blank.status == 2);
  CHECK_THAT(blank.output, ContainsSubstring("--memory has no words"));
  for (const std::string& lesson : lesson_names()) {
    const std::string page = run_lesson(lesson, {"--face", "json"}).output;
    const bool has_two = nlohmann::json::parse(page)["options"].contains("memory");
    const Ran ran = run_lesson(lesson, {"--memory", "a dog"});
    CAPTURE(lesson, has_two);
    CHECK(ran.status == (has_two ? 0 : 2));
    if (!has_two) {
      CHECK(ran.output ==
            lesson + ": --memory gives a second text, and this lesson has only one: leave out --memory\n");
    }
  }
}

TEST_CASE("in the module's batch padding gets nothing by columns, and by rows all that it would get without a mask",
          "[lessons][module]") {
  for (const char* weights : {"crafted", "torch"}) {
    const nlohmann::json trace = trace_of("14_module", {"--weights", weights});
    CHECK(step_of(trace, "ids").shape == std::vector<std::size_t>{2, 7});
    CHECK(step_of(trace, "weights").shape == std::vector<std::size_t>{2, 4, 7, 7});
    const Matrix columns = step_of(trace, "hidden_columns");
    const Matrix rows = step_of(trace, "hidden_rows");
    CHECK(columns.rows == std::vector<std::string>{"the", "dog", "barked", ".", "<pad>", "<pad>", "<pad>"});
    for (std::size_t i = 0; i < 7; ++i) {
      for (std::size_t j = 4; j < 7; ++j) {
        CHECK(columns.at(i, j) == 0.0);
        CHECK((i < 4 ? rows.at(i, j) > 0.0 : std::isnan(rows.at(i, j))));
      }
    }
    // The output of the four words is what they get alone.
    const Matrix output = step_of(trace, "output");
    const Matrix alone = step_of(trace, "alone.output");
    REQUIRE(alone.shape == std::vector<std::size_t>{1, 4, 16});
    for (std::size_t k = 0; k < alone.values.size(); ++k) CHECK(output.values[7 * 16 + k] == alone.values[k]);
  }
}

TEST_CASE("after dropout each weight is 0 or doubled, and other seeds drop others", "[lessons][module]") {
  const nlohmann::json trace = trace_of("14_module", {});
  const Matrix weights = step_of(trace, "weights");
  const Matrix kept = step_of(trace, "kept");
  const Matrix dropped = step_of(trace, "dropped");
  for (std::size_t k = 0; k < weights.values.size(); ++k) {
    CHECK((kept.values[k] == 0.0 || kept.values[k] == 1.0));
    // Exactly: a float that is doubled loses nothing, and a trace prints floats so that they read back as the same. (In
    // double the two decimal texts may differ by half a unit in the last place of a float, 6e-8 below 2 for each.)
    CHECK(static_cast<float>(dropped.values[k]) ==
          2.0F * static_cast<float>(kept.values[k]) * static_cast<float>(weights.values[k]));
  }
  const auto ones = std::count(kept.values.begin(), kept.values.end(), 1.0);
  CHECK(ones > 150);  // of 392, half: within 5 standard deviations of 9.9
  CHECK(ones < 242);
  CHECK(step_of(trace_of("14_module", {"--seed", "1"}), "kept").values != kept.values);
}

TEST_CASE("the PyTorch lines of lessons 13 and 14 are lines as Python takes them", "[lessons][pytorch]") {
  for (const char* lesson : {"13_three_kinds", "14_module"}) {
    for (const char* text : {"the cat sat. a dog",
                             "the quick brown fox and the lazy dog and the cat and the mouse and a "
                             "bird that saw the man who had a tall house with a red door."}) {
      const std::string page = run_lesson(lesson, {"--text", text, "--weights", "torch"}).output;
      const std::string code = page.substr(page.find(" PyTorch"));
      // A line that is too long would be broken, and Python would read its end as a line of its own.
      CHECK(std::count(code.begin(), code.end(), '(') == std::count(code.begin(), code.end(), ')'));
      CHECK_THAT(code, ContainsSubstring("print("));
    }
  }
}
