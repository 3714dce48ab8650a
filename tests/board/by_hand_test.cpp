#include "board/by_hand.hpp"

#include "catch.hpp"
#include "drawn.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/random.hpp"
#include "tensor/softmax.hpp"
#include "text/unicode.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace attn {

namespace {

using Lines = std::vector<std::string>;
constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

Lines by_hand(const Trace& trace, const std::string& step, const Index& index, std::size_t width = 70,
              const TextStyle& style = {}) {
  return by_hand_lines(work_out(trace, trace.step(step), index), Page{}, style, width);
}

bool contains(const Lines& lines, const std::string& text) {
  return joined(lines).find(text) != std::string::npos;
}

/// The words between blanks.
Lines words_of(const std::string& line) {
  std::istringstream stream(line);
  Lines words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

double number(const std::string& word) {
  return std::strtod(word.c_str(), nullptr);
}

std::size_t decimals_of(const std::string& word) {
  const std::size_t point = word.find('.');
  const std::size_t end = std::min(word.find('e'), word.size());
  return point == std::string::npos ? 0 : end - point - 1;
}

std::string written(double value, std::size_t decimals) {
  if (std::abs(value) >= 1e7) return fmt::format("{:.{}e}", value, decimals);
  std::string text = fmt::format("{:.{}f}", value, decimals);
  return text.find_first_not_of("-0.") == std::string::npos ? text.substr(text.front() == '-' ? 1 : 0) : text;
}

/// A calculation in columns, read back from its lines as a reader reads it.
struct Read {
  std::vector<double> above;
  std::vector<double> below;
  std::vector<double> products;  // signed; the subtotal last
  Lines product_words;
  std::string total;
};

Read read_columns(const Lines& lines) {
  Read read;
  std::size_t k = 0;
  while (!lines[k].starts_with("a[")) ++k;
  for (const std::string& word : words_of(lines[k])) {
    if (!word.starts_with("a[")) read.above.push_back(number(word));
  }
  for (const std::string& word : words_of(lines[k + 1])) {
    if (!word.starts_with("b[") && word != "·") read.below.push_back(number(word));
  }
  std::string rest = lines[k + 2] + (lines.size() > k + 3 ? lines[k + 3] : "");
  double sign = 1.0;
  for (const std::string& word : words_of(rest)) {
    if (word == "=") {
      const Lines after = words_of(rest.substr(rest.find('=') + 1));
      read.total = after[0];
      break;
    }
    if (word == "+" || word == "-") {
      sign = word == "-" ? -1.0 : 1.0;
    } else {
      read.products.push_back(sign * number(word));
      read.product_words.push_back(word);
    }
  }
  return read;
}

Trace dot(const std::vector<float>& a, const std::vector<float>& b) {
  Trace trace;
  trace.add("a", Tensor({1, a.size()}, a), given());
  trace.add("b", Tensor({1, b.size()}, b), given());
  trace.add("s", matmul_transposed(trace.step("a").value, trace.step("b").value), matmul_transposed("a", "b"));
  return trace;
}

}  // namespace

TEST_CASE("a dot product is worked out in columns: operands, products, sum", "[by_hand]") {
  Trace trace;
  trace.add("Q", Tensor::matrix({{4.5F, 0.25F, -2.0F}}), given().with_rows({"sat"}).with_columns({"x", "y", "z"}));
  trace.add("K", Tensor::matrix({{2.0F, 0.5F, 1.5F}}), given().with_rows({"cat"}));
  trace.add("scores", Tensor::matrix({{6.125F}}), matmul_transposed("Q", "K"));
  CHECK(by_hand(trace, "scores", {0, 0}) == Lines{"              x       y        z",  //
                                                  "Q[sat]    4.500   0.250   -2.000",
                                                  "K[cat]  · 2.000 · 0.500 ·  1.500",
                                                  "          9.000 + 0.125 -  3.000 = 6.125 = scores[sat, cat]"});
}

TEST_CASE("the digits that are printed work out, for random sums of 1 to 70 products of any size", "[by_hand][law]") {
  std::mt19937 engine(2017);
  const auto uniform = [&] { return (static_cast<double>(engine()) - 2147483648.0) / 2147483648.0; };
  std::size_t exact = 0;
  std::size_t all = 0;
  for (int round = 0; round < 1500; ++round) {
    const std::size_t terms = 3 + engine() % 68;
    const double size = std::pow(10.0, static_cast<int>(engine() % 6) - 3);
    std::vector<float> a;
    std::vector<float> b;
    for (std::size_t k = 0; k < terms; ++k) {
      a.push_back(engine() % 9 == 0 ? 0.0F : static_cast<float>(uniform() * size));
      b.push_back(static_cast<float>(uniform() * (engine() % 2 == 0 ? 1.0 : 10.0)));
    }
    const Lines lines = by_hand(dot(a, b), "s", {0, 0});
    CAPTURE(round, joined(lines));
    const bool in_columns =
        std::any_of(lines.begin(), lines.end(), [](const std::string& line) { return line.starts_with("a["); });
    if (!in_columns) continue;  // fewer than three products are not 0: one line
    ++all;
    for (const std::string& line : lines) CHECK(display_width(line) <= 70);
    if (contains(lines, "(rounded)")) continue;
    ++exact;
    const Read read = read_columns(lines);
    REQUIRE(read.above.size() == read.below.size());
    REQUIRE(read.products.size() >= read.above.size());
    for (std::size_t k = 0; k < read.above.size(); ++k) {
      const double product = read.above[k] * read.below[k];
      const std::string& word = read.product_words[k];
      CHECK(written(std::abs(product), decimals_of(word)) == (word.front() == '-' ? word.substr(1) : word));
      CHECK(product * read.products[k] >= 0.0);
    }
    double sum = 0.0;
    for (const double product : read.products) sum += product;
    CHECK(written(sum, decimals_of(read.total)) == read.total);
  }
  CHECK(all > 1000);
  CHECK(exact * 100 >= all * 99);  // "(rounded)" is the exception
}

TEST_CASE("one or two products stand on one line, with their names", "[by_hand]") {
  CHECK(by_hand(dot({2.5F}, {-3.0F}), "s", {0, 0}) == Lines{"s[0, 0] = a[0, 0] · b[0, 0] = 2.500 · -3 = -7.500"});
  CHECK(by_hand(dot({1, 2}, {3, 4}), "s", {0, 0}) ==
        Lines{"s[0, 0] = a[0, 0] · b[0, 0] + a[0, 1] · b[0, 1] = 1 · 3 + 2 · 4 = 11"});
}

TEST_CASE("products that are exactly 0 are counted out", "[by_hand]") {
  const Lines lines = by_hand(dot({0, 2, 0, 0, 0}, {5, 4, 5, 0, 1}), "s", {0, 0});
  CHECK(lines == Lines{"s[0, 0] = a[0, 1] · b[0, 1] = 2 · 4 = 8   (all others are 0)"});
  CHECK(by_hand(dot({0, 0, 0}, {1, 2, 3}), "s", {0, 0}) ==
        Lines{"s[0, 0] = a[0, 0] · b[0, 0] = 0 · 1 = 0   (all others are 0)"});
}

TEST_CASE("of a long sum the largest products are shown, the others as one subtotal with their number", "[by_hand]") {
  const std::vector<float> a = {1, 9, 1, 1, 8, 1, 7, 1};
  const Lines lines = by_hand(dot(a, std::vector<float>(8, 1.5F)), "s", {0, 0});
  CHECK(contains(lines, "5 others"));
  CHECK(contains(lines, "9.000"));
  CHECK(contains(lines, "8.000"));
  CHECK(contains(lines, "7.000"));
  CHECK(contains(lines, "7.500 = 43.500"));
}

TEST_CASE("all that a subtotal stands for are counted, products of 0 too", "[by_hand]") {
  const std::vector<float> a = {1, 9, 1, 0, 8, 1, 7, 0};
  const Lines lines = by_hand(dot(a, std::vector<float>(8, 1.5F)), "s", {0, 0});
  CHECK(contains(lines, "5 others"));
  CHECK(contains(lines, "4.500 = 40.500"));
}

TEST_CASE("a sum over nothing is 0, and says why", "[by_hand]") {
  Trace trace;
  trace.add("a", Tensor({1, 0}), given());
  trace.add("b", Tensor({0, 1}), given());
  trace.add("s", Tensor({1, 1}), matmul("a", "b"));
  CHECK(by_hand(trace, "s", {0, 0}) == Lines{"s[0, 0] = 0   (there is nothing to add up)"});
}

TEST_CASE("a bias is one more summand, also where it is the largest", "[by_hand]") {
  for (const float bias : {0.5F, 100.25F, -100.25F, 1e6F}) {
    Trace trace;
    Random random(4);
    trace.add("x", random.normal({1, 9}), given());
    trace.add("W", random.normal({1, 9}), given());
    trace.add("bias", Tensor({1}, bias), given());
    trace.add("y", linear(trace.step("x").value, trace.step("W").value, Tensor({1}, bias)), linear("x", "W", "bias"));
    for (const std::size_t width : {30U, 50U, 70U}) {
      const Lines lines = by_hand(trace, "y", {0, 0}, width);
      CAPTURE(bias, width, joined(lines));
      CHECK(contains(lines, "x[0]"));
      CHECK(contains(lines, "W[0]"));
      if (std::abs(bias) > 100.0F) CHECK(contains(lines, "bias"));
    }
  }
}

TEST_CASE("a sum of two is written with the sign that its second number has", "[by_hand]") {
  Trace trace;
  trace.add("a", Tensor::vector({1.0F, 1.5F}), given());
  trace.add("b", Tensor::vector({-0.25F, -0.25F}), given());
  trace.add("sum", add(trace.step("a").value, trace.step("b").value), add("a", "b"));
  trace.add("difference", subtract(trace.step("a").value, trace.step("b").value), subtract("a", "b"));
  CHECK(by_hand(trace, "sum", {0}) == Lines{"sum[0] = a[0] + b[0] = 1 - 0.250 = 0.750"});
  CHECK(by_hand(trace, "difference", {1}) == Lines{"difference[1] = a[1] - b[1] = 1.500 + 0.250 = 1.750"});
}

TEST_CASE("one over a whole number is a division; any other factor is used as it is printed", "[by_hand][law]") {
  const auto scaled = [](float value, float factor) {
    Trace trace;
    trace.add("a", Tensor({1}, value), given());
    trace.add("s", scale(trace.step("a").value, factor), scale("a", factor));
    return by_hand(trace, "s", {0}, 200).front();
  };
  CHECK(scaled(9.0F, 0.5F) == "s[0] = a[0] / 2 = 9 / 2 = 4.500");
  CHECK(scaled(1.0F, 1.0F / 3.0F) == "s[0] = a[0] / 3 = 1 / 3 = 0.333");
  CHECK(scaled(9.0F, 1.0F / 64.0F) == "s[0] = a[0] / 64 = 9 / 64 = 0.141");
  CHECK(scaled(0.5F, 0.01F) == "s[0] = a[0] / 100 = 0.500 / 100 = 0.005");
  CHECK(scaled(2.0F, 1e7F).find("/") == std::string::npos);
  CHECK(scaled(2.0F, 0.0F) == "s[0] = a[0] · 0 = 2 · 0 = 0");
  CHECK(scaled(2.5F, 1.0F) == "s[0] = a[0] = 2.500");
  CHECK(scaled(2.5F, -1.0F) == "s[0] = -a[0] = -2.500");

  std::mt19937 engine(8);
  for (const std::size_t head_dim : {2U, 3U, 5U, 7U, 8U, 12U, 50U}) {
    for (int k = 0; k < 50; ++k) {
      const auto value = static_cast<float>(engine() % 100000) / 1000.0F;
      const std::string line = scaled(value, 1.0F / std::sqrt(static_cast<float>(head_dim)));
      CAPTURE(line);
      const Lines words = words_of(line.substr(line.rfind("] ·") + 3));
      if (line.find("rounded") != std::string::npos) continue;
      const auto dot_at = std::find(words.begin(), words.end(), "·");
      REQUIRE(dot_at != words.end());
      const double product = number(*(dot_at - 1)) * number(*(dot_at + 1));
      const std::string total = *(dot_at + 3);
      CHECK(written(product, decimals_of(total)) == total);
    }
  }
}

TEST_CASE("what is not finite is worked out as it is, without nonsense", "[by_hand]") {
  const Lines lines = by_hand(dot({nan, 1, 2, 3, 4, 5}, {1, 1, 1, 1, 1, 1}), "s", {0, 0});
  CHECK(contains(lines, "nan"));
  CHECK(contains(lines, "= nan = s[0, 0]"));
  const Lines zero_times = by_hand(dot({0, 1, 2, 3}, {nan, 1, 1, 1}), "s", {0, 0});
  CHECK(contains(zero_times, "nan"));  // 0 · nan is nan, and no product that can be left out
  const Lines infinite = by_hand(dot({inf, 1, 2, 3, 1, 1}, {1, 1, 1, 1, 1, 1}), "s", {0, 0});
  CHECK(contains(infinite, "= inf = s[0, 0]"));
  Trace trace;
  trace.add("a", Tensor::vector({-inf, inf}), given());
  trace.add("s", scale(trace.step("a").value, 0.5F), scale("a", 0.5F));
  trace.add("d", subtract(trace.step("a").value, trace.step("a").value), subtract("a", "a"));
  CHECK(by_hand(trace, "s", {0}) == Lines{"s[0] = a[0] / 2 = -inf / 2 = -inf"});
  CHECK(by_hand(trace, "d", {1}) == Lines{"d[1] = a[1] - a[1] = inf - inf = nan"});
}

TEST_CASE("where no number of decimals works out, the line says that it is rounded", "[by_hand]") {
  // Two neighbours among the floats near 1e30: their difference has more digits than a page prints.
  Trace trace;
  trace.add("a", Tensor({1}, std::nextafter(1e30F, inf)), given());
  trace.add("b", Tensor({1}, 1e30F), given());
  trace.add("s", subtract(trace.step("a").value, trace.step("b").value), subtract("a", "b"));
  CHECK(contains(by_hand(trace, "s", {0}), "(rounded)"));
}

TEST_CASE("where the source does something else than its origin says, the line says so", "[by_hand]") {
  Trace trace;
  trace.add("a", Tensor({1}, 8.0F), given());
  trace.add("half", Tensor({1}, 8.0F), scale("a", 0.5F));  // a reader took the division out of the source
  trace.add("tiny", Tensor({1}, 4.0F + 1e-6F), scale("a", 0.5F));
  CHECK(by_hand(trace, "half", {0}) ==
        Lines{"half[0] = a[0] / 2 = 8 / 2 = 4", "but the source made it 8: it does something else"});
  CHECK_FALSE(contains(by_hand(trace, "tiny", {0}), "something else"));
}

TEST_CASE("numbers from 1e-30 to 1e30 are worked out and keep to the width", "[by_hand]") {
  for (const float size : {1e-30F, 1e-10F, 1e-3F, 1.0F, 1e5F, 1e8F, 1e15F}) {
    std::vector<float> a;
    for (int k = 1; k < 8; ++k) a.push_back(size * static_cast<float>(k) * 1.37F);
    const Lines lines = by_hand(dot(a, a), "s", {0, 0});
    CAPTURE(size, joined(lines));
    for (const std::string& line : lines) CHECK(display_width(line) <= 70);
    CHECK(contains(lines, "= s[0, 0]"));
  }
}

TEST_CASE("where there is less room fewer products are shown, with any labels", "[by_hand][law]") {
  Random random(11);
  for (const std::string& label :
       {std::string("sat"), std::string(40, 'w'), std::string("猫猫猫猫猫猫"), std::string("a,b")}) {
    Trace trace;
    trace.add("queries", random.normal({1, 30}), given().with_rows({label}));
    trace.add("keys", random.normal({1, 30}), given().with_rows({label}));
    trace.add("s", matmul_transposed(trace.step("queries").value, trace.step("keys").value),
              matmul_transposed("queries", "keys"));
    for (const std::size_t width : {50U, 60U, 70U, 110U}) {
      for (const std::size_t precision : {1U, 3U, 6U}) {
        const Lines lines = by_hand(trace, "s", {0, 0}, width, {.precision = precision});
        // The last line ends in the full address of the number, which may be long.
        for (std::size_t k = 0; k + 1 < lines.size(); ++k) {
          CAPTURE(width, precision, lines[k]);
          CHECK(display_width(lines[k]) <= width);
        }
      }
    }
  }
}

TEST_CASE("in ASCII the columns stay under each other whatever the labels are", "[by_hand]") {
  Trace trace;
  trace.add("a", Tensor::matrix({{1.5F, 2.5F, 3.5F}}),
            given().with_rows({"naïve"}).with_columns({"猫", "incomprehensibilities", "→"}));
  trace.add("b", Tensor::matrix({{1, 2, 3}}), given());
  trace.add("s", Tensor::matrix({{17.0F}}), matmul_transposed("a", "b"));
  const Lines lines = by_hand(trace, "s", {0, 0}, 70, {.ascii = true});
  REQUIRE(lines.size() == 4);
  CHECK(lines[0].size() <= lines[1].size());
  CHECK(lines[0].find("incom") < lines[1].size());
  for (const char c : lines[0]) CHECK((c >= ' ' && c <= '~'));
  CHECK(lines[1].starts_with("a[na\\u{ef}ve]"));
}

TEST_CASE("softmax is worked out as powers of e, their sum, and one's share of it", "[by_hand]") {
  Trace trace;
  trace.add("x", Tensor::vector({0.0F, std::log(2.0F), std::log(3.0F)}), given());
  trace.add("w", softmax(trace.step("x").value, -1), softmax("x", -1));
  CHECK(by_hand(trace, "w", {2}) == Lines{"e^x: 1.00 + 2.00 + 3.00 = 6.00",  //
                                          "w[2] = e^1.099 / 6.00 = 3.00 / 6.00 = 0.500"});
}

TEST_CASE("the printed powers add up to the printed sum, for random rows of 1 to 40", "[by_hand][law]") {
  Random random(3);
  std::size_t exact = 0;
  std::size_t all = 0;
  for (std::size_t n = 1; n <= 40; ++n) {
    for (const float size : {0.1F, 1.0F, 3.0F, 30.0F}) {
      Trace trace;
      trace.add("x", scale(random.normal({n}), size), given());
      trace.add("w", softmax(trace.step("x").value, -1), softmax("x", -1));
      const Lines lines = by_hand(trace, "w", {n / 2}, 500);
      CAPTURE(joined(lines));
      REQUIRE(lines.size() == 2);
      ++all;
      if (contains(lines, "(rounded)")) continue;
      ++exact;
      const std::string sum = lines[0].substr(lines[0].find(": ") + 2);
      double added = 0.0;
      std::string total;
      for (const std::string& word : words_of(sum)) {
        if (std::isdigit(static_cast<unsigned char>(word[0])) == 0) continue;
        total = word;
      }
      for (const std::string& word : words_of(sum.substr(0, sum.rfind('=')))) {
        if (word.find('.') != std::string::npos) added += number(word);
      }
      CHECK(written(added, decimals_of(total)) == total);
      const Lines share = words_of(lines[1].substr(lines[1].find(" = ", lines[1].find(" = ") + 1)));
      CHECK(written(number(share[1]) / number(share[3]), 3) == written(number(share[5]), 3));
    }
  }
  CHECK(exact * 100 >= all * 95);
}

TEST_CASE("large and small scores are taken from the largest first, as one would to write them", "[by_hand]") {
  const auto lines_of = [](const Tensor& row, std::size_t j) {
    Trace trace;
    trace.add("x", row, given());
    trace.add("w", softmax(row, -1), softmax("x", -1));
    return by_hand(trace, "w", {j});
  };
  CHECK(lines_of(Tensor::vector({100, 99}), 0) == Lines{"e^(x - the largest): 1.000 + 0.368 = 1.368",  //
                                                        "w[0] = e^(100 - 100) / 1.368 = 1.000 / 1.368 = 0.731"});
  CHECK(contains(lines_of(Tensor::vector({-100, -99}), 0), "e^(-100 + 99)"));
  CHECK(contains(lines_of(Tensor::vector({1e30F, -1e30F}), 1), "= 0.00 / 1.00 = 0"));
  CHECK(contains(lines_of(Tensor::vector({5, -inf}), 1), "e^-inf"));
  CHECK(contains(lines_of(Tensor::vector({7}), 0), "= 1"));
}

TEST_CASE("a softmax of nothing but -inf is what its origin chose, and says so", "[by_hand]") {
  for (const double chosen : {0.0, 0.5}) {
    Trace trace;
    const auto share = static_cast<float>(chosen);
    trace.add("x", Tensor::matrix({{-inf, -inf}, {0, 0}}), given());
    trace.add("w", Tensor::matrix({{share, share}, {0.5F, 0.5F}}), softmax("x", -1, {.empty = chosen}));
    CHECK(contains(by_hand(trace, "w", {0, 1}, 200),
                   "every number of the row is -inf, and such a row gets that by choice"));
    CHECK(contains(by_hand(trace, "w", {0, 1}), chosen == 0.0 ? "w[0, 1] = 0:" : "w[0, 1] = 0.500:"));
    CHECK(!contains(by_hand(trace, "w", {1, 1}), "by choice"));
    CHECK(!contains(by_hand(trace, "w", {1, 1}), "something else"));
  }
}

TEST_CASE("a softmax in few digits may be off by as much as they are", "[by_hand]") {
  for (const std::size_t digits : {std::size_t{0}, std::size_t{11}}) {
    Trace trace;
    trace.add("x", Tensor::matrix({{0, 1}}), given());
    trace.add("w", Tensor::matrix({{0.2695F, 0.7305F}}), softmax("x", -1, {.digits = digits}));
    CHECK(contains(by_hand(trace, "w", {0, 1}), "something else") == (digits == 0));
  }
}

TEST_CASE("a softmax that is no number is told by its cause", "[by_hand]") {
  const auto line_of = [](const Tensor& row) {
    Trace trace;
    trace.add("x", row, given());
    trace.add("w", softmax(row, -1), softmax("x", -1));
    return joined(by_hand(trace, "w", {0}, 200));
  };
  CHECK(line_of(Tensor::vector({-inf, -inf})) ==
        "w[0] = nan: every number of the row is -inf, e^-inf is 0, and 0 / 0 is no number\n");
  CHECK(line_of(Tensor::vector({1, nan})) == "w[0] = nan: x[1] is nan, and what is added to nan is nan\n");
  CHECK(line_of(Tensor::vector({inf, 1})) == "w[0] = nan: x[0] is inf, and so is e^inf; inf / inf is no number\n");
}

TEST_CASE("a wave is worked out from its angle", "[by_hand]") {
  Trace trace;
  Tensor waves({3, 4});
  for (std::size_t p = 0; p < 3; ++p) {
    for (std::size_t c = 0; c < 4; ++c) {
      const double angle = static_cast<double>(p) / std::pow(10000.0, static_cast<double>(c / 2 * 2) / 4.0);
      waves(p, c) = static_cast<float>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  }
  trace.add("positions", waves, sinusoid(3, 4));
  CHECK(by_hand(trace, "positions", {2, 0}) == Lines{"positions[2, 0] = sin(2 / 10000^(0/4)) = sin(2) = 0.909"});
  CHECK(by_hand(trace, "positions", {1, 3}) == Lines{"positions[1, 3] = cos(1 / 10000^(2/4)) = cos(0.010) = 1.000"});
  CHECK(by_hand(trace, "positions", {0, 1}) == Lines{"positions[0, 1] = cos(0 / 10000^(0/4)) = cos(0) = 1"});
  trace.add("other", Tensor::matrix({{0, 1, 0, 1}, {0.841471F, 0.540302F, 0.247404F, 0.968912F}}), sinusoid(2, 4, 16));
  CHECK(by_hand(trace, "other", {1, 2}) == Lines{"other[1, 2] = sin(1 / 16^(2/4)) = sin(0.250) = 0.247"});
}

TEST_CASE("what is given, moved or hidden says just that", "[by_hand]") {
  Trace trace;
  trace.add("a", Tensor::matrix({{1.5F, 2}}), given().with_rows({"sat"}).with_columns({"x", "y"}));
  trace.add("part", Tensor::matrix({{2}}), slice("a", 1, 1, 2));
  trace.add("mask", Tensor::matrix({{1, 0}}), given().with_rows({"sat"}).with_columns({"x", "y"}));
  trace.add("masked", Tensor::matrix({{1.5F, -inf}}), mask_fill("a", "mask"));
  CHECK(by_hand(trace, "a", {0, 0}) == Lines{"a[sat, x] = 1.500   (given)"});
  CHECK(by_hand(trace, "part", {0, 0}) == Lines{"part[sat, y] = a[sat, y] = 2"});
  CHECK(by_hand(trace, "masked", {0, 1}) == Lines{"masked[sat, y] = -inf, because mask[sat, y] is 0"});
}

TEST_CASE("the page's short names are used", "[by_hand]") {
  Trace trace;
  trace.add("head2.a", Tensor({1}, 2.0F), given());
  trace.add("head2.b", Tensor({1}, 4.0F), scale("head2.a", 2.0F));
  Page page;
  page.followed_prefix = "head2.";
  CHECK(by_hand_lines(work_out(trace, trace.step("head2.b"), {0}), page, {}, 70) ==
        Lines{"b[0] = a[0] · 2 = 2 · 2 = 4"});
}

TEST_CASE("where a name leaves no room under its equals sign, the numbers stand further left", "[by_hand]") {
  Trace trace;
  trace.add("one", Tensor::matrix({{3}}), given().with_rows({std::string(30, 'w')}).with_columns({"x"}));
  trace.add("other", Tensor::matrix({{1}}), given().with_rows({std::string(30, 'v')}).with_columns({"x"}));
  trace.add("apart", Tensor::matrix({{2}}), subtract("one", "other"));
  const Lines lines = by_hand(trace, "apart", {0, 0}, 45);
  REQUIRE(lines.size() == 2);
  CHECK(lines[1] == "     = 3 - 1 = 2");
}

}  // namespace attn
