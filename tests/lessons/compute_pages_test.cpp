#include "catch.hpp"
#include "lessons/run_lesson.hpp"
#include "lessons/trace_checker.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

// Every lesson computes as --matmul and --threads say, and its numbers stay what they are.

namespace {

using Arguments = std::vector<std::string>;

const Arguments crafted = {};
const Arguments torch = {"--weights", "torch", "--d-model", "64", "--heads", "4"};

std::string output_of(const std::string& lesson, Arguments options, const Arguments& more) {
  options.insert(options.end(), more.begin(), more.end());
  const Ran ran = run_lesson(lesson, options);
  CAPTURE(lesson, written(options), ran.output.substr(0, 200));
  REQUIRE(ran.status == 0);
  return ran.output;
}

Arguments blocked(const char* threads) {
  return {"--matmul", "blocked", "--threads", threads};
}

Arguments as_trace(Arguments options) {
  options.insert(options.end(), {"--face", "json"});
  return options;
}

/// The float that is written there. Infinities and nan are strings in a trace.
double number_of(const nlohmann::json& value) {
  return static_cast<double>(value.is_number() ? value.get<float>() : std::stof(value.get<std::string>()));
}

std::vector<double> numbers_of(const nlohmann::json& step) {
  std::vector<double> numbers;
  for (const auto& value : step["values"]) numbers.push_back(number_of(value));
  return numbers;
}

const nlohmann::json& step_of(const nlohmann::json& trace, const nlohmann::json& name) {
  const auto& steps = trace["steps"];
  return *std::find_if(steps.begin(), steps.end(), [&](const auto& step) { return step["name"] == name; });
}

/// Steps whose numbers differ by more than floats do that went through a dozen sums one after the other: a millionth of
/// the step's largest number for each.
std::string steps_that_differ(const nlohmann::json& naive, const nlohmann::json& fast) {
  if (naive["steps"].size() != fast["steps"].size()) return "there are other steps";
  std::string names;
  for (std::size_t k = 0; k < naive["steps"].size(); ++k) {
    const auto& step = naive["steps"][k];
    const std::vector<double> want = numbers_of(step);
    const std::vector<double> got = numbers_of(fast["steps"][k]);
    bool same = step["name"] == fast["steps"][k]["name"] && want.size() == got.size();
    double largest = 1.0;
    for (const double x : want) {
      if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
    }
    for (std::size_t n = 0; same && n < want.size(); ++n) {
      same = want[n] == got[n] || (std::isnan(want[n]) && std::isnan(got[n])) ||
             std::abs(want[n] - got[n]) <= 12e-6 * largest;
    }
    if (!same) names += step["name"].get<std::string>() + " ";
  }
  return names;
}

/// The matrices of a step, one for each of its leading indices.
struct Matrices {
  explicit Matrices(const nlohmann::json& step) : numbers(numbers_of(step)) {
    const auto shape = step["shape"].get<std::vector<std::size_t>>();
    columns = shape.empty() ? 1 : shape.back();
    rows = shape.size() < 2 ? 1 : shape[shape.size() - 2];
    count = rows * columns == 0 ? 0 : numbers.size() / (rows * columns);
  }
  /// Of a step with one matrix it is that one, whichever is asked for.
  [[nodiscard]] double at(std::size_t matrix, std::size_t i, std::size_t j) const {
    return numbers[(matrix % count * rows + i) * columns + j];
  }
  std::vector<double> numbers;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t count = 0;
};

bool is_rounded(double number, double exact) {
  return number == static_cast<double>(static_cast<float>(exact)) || (std::isnan(number) && std::isnan(exact));
}

bool is_product(const nlohmann::json& step) {
  return step["op"] == "matmul" || step["op"] == "matmul_transposed" || step["op"] == "linear";
}

bool is_softmax_of_rows(const nlohmann::json& step) {
  return step["op"] == "softmax" && step["attributes"]["axis"] == -1 && !step["attributes"].contains("empty");
}

/// Whether each number is its sum in double, rounded: so the naive way has it. Sums in float are that now and then, but
/// not all of many.
bool is_summed_in_double(const nlohmann::json& trace, const nlohmann::json& step) {
  const auto& inputs = step["inputs"];
  const Matrices result(step);
  const Matrices a(step_of(trace, inputs[0]));
  const Matrices b(step_of(trace, inputs[1]));
  std::vector<double> bias(result.columns, 0.0);
  if (inputs.size() > 2) bias = numbers_of(step_of(trace, inputs[2]));
  for (std::size_t m = 0; m < result.count; ++m) {
    for (std::size_t i = 0; i < result.rows; ++i) {
      for (std::size_t j = 0; j < result.columns; ++j) {
        double sum = 0.0;
        for (std::size_t k = 0; k < a.columns; ++k) {
          sum += a.at(m, i, k) * (step["op"] == "matmul" ? b.at(m, k, j) : b.at(m, j, k));
        }
        const double rounded_twice = static_cast<double>(static_cast<float>(sum)) + bias[j];
        const double number = result.at(m, i, j);
        if (!is_rounded(number, sum + bias[j]) && !is_rounded(number, rounded_twice)) return false;
      }
    }
  }
  return true;
}

/// The same of the shares of a row.
bool is_shared_out_in_double(const nlohmann::json& trace, const nlohmann::json& step) {
  const Matrices result(step);
  const Matrices a(step_of(trace, step["inputs"][0]));
  for (std::size_t m = 0; m < result.count; ++m) {
    for (std::size_t i = 0; i < result.rows; ++i) {
      double largest = -INFINITY;
      double sum = 0.0;
      for (std::size_t j = 0; j < a.columns; ++j) largest = std::max(largest, a.at(m, i, j));
      for (std::size_t j = 0; j < a.columns; ++j) sum += std::exp(a.at(m, i, j) - largest);
      for (std::size_t j = 0; j < a.columns; ++j) {
        if (!is_rounded(result.at(m, i, j), std::exp(a.at(m, i, j) - largest) / sum)) return false;
      }
    }
  }
  return true;
}

/// The products and softmaxes of a trace that are large enough to tell how they were computed: their names, by whether
/// that was in double.
struct Computed {
  std::set<std::string> in_double;
  std::set<std::string> in_float;
};

Computed computed_in(const nlohmann::json& trace) {
  Computed computed;
  for (const auto& step : trace["steps"]) {
    if (!is_product(step) && !is_softmax_of_rows(step)) continue;
    const std::size_t depth = step_of(trace, step["inputs"][0])["shape"].back();
    if (depth < 4 || step["values"].size() < 30) continue;
    const bool in_double = is_product(step) ? is_summed_in_double(trace, step) : is_shared_out_in_double(trace, step);
    (in_double ? computed.in_double : computed.in_float).insert(step["name"].get<std::string>());
  }
  return computed;
}

std::string listed(const std::set<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += name + " ";
  return list;
}

}  // namespace

TEST_CASE("a blocked page has the numbers of the naive one, and each follows from earlier ones", "[lessons][compute]") {
  for (const std::string& lesson : lesson_names()) {
    for (const Arguments& options : {crafted, torch}) {
      CAPTURE(lesson, written(options));
      const std::string fast = output_of(lesson, options, as_trace(blocked("2")));
      std::string problems;
      for (const std::string& problem : problems_of_trace(fast)) problems += problem + "\n";
      CHECK(problems == "");
      const std::string naive = output_of(lesson, options, as_trace({}));
      CHECK(steps_that_differ(nlohmann::json::parse(naive), nlohmann::json::parse(fast)) == "");
    }
  }
}

TEST_CASE("a blocked page is the same for any number of threads, byte for byte", "[lessons][compute][threads]") {
  std::string text;  // of 35 words, so that with 256 channels products are worth another thread
  for (int k = 0; k < 5; ++k) text += "the cat sat on the mat. ";
  const Arguments wide = {"--weights", "torch", "--d-model", "256", "--heads", "2", "--text", text};
  for (const std::string& lesson : lesson_names()) {
    for (const Arguments& options : {crafted, torch, wide}) {
      for (const Arguments& face : {Arguments{}, as_trace({})}) {
        if (options == wide && !face.empty()) continue;  // a trace has all, and takes its time
        CAPTURE(lesson, written(options), written(face));
        const auto page_on = [&](const char* threads) {
          Arguments more = blocked(threads);
          more.insert(more.end(), face.begin(), face.end());
          return output_of(lesson, options, more);
        };
        const std::string one = page_on("1");
        CHECK((page_on("2") == one));
        CHECK((page_on("8") == one));
      }
    }
  }
}

TEST_CASE("every product and every softmax of a row is computed as --matmul says", "[lessons][compute]") {
  Arguments options = torch;
  options.insert(options.end(), {"--text", "the cat sat on the mat and the dog barked."});
  std::size_t told = 0;
  for (const std::string& lesson : lesson_names()) {
    CAPTURE(lesson);
    const Computed naive = computed_in(nlohmann::json::parse(output_of(lesson, options, as_trace({}))));
    CHECK(listed(naive.in_float) == "");
    const Computed fast = computed_in(nlohmann::json::parse(output_of(lesson, options, as_trace(blocked("1")))));
    // A one-hot row picks a row of the table: its sums are exact in either way.
    CHECK(listed(fast.in_double) == (lesson == "02_embed" ? "product " : ""));
    told += fast.in_float.size();
  }
  CHECK(told > 150);
}
