#include "board/arithmetic.hpp"
#include "board/by_hand.hpp"
#include "board/page.hpp"
#include "board/trace.hpp"
#include "catch.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/random.hpp"
#include "tensor/reduce.hpp"
#include "tensor/tensor.hpp"
#include "text/unicode.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

// Means, norms, gelu, dropout, rotary turns: each has its line, and what is printed works out.

namespace attn {

namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const Trace& trace, const std::string& step, const Index& index, std::size_t width = 80) {
  return by_hand_lines(work_out(trace, trace.step(step), index), Page{}, {.width = width, .precision = 3}, width);
}

std::string on_one_line(const Lines& lines) {
  std::string all;
  for (const std::string& line : lines) {
    const std::size_t start = line.find_first_not_of(' ');
    if (start == std::string::npos) continue;
    all += (all.empty() ? "" : " ") + line.substr(start);
  }
  return all;
}

std::string written(double value, std::size_t decimals) {
  const std::string text = fmt::format("{:.{}f}", value, decimals);
  return text.find_first_not_of("-0.") == std::string::npos ? text.substr(text.front() == '-' ? 1 : 0) : text;
}

std::size_t decimals_of(const std::string& word) {
  const std::size_t point = word.find('.');
  return point == std::string::npos ? 0 : word.size() - point - 1;
}

/// A calculator for what stands on a page: + - · / ^2, parentheses, sqrt(..), cos(..), sin(..), Phi(..).
class Calculator {
 public:
  explicit Calculator(std::string text) : text_(std::move(text)) {}

  double value() {
    const double sum = read_sum();
    skip_blanks();
    if (at_ != text_.size()) throw std::runtime_error("what is '" + text_.substr(at_) + "' in " + text_);
    return sum;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(const std::string& symbol) {
    skip_blanks();
    if (text_.compare(at_, symbol.size(), symbol) != 0) return false;
    at_ += symbol.size();
    return true;
  }
  double read_sum() {
    double sum = read_product();
    for (;;) {
      if (take("+")) {
        sum += read_product();
      } else if (take("-")) {
        sum -= read_product();
      } else {
        return sum;
      }
    }
  }
  double read_product() {
    double product = read_power();
    for (;;) {
      if (take("·")) {
        product *= read_power();
      } else if (take("/")) {
        product /= read_power();
      } else {
        return product;
      }
    }
  }
  double read_power() {
    const double base = read_atom();
    return take("^2") ? base * base : base;
  }
  double read_atom() {
    if (take("(")) return in_parentheses();
    if (take("sqrt(")) return std::sqrt(in_parentheses());
    skip_blanks();
    char* end = nullptr;
    const double number = std::strtod(text_.c_str() + at_, &end);
    if (end == text_.c_str() + at_) throw std::runtime_error("no number at '" + text_.substr(at_) + "' in " + text_);
    at_ = static_cast<std::size_t>(end - text_.c_str());
    // "(the other 9 together)" is a remark.
    if (text_.compare(at_, 11, " (the other") == 0) at_ = text_.find(')', at_) + 1;
    return number;
  }
  double in_parentheses() {
    const double inside = read_sum();
    if (!take(")")) throw std::runtime_error("no ) in " + text_);
    return inside;
  }

  std::string text_;
  std::size_t at_ = 0;
};

/// "... = calculation = result": what the calculation gives, written with the result's decimals, is the result.
void check_last_equation(const std::string& line) {
  CAPTURE(line);
  const std::size_t last = line.rfind(" = ");
  const std::size_t start = line.rfind(" = ", last - 1);
  const std::size_t colon = line.rfind(": ", last);
  std::size_t from = start == std::string::npos ? 0 : start + 3;
  if (colon != std::string::npos) from = std::max(from, colon + 2);
  std::string result = line.substr(last + 3);
  result = result.substr(0, result.find(' '));
  CHECK(written(Calculator(line.substr(from, last - from)).value(), decimals_of(result)) == result);
}

struct Row {
  Trace trace;
  std::size_t channels = 0;
};

/// A random row, its mean and its norms.
Row random_row(std::uint32_t seed) {
  std::mt19937 engine(seed);
  Random random(seed);
  Row row;
  row.channels = 2 + engine() % 20;
  const float size = std::pow(10.0F, static_cast<float>(engine() % 4) - 1.0F);
  Tensor x = scale(random.normal({1, row.channels}), size);
  for (float& number : x.values()) {
    if (engine() % 6 == 0) number = 0.0F;
  }
  const Tensor factor = random.normal({row.channels});
  const Tensor summand = random.normal({row.channels});
  const float epsilon = 1e-5F;
  Tensor normed = x;
  Tensor by_root = x;
  double mean_of_row = 0.0;
  double squares = 0.0;
  const auto count = static_cast<double>(row.channels);
  for (const float number : x.values()) mean_of_row += static_cast<double>(number) / count;
  double variance = 0.0;
  for (const float number : x.values()) {
    const double off = static_cast<double>(number) - mean_of_row;
    variance += off * off / count;
    squares += static_cast<double>(number) * static_cast<double>(number) / count;
  }
  for (std::size_t c = 0; c < row.channels; ++c) {
    const auto number = static_cast<double>(x(0, c));
    normed(0, c) =
        static_cast<float>((number - mean_of_row) / std::sqrt(variance + 1e-5) * static_cast<double>(factor(c)) +
                           static_cast<double>(summand(c)));
    by_root(0, c) = static_cast<float>(number / std::sqrt(squares + 1e-5) * static_cast<double>(factor(c)));
  }
  row.trace.add("x", x, given().with_rows({"sat"}));
  row.trace.add("scale", factor, given());
  row.trace.add("bias", summand, given());
  row.trace.add("mean", mean(x, -1), mean("x", -1));
  row.trace.add("normed", normed, layer_norm("x", "scale", "bias", static_cast<double>(epsilon)));
  row.trace.add("rooted", by_root, rms_norm("x", "scale", static_cast<double>(epsilon)));
  return row;
}

}  // namespace

TEST_CASE("a mean is worked out as a sum over how many there are", "[by_hand]") {
  Trace trace;
  const Tensor x = Tensor::matrix({{1, 2.5F, 4}, {0, -1, 0}, {0, 0, 0}});
  trace.add("x", x, given().with_rows({"sat", "on", "mat"}));
  trace.add("mean", mean(x, -1), mean("x", -1));
  CHECK(lines_of(trace, "mean", {0}) == Lines{"mean[sat] = (1 + 2.500 + 4) / 3 = 2.500"});
  CHECK(lines_of(trace, "mean", {1}) == Lines{"mean[on] = -1 / 3 = -0.333   (all others are 0)"});
  CHECK(lines_of(trace, "mean", {2}) == Lines{"mean[mat] = (0 + 0 + 0) / 3 = 0"});
}

TEST_CASE("a mean of one 0 has no others", "[by_hand]") {
  Trace trace;
  trace.add("x", Tensor::matrix({{0}, {2}}), given());
  trace.add("mean", mean(trace.step("x").value, -1), mean("x", -1));
  CHECK(lines_of(trace, "mean", {0}) == Lines{"mean[0] = 0 / 1 = 0"});
  CHECK(lines_of(trace, "mean", {1}) == Lines{"mean[1] = 2 / 1 = 2"});
}

TEST_CASE("a long mean writes out the largest, and one subtotal stands for all others, zeros among them", "[by_hand]") {
  Trace trace;
  Tensor x({3, 12});
  for (std::size_t j = 0; j < 10; ++j) x(0, j) = static_cast<float>(j);  // 0, 10 and 11 are 0
  for (std::size_t j = 0; j < 3; ++j) x(1, j) = 2.0F;
  trace.add("x", x, given());
  trace.add("mean", mean(x, -1), mean("x", -1));
  trace.add("sum", sum(x, -1), sum("x", -1));
  CHECK(lines_of(trace, "mean", {0}) ==
        Lines{"mean[0] = (3 + 4 + 5 + 6 + 7 + 8 + 9 + 3 (the other 5 together)) / 12 = 3.750"});
  CHECK(lines_of(trace, "sum", {0}) == Lines{"sum[0] = 3 + 4 + 5 + 6 + 7 + 8 + 9 + 3 (the other 5 together) = 45"});
  CHECK(lines_of(trace, "mean", {1}) == Lines{"mean[1] = (2 + 2 + 2) / 12 = 0.500   (all others are 0)"});
  CHECK(lines_of(trace, "mean", {2}) ==
        Lines{"mean[2] = (0 + 0 + 0 + 0 + 0 + 0 + 0 + 0) / 12 = 0   (all others are 0)"});
}

TEST_CASE("a layer norm is worked out from the row's mean and variance", "[by_hand]") {
  Trace trace;
  trace.add("x", Tensor::matrix({{1, 3, 5, 7}}), given().with_rows({"sat"}).with_columns({"a", "b", "c", "d"}));
  trace.add("scale", Tensor::vector({3, 3, 6, 6}), given().with_rows({"a", "b", "c", "d"}));
  trace.add("bias", Tensor::vector({0, 10, 0, -10}), given().with_rows({"a", "b", "c", "d"}));
  trace.add("normed", Tensor::matrix({{-3, 9, 2, -4}}), layer_norm("x", "scale", "bias", 4.0));
  CHECK(lines_of(trace, "normed", {0, 1}, 90) ==
        Lines{"the mean of x[sat]: (1 + 3 + 5 + 7) / 4 = 4",
              "the variance, the mean of (x - 4)^2: (3^2 + 1^2 + 1^2 + 3^2) / 4 = 5",
              "normed[sat, b] = (x[sat, b] - mean) / sqrt(variance + epsilon) · "
              "scale[b] + bias[b]",
              "               = (3 - 4) / sqrt(5 + 4) · 3 + 10 = 9"});
  CHECK(lines_of(trace, "normed", {0, 3}).back() == "               = (7 - 4) / sqrt(5 + 4) · 6 - 10 = -4");
  trace.add("plain", Tensor::matrix({{-3, -1, 2, 6}}), layer_norm("x", "scale", 4.0));
  CHECK(lines_of(trace, "plain", {0, 0}).back() == "              = (1 - 4) / sqrt(5 + 4) · 3 = -3");
}

TEST_CASE("a norm that learned nothing is told without scale and bias", "[by_hand]") {
  Trace trace;
  trace.add("x", Tensor::vector({1, 3, 5, 7}), given());
  trace.add("normed", Tensor::vector({-1, -1.0F / 3, 1.0F / 3, 1}), layer_norm("x", 4.0));
  const Lines lines = lines_of(trace, "normed", {0});
  CHECK(lines[2] == "normed[0] = (x[0] - mean) / sqrt(variance + epsilon)");
  CHECK(lines[3] == "          = (1 - 4) / sqrt(5 + 4) = -1");
}

TEST_CASE("a row with a negative mean, and a row of a list, are told alike", "[by_hand]") {
  Trace trace;
  trace.add("x", Tensor::vector({-1, -3}), given());
  trace.add("scale", Tensor::vector({-2, 1}), given());
  trace.add("normed", Tensor::vector({-2, -1}), layer_norm("x", "scale", 0.0));
  CHECK(lines_of(trace, "normed", {0}) == Lines{"the mean of x: (-1 - 3) / 2 = -2",
                                                "the variance, the mean of (x + 2)^2: (1^2 + 1^2) / 2 = 1",
                                                "normed[0] = (x[0] - mean) / sqrt(variance + epsilon) · scale[0]",
                                                "          = (-1 + 2) / sqrt(1 + 0) · -2 = -2"});
}

TEST_CASE("an RMS norm is worked out from the row's mean square", "[by_hand]") {
  Trace trace;
  trace.add("x", Tensor::matrix({{3, -5}}), given().with_rows({"sat"}));
  trace.add("scale", Tensor::vector({5, 10}), given());
  trace.add("normed", Tensor::matrix({{3, -10}}), rms_norm("x", "scale", 8.0));
  CHECK(lines_of(trace, "normed", {0, 1}) ==
        Lines{"the mean square of x[sat]: (3^2 + 5^2) / 2 = 17",
              "normed[sat, 1] = x[sat, 1] / sqrt(mean square + epsilon) · scale[1]",
              "               = -5 / sqrt(17 + 8) · 10 = -10"});
}

TEST_CASE("a constant row's norm is its bias, and one that is nan shows why", "[by_hand]") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Trace trace;
  trace.add("x", Tensor::matrix({{5, 5}, {nan, 1}}), given());
  trace.add("scale", Tensor::vector({1, 1}), given());
  trace.add("bias", Tensor::vector({0.5F, 0.25F}), given());
  trace.add("normed", Tensor::matrix({{0.5F, 0.25F}, {nan, nan}}), layer_norm("x", "scale", "bias", 1e-5));
  CHECK(lines_of(trace, "normed", {0, 0}) ==
        Lines{"the mean of x[0]: (5 + 5) / 2 = 5", "the variance, the mean of (x - 5)^2: (0^2 + 0^2) / 2 = 0",
              "normed[0, 0] = (x[0, 0] - mean) / sqrt(variance + epsilon) · scale[0] + bias[0]",
              "             = (5 - 5) / sqrt(0 + 1e-05) · 1 + 0.500 = 0.500"});
  CHECK(lines_of(trace, "normed", {1, 1})[0] == "the mean of x[1]: (nan + 1) / 2 = nan");
}

TEST_CASE("means and norms work out as printed, for random rows of 2 to 21 numbers of any size", "[by_hand][law]") {
  std::size_t exact = 0;
  std::size_t all = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const Row row = random_row(seed);
    for (const char* name : {"mean", "normed", "rooted"}) {
      const std::string step = name;
      const Index index = step == "mean" ? Index{0} : Index{0, seed % row.channels};
      const Lines lines = lines_of(row.trace, step, index, 300);
      CAPTURE(seed, step, on_one_line(lines));
      ++all;
      if (on_one_line(lines).find("(rounded)") != std::string::npos) continue;
      ++exact;
      for (const std::string& line : lines) {
        const bool in_words = line.find("epsilon)") != std::string::npos;
        if (!in_words) check_last_equation(line);
      }
    }
  }
  CHECK(all == 600);
  CHECK(exact * 100 >= all * 95);
}

TEST_CASE("means and norms keep to the width", "[by_hand]") {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    const Row row = random_row(seed);
    for (const char* name : {"mean", "normed", "rooted"}) {
      const std::string step = name;
      const Index index = step == "mean" ? Index{0} : Index{0, seed % row.channels};
      for (const std::string& line : lines_of(row.trace, step, index, 60)) {
        CAPTURE(seed, line);
        CHECK(display_width(line) <= 60);
      }
    }
  }
}

TEST_CASE("gelu is worked out as a number times the share below it", "[by_hand]") {
  Trace trace;
  const Tensor x = Tensor::vector({1.5F, -2, 0});
  trace.add("x", x, given());
  trace.add("active", gelu(x), gelu("x"));
  trace.add("nearly", gelu_tanh(x), gelu_tanh("x"));
  CHECK(lines_of(trace, "active", {0}) == Lines{"active[0] = gelu(x[0]) = 1.500 · Phi(1.500) = 1.500 · 0.933 = 1.400"});
  CHECK(lines_of(trace, "active", {2}) == Lines{"active[2] = gelu(x[2]) = 0 · Phi(0) = 0 · 0.500 = 0"});
  CHECK(lines_of(trace, "nearly", {1})[0].starts_with("nearly[1] = gelu_tanh(x[1]) = -2 · Phi(-2) = -2 · 0.02"));
}

TEST_CASE("gelu works out as printed", "[by_hand][law]") {
  const Tensor x = scale(Random(1).normal({300}), 2.0F);
  Trace trace;
  trace.add("x", x, given());
  trace.add("active", gelu(x), gelu("x"));
  std::size_t exact = 0;
  for (std::size_t k = 0; k < 300; ++k) {
    const std::string line = lines_of(trace, "active", {k}).front();
    if (line.find("(rounded)") != std::string::npos) continue;
    ++exact;
    check_last_equation(line);
  }
  CHECK(exact >= 285);
}

TEST_CASE("log is worked out as the function of a number", "[by_hand]") {
  Trace trace;
  const Tensor x = Tensor::vector({2, 0});
  trace.add("x", x, given());
  trace.add("logs", log(x), log("x"));
  CHECK(lines_of(trace, "logs", {0}) == Lines{"logs[0] = log(x[0]) = log(2) = 0.693"});
  CHECK(lines_of(trace, "logs", {1}) == Lines{"logs[1] = log(x[1]) = log(0) = -inf"});
}

TEST_CASE("dropout multiplies by the kept mask and makes up for what is gone", "[by_hand]") {
  Trace trace;
  trace.add("weights", Tensor::matrix({{0.25F, 0.75F}}), given().with_rows({"sat"}));
  trace.add("kept", Tensor::matrix({{1, 0}}), given().with_rows({"sat"}));
  trace.add("dropped", Tensor::matrix({{0.5F, 0}}), dropout("weights", "kept", 0.5));
  CHECK(lines_of(trace, "dropped", {0, 0}) ==
        Lines{"dropped[sat, 0] = weights[sat, 0] · kept[sat, 0] · 2 = 0.250 · 1 · 2 = 0.500"});
  CHECK(lines_of(trace, "dropped", {0, 1}) ==
        Lines{"dropped[sat, 1] = weights[sat, 1] · kept[sat, 1] · 2 = 0.750 · 0 · 2 = 0"});
}

TEST_CASE("a turn is worked out from its angle, in either channel of the pair", "[by_hand]") {
  Trace trace;
  const auto turned = [](double angle, double a, double b) {
    return std::vector<float>{static_cast<float>(a * std::cos(angle) - b * std::sin(angle)),
                              static_cast<float>(a * std::sin(angle) + b * std::cos(angle))};
  };
  const std::vector<float> pair = turned(2.0, 0.5, -1.0);
  trace.add("Q", Tensor::matrix({{0.5F, -1, 7}}), given().with_rows({"sat"}));
  trace.add("places", Tensor::vector({2}), given().with_rows({"sat"}));
  trace.add("turned", Tensor({1, 3}, std::vector<float>{pair[0], pair[1], 7}),
            rotate("Q", "places", {.rotary_dim = 2}));
  CHECK(lines_of(trace, "turned", {0, 0}) == Lines{"the angle: places[sat] / 10000^(0/2) = 2 / 10000^(0/2) = 2",
                                                   "turned[sat, 0] = Q[sat, 0] · cos(2) - Q[sat, 1] · sin(2)",
                                                   "               = 0.500 · -0.416 + 1 · 0.909 = 0.701"});
  CHECK(lines_of(trace, "turned", {0, 1}).back() == "               = 0.500 · 0.909 - 1 · -0.416 = 0.871");
  CHECK(lines_of(trace, "turned", {0, 2}) == Lines{"turned[sat, 2] = Q[sat, 2] = 7"});

  const std::vector<float> halves = turned(1.0, 0.5, 7.0);
  trace.add("other places", Tensor::vector({1}), given());
  trace.add("R", Tensor::matrix({{0.5F, 1, 7, 3}}), given().with_rows({"sat"}));
  const std::vector<float> slow = turned(0.1, 1.0, 3.0);
  trace.add("in halves", Tensor({1, 4}, std::vector<float>{halves[0], slow[0], halves[1], slow[1]}),
            rotate("R", "other places", {.base = 100.0, .interleaved = false}));
  const Lines second = lines_of(trace, "in halves", {0, 3}, 120);
  CHECK(second[0] == "the angle: other places[0] / 100^(2/4) = 1 / 100^(2/4) = 0.100");
  CHECK(second[1].find("R[sat, 1] · sin(0.100) + R[sat, 3] · cos(0.100)") != std::string::npos);
}

TEST_CASE("turns work out as printed, for any place, pair and layout", "[by_hand][law]") {
  std::mt19937 engine(5);
  std::size_t exact = 0;
  for (int round = 0; round < 300; ++round) {
    const bool interleaved = engine() % 2 == 0;
    const Tensor x = Random(engine()).normal({1, 6});
    const auto place = static_cast<double>(engine() % 50);
    Tensor turned = x;
    for (std::size_t p = 0; p < 3; ++p) {
      const std::size_t a = interleaved ? 2 * p : p;
      const std::size_t b = interleaved ? 2 * p + 1 : p + 3;
      const double angle = place / std::pow(10000.0, static_cast<double>(2 * p) / 6.0);
      const auto of_a = static_cast<double>(x(0, a));
      const auto of_b = static_cast<double>(x(0, b));
      turned(0, a) = static_cast<float>(of_a * std::cos(angle) - of_b * std::sin(angle));
      turned(0, b) = static_cast<float>(of_a * std::sin(angle) + of_b * std::cos(angle));
    }
    Trace trace;
    trace.add("x", x, given());
    trace.add("places", Tensor({1}, static_cast<float>(place)), given());
    trace.add("turned", turned, rotate("x", "places", {.interleaved = interleaved}));
    for (std::size_t c = 0; c < 6; ++c) {
      const std::string line = lines_of(trace, "turned", {0, c}, 300).back();
      CAPTURE(round, c, line);
      CHECK(line.find("does something else") == std::string::npos);
      if (line.find("(rounded)") != std::string::npos) continue;
      ++exact;
      check_last_equation(line);
    }
  }
  CHECK(exact >= 1710);  // of 1800
}

TEST_CASE("a repeated head says which head it is", "[by_hand]") {
  Trace trace;
  trace.add("K", Tensor({2, 1, 2}, std::vector<float>{1, 2, 3, 4}), given().with_rows({"sat"}));
  trace.add("shared", Tensor({4, 1, 2}, std::vector<float>{1, 2, 1, 2, 3, 4, 3, 4}), repeat_heads("K", 2));
  CHECK(lines_of(trace, "shared", {1, 0, 1}) == Lines{"shared[1, sat, 1] = K[0, sat, 1] = 2"});
  CHECK(lines_of(trace, "shared", {2, 0, 0}) == Lines{"shared[2, sat, 0] = K[1, sat, 0] = 3"});
}

TEST_CASE("a norm or a turn that the source does not compute is told so", "[by_hand]") {
  Trace trace;
  trace.add("x", Tensor::matrix({{3, -5}}), given());
  trace.add("scale", Tensor::vector({5, 10}), given());
  trace.add("places", Tensor::vector({0}), given());
  trace.add("normed", Tensor::matrix({{3.5F, -10}}), rms_norm("x", "scale", 8.0));
  trace.add("turned", Tensor::matrix({{3.5F, -5}}), rotate("x", "places"));
  CHECK(lines_of(trace, "normed", {0, 0}).back() == "but the source made it 3.500: it does something else");
  CHECK(lines_of(trace, "turned", {0, 0}).back() == "but the source made it 3.500: it does something else");
  CHECK(lines_of(trace, "normed", {0, 1}).back().find("does something else") == std::string::npos);
}

TEST_CASE("what is added up over both inputs' broadcast axes finds its operands", "[arithmetic]") {
  Random random(4);
  Trace trace;
  const Tensor query = random.normal({2, 3, 1, 4});
  const Tensor key = random.normal({2, 1, 5, 4});
  trace.add("query", query, given());
  trace.add("key", key, given());
  const Tensor sums = add(query, key);
  trace.add("sums", sums, add("query", "key"));
  trace.add("mean", mean(sums, 1), mean("sums", 1));
  for (const std::string name : {"sums", "mean"}) {
    const Step& step = trace.step(name);
    for (std::size_t b = 0; b < 2; ++b) {
      const Index index = name == "sums" ? Index{b, 2, 4, 3} : Index{b, 4, 3};
      CHECK_FALSE(is_something_else(work_out(trace, step, index)));
    }
  }
}

}  // namespace attn
