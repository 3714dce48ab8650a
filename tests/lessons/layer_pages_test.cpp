#include "catch.hpp"
#include "lessons/run_lesson.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

// What the traces and pages of lessons 19 and 20 claim, as a reader gets them.

namespace {

using Values = std::vector<double>;
using Options = std::vector<std::string>;

struct Matrix {
  std::vector<std::size_t> shape;
  Values values;

  [[nodiscard]] double at(std::size_t i, std::size_t j) const { return values[i * shape.back() + j]; }
  [[nodiscard]] Values row(std::size_t i) const {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(i * shape.back());
    return {begin, begin + static_cast<std::ptrdiff_t>(shape.back())};
  }
};

double number_of(const nlohmann::json& value) {
  if (value.is_number()) return value.get<double>();
  return value == "inf" ? INFINITY : value == "-inf" ? -INFINITY : NAN;
}

nlohmann::json trace_of(const std::string& lesson, Options options) {
  options.insert(options.end(), {"--face", "json"});
  const Ran ran = run_lesson(lesson, options);
  CAPTURE(written(options), ran.output.substr(0, 200));
  REQUIRE(ran.status == 0);
  return nlohmann::json::parse(ran.output);
}

bool has_step(const nlohmann::json& trace, const std::string& name) {
  const auto& steps = trace["steps"];
  return std::any_of(steps.begin(), steps.end(), [&](const auto& step) { return step["name"] == name; });
}

Matrix step_of(const nlohmann::json& trace, const std::string& name) {
  for (const auto& step : trace["steps"]) {
    if (step["name"] != name) continue;
    Matrix matrix{step["shape"], {}};
    for (const auto& value : step["values"]) matrix.values.push_back(number_of(value));
    return matrix;
  }
  FAIL("there is no step " << name);
  return {};
}

double largest_difference(const Values& a, const Values& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double difference = std::abs(a[k] - b[k]);
    if (!(difference <= largest)) largest = difference;  // NaN stays
  }
  return largest;
}

double mean_of(const Values& row) {
  return std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(row.size());
}

double variance_of(const Values& row) {
  const double mean = mean_of(row);
  double squares = 0.0;
  for (const double x : row) squares += (x - mean) * (x - mean);
  return squares / static_cast<double>(row.size());
}

const std::vector<Options> worlds = {{},
                                     {"--weights", "torch"},
                                     {"--weights", "torch", "--d-model", "18", "--heads", "2", "--seed", "3"},
                                     {"--text", "The dog barked very loudly.", "--head", "3"}};

}  // namespace

TEST_CASE("turned queries and keys give the same scores five places later, added waves do not", "[lessons][rotary]") {
  for (const Options& options : worlds) {
    CAPTURE(written(options));
    const nlohmann::json trace = trace_of("19_relative_positions", options);
    const Matrix rotary = step_of(trace, "rotary");
    // Scores are a few units; the angles' cosines are rounded to float once: some 1e-7 each.
    CHECK(largest_difference(rotary.values, step_of(trace, "moved").values) < 1e-5);
    CHECK(largest_difference(step_of(trace, "halves").values, step_of(trace, "halves_moved").values) < 1e-5);
    CHECK(largest_difference(step_of(trace, "mixed").values, step_of(trace, "mixed_moved").values) > 0.1);
    CHECK(largest_difference(step_of(trace, "added").values, step_of(trace, "added_later").values) > 1e-3);
    CHECK(largest_difference(step_of(trace, "halves").values, rotary.values) > 0.1);
  }
}

TEST_CASE("a key that turns alone, by its distance, gives the same score", "[lessons][rotary]") {
  for (const Options& options : worlds) {
    CAPTURE(written(options));
    const nlohmann::json trace = trace_of("19_relative_positions", options);
    const Matrix row = step_of(trace, "distances_row");
    const auto i = static_cast<std::size_t>(std::find(row.values.begin(), row.values.end(), 0.0) - row.values.begin());
    CHECK(largest_difference(step_of(trace, "alone").values, step_of(trace, "rotary").row(i)) < 1e-5);
  }
}

TEST_CASE("a turned query keeps its length, and its first pair turns by one radian a place", "[lessons][rotary]") {
  const nlohmann::json trace = trace_of("19_relative_positions", {"--weights", "torch"});
  const Matrix turned = step_of(trace, "turned");
  const double angle = std::atan2(turned.at(0, 1), turned.at(0, 0));
  const double length = std::hypot(turned.at(0, 0), turned.at(0, 1));
  for (std::size_t m = 0; m < turned.shape[0]; ++m) {
    const double expected = angle + static_cast<double>(m);
    CHECK(std::abs(turned.at(m, 0) - length * std::cos(expected)) < 1e-6);
    CHECK(std::abs(turned.at(m, 1) - length * std::sin(expected)) < 1e-6);
  }
}

TEST_CASE("an odd channel does not turn, and a head of one channel has no rotary parts", "[lessons][rotary]") {
  const nlohmann::json odd =
      trace_of("19_relative_positions", {"--weights", "torch", "--d-model", "6", "--heads", "2"});
  const Matrix query = step_of(odd, "query");
  const Matrix turned = step_of(odd, "turned");
  for (std::size_t m = 0; m < 5; ++m) CHECK(turned.at(m, 2) == query.at(m, 2));
  CHECK(turned.at(1, 0) != query.at(1, 0));

  const Options single = {"--weights", "torch", "--d-model", "3", "--heads", "3"};
  CHECK_FALSE(has_step(trace_of("19_relative_positions", single), "rotary"));
  CHECK_THAT(run_lesson("19_relative_positions", single).output, ContainsSubstring("a head of one channel"));
}

TEST_CASE("ALiBi adds slope times distance, so that near words gain; with the sign mistaken far ones do",
          "[lessons][alibi]") {
  for (const Options& options : worlds) {
    CAPTURE(written(options));
    const nlohmann::json trace = trace_of("19_relative_positions", options);
    const Matrix slopes = step_of(trace, "slopes");
    const Matrix bias = step_of(trace, "bias");
    const Matrix weights = step_of(trace, "weights");
    const Matrix nearer = step_of(trace, "nearer");
    const Matrix farther = step_of(trace, "farther");
    const std::size_t n = weights.shape[0];
    REQUIRE(bias.shape == std::vector<std::size_t>{slopes.values.size(), n, n});
    for (std::size_t h = 0; h < slopes.values.size(); ++h) {
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t row = h * n + i;
        for (std::size_t j = 0; j < n; ++j) {
          const double distance = static_cast<double>(j) - static_cast<double>(i);
          CHECK(std::abs(bias.at(row, j) - slopes.values[h] * distance) < 1e-6);
          if (j > i) CHECK(nearer.at(row, j) == 0.0);
        }
        CHECK(std::abs(mean_of(nearer.row(row)) * static_cast<double>(n) - 1.0) < 1e-6);
        if (i > 0) CHECK(nearer.at(row, i) > weights.at(i, i));
        if (i > 0) CHECK(farther.at(row, i) < weights.at(i, i));
      }
    }
  }
}

TEST_CASE("six heads take the slopes of four and every second of eight, in the lesson too", "[lessons][alibi]") {
  const Options options = {"--weights", "torch", "--d-model", "12", "--heads", "6"};
  CHECK(step_of(trace_of("19_relative_positions", options), "slopes").values ==
        Values{0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125});
  CHECK_THAT(run_lesson("19_relative_positions", options).output,
             ContainsSubstring("1/4, 1/16, 1/64 and 1/256 for") && ContainsSubstring("first 4 of 6"));
}

TEST_CASE("lesson 19 brings its own places and mask, whatever the options say", "[lessons][rotary]") {
  const nlohmann::json trace = trace_of("19_relative_positions", {"--positions", "sinusoidal", "--mask", "none"});
  CHECK(trace["options"]["positions"] == "none");
  CHECK(trace["options"]["mask"] == "causal");
  CHECK(step_of(trace, "X").values == step_of(trace, "embeddings").values);
}

TEST_CASE("a layer adds what attention found, and norms each row to mean 0 and variance 1", "[lessons][layer]") {
  for (const Options& options : worlds) {
    CAPTURE(written(options));
    const nlohmann::json trace = trace_of("20_layer", options);
    const Matrix X = step_of(trace, "X");
    const Matrix attention = step_of(trace, "attention");
    const Matrix sum = step_of(trace, "after_attention");
    for (std::size_t k = 0; k < sum.values.size(); ++k) {
      CHECK(std::abs(sum.values[k] - X.values[k] - attention.values[k]) < 1e-6);
    }
    for (const char* name : {"norm_1", "output", "y", "z", "decoded", "memory"}) {
      const Matrix normed = step_of(trace, name);
      for (std::size_t i = 0; i < normed.shape[0]; ++i) {
        CHECK(std::abs(mean_of(normed.row(i))) < 1e-6);
        CHECK(std::abs(variance_of(normed.row(i)) - 1.0) < 1e-3);  // epsilon, 1e-5, over a variance above 0.01
      }
    }
  }
}

TEST_CASE("attention is lesson 12's output, and the layer's network reads each word alone", "[lessons][layer]") {
  const Matrix attention = step_of(trace_of("20_layer", {}), "attention");
  CHECK(attention.values == step_of(trace_of("12_output_projection", {}), "output").values);
  // A word with the same row before the network has the same row after it, whatever stands around it.
  const nlohmann::json one = trace_of("20_layer", {"--text", "cat", "--positions", "none"});
  const nlohmann::json three = trace_of("20_layer", {"--text", "cat cat cat", "--positions", "none"});
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(largest_difference(step_of(three, "network").row(i), step_of(one, "network").row(0)) < 1e-6);
  }
}

TEST_CASE("with the norm before, output minus X is what both parts wrote", "[lessons][layer]") {
  const nlohmann::json trace = trace_of("20_layer", {"--weights", "torch"});
  const Matrix X = step_of(trace, "X");
  const Matrix attention = step_of(trace, "pre.attention");
  const Matrix network = step_of(trace, "pre.network");
  const Matrix output = step_of(trace, "pre.output");
  for (std::size_t k = 0; k < X.values.size(); ++k) {
    CHECK(std::abs(output.values[k] - X.values[k] - attention.values[k] - network.values[k]) < 1e-6);
  }
  CHECK(largest_difference(output.values, step_of(trace, "output").values) > 0.1);
}

TEST_CASE("a decoder's layer never reads ahead, an encoder's does", "[lessons][layer]") {
  for (const char* weights : {"crafted", "torch"}) {
    const nlohmann::json before = trace_of("20_layer", {"--weights", weights, "--text", "the cat sat on the mat"});
    const nlohmann::json after = trace_of("20_layer", {"--weights", weights, "--text", "the cat sat on the dog"});
    double encoder_moves = 0.0;
    for (std::size_t i = 0; i < 5; ++i) {
      CAPTURE(weights, i);
      CHECK(step_of(before, "decoded").row(i) == step_of(after, "decoded").row(i));
      encoder_moves = std::max(encoder_moves,
                               largest_difference(step_of(before, "output").row(i), step_of(after, "output").row(i)));
    }
    CHECK(encoder_moves > 1e-3);
    CHECK(step_of(before, "decoded").row(5) != step_of(after, "decoded").row(5));
  }
}

TEST_CASE("another memory moves what is made after self-attention, and nothing before", "[lessons][layer][memory]") {
  const nlohmann::json before = trace_of("20_layer", {});
  const nlohmann::json after = trace_of("20_layer", {"--memory", "a dog"});
  CHECK(before["options"]["memory"] == "Is the cat here?");
  CHECK(after["options"]["memory"] == "a dog");
  CHECK(step_of(before, "cross_weights").shape == std::vector<std::size_t>{7, 5});
  CHECK(step_of(after, "cross_weights").shape == std::vector<std::size_t>{7, 2});
  CHECK(step_of(before, "y").values == step_of(after, "y").values);
  CHECK(step_of(before, "output").values == step_of(after, "output").values);
  CHECK(step_of(before, "z").values != step_of(after, "z").values);
}

TEST_CASE("the numbers that layers learn are counted as their formulas say", "[lessons][layer]") {
  for (const std::size_t d : {std::size_t{6}, std::size_t{16}}) {
    const nlohmann::json trace =
        trace_of("20_layer", {"--weights", "torch", "--d-model", std::to_string(d), "--heads", "2"});
    const auto number = [](std::size_t count) { return static_cast<double>(count); };
    const double attention = number(4 * d * d + d);
    const double network = number(8 * d * d + 5 * d);
    CHECK(step_of(trace, "parts").values ==
          Values{attention, 2 * attention, network, network, number(4 * d), number(6 * d)});
    CHECK(step_of(trace, "total").values == Values{number(12 * d * d + 10 * d), number(16 * d * d + 13 * d)});
    CHECK(step_of(trace, "hidden").shape.back() == 4 * d);
  }
}

TEST_CASE("layers of many words and channels are refused in a line", "[lessons][layer]") {
  const Ran ran = run_lesson("20_layer", {"--weights", "torch", "--d-model", "2048", "--heads", "8"});
  CHECK(ran.status == 2);
  CHECK(ran.output ==
        "20_layer: 12 words in both texts and d_model 2048 together are too much work for whole layers: give shorter "
        "texts or a smaller d_model\n");
}
