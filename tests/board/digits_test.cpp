#include "board/digits.hpp"

#include "catch.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>

namespace attn {

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("what was measured has three digits, and a large number as many as it has", "[digits]") {
  CHECK(rough(0.0) == "0.000");
  CHECK(rough(0.00123456) == "0.00123");
  CHECK(rough(0.0999) == "0.100");
  CHECK(rough(0.91249) == "0.912");
  CHECK(rough(0.9999) == "1.00");
  CHECK(rough(9.994) == "9.99");
  CHECK(rough(9.999) == "10.0");
  CHECK(rough(-11.34) == "-11.3");
  CHECK(rough(99.96) == "100");
  CHECK(rough(12345.6) == "12346");
  CHECK(rough(inf) == "inf");
  CHECK(rough(nan) == "nan");
}

TEST_CASE("a number has the decimals that were asked for", "[digits]") {
  CHECK(fixed(0.5, 3) == "0.500");
  CHECK(fixed(-2.0 / 3.0, 4) == "-0.6667");
  CHECK(fixed(8.9919, 0) == "9");
  CHECK(fixed(1e-30, 3) == "0.000");
  CHECK(fixed(9999999.0, 1) == "9999999.0");
}

TEST_CASE("zero has no sign, however it came about", "[digits]") {
  CHECK(fixed(-0.0, 3) == "0.000");
  CHECK(fixed(-0.0, 0) == "0");
  CHECK(fixed(-1e-9, 3) == "0.000");
  CHECK(fixed(-0.4, 0) == "0");
  CHECK(short_number(-0.0, 3) == "0");
}

TEST_CASE("what is not finite is named", "[digits]") {
  CHECK(fixed(inf, 3) == "inf");
  CHECK(fixed(-inf, 3) == "-inf");
  CHECK(fixed(nan, 3) == "nan");
  CHECK(fixed(-nan, 3) == "nan");
  CHECK(short_number(-inf, 3) == "-inf");
  CHECK(difference_text(inf) == "inf");
  CHECK(difference_text(nan) == "nan");
}

TEST_CASE("from ten million on, numbers are written in powers of ten", "[digits]") {
  CHECK(fixed(1e7, 3) == "1.000e+07");
  CHECK(fixed(-1e30, 2) == "-1.00e+30");
  CHECK(short_number(1e30, 3) == "1.000e+30");
}

TEST_CASE("a bare 0 is exactly zero, 0.000 is a small number", "[digits]") {
  CHECK(short_number(0.0, 3) == "0");
  CHECK(short_number(1e-9, 3) == "0.000");
  CHECK(short_number(-4.0, 3) == "-4");
  CHECK(short_number(4.5, 3) == "4.500");
  CHECK(short_number(1234567.0, 3) == "1234567");
}

TEST_CASE("a difference has two significant digits, and is 0 only when there is none", "[digits]") {
  CHECK(difference_text(0.0) == "0");
  CHECK(difference_text(0.00012345) == "0.00012");
  CHECK(difference_text(-0.25) == "-0.25");
  CHECK(difference_text(3.14159) == "3.1");
  CHECK(difference_text(1234.5) == "1234");
  CHECK(difference_text(5.9604645e-8) == "0.000000060");
  CHECK(difference_text(1e-30) == "1.0e-30");
  CHECK(difference_text(1e-45) == "1.0e-45");
  CHECK(difference_text(3e30) == "3.0e+30");
}

TEST_CASE("as printed is what a reader reads", "[digits][law]") {
  CHECK(as_printed(2.0 / 3.0, 3) == 0.667);
  CHECK(as_printed(0.0005, 3) == std::strtod(fixed(0.0005, 3).c_str(), nullptr));  // a tie, or nearly
  CHECK(as_printed(-0.0625, 3) == -0.062);                                         // a tie: to the even digit
  CHECK(as_printed(12345678.9, 3) == 12350000.0);
  CHECK(as_printed(-inf, 3) == -inf);
  CHECK(std::isnan(as_printed(nan, 3)));
  CHECK_FALSE(std::signbit(as_printed(-1e-9, 3)));

  std::mt19937 engine(1);
  for (int k = 0; k < 2000; ++k) {
    const double number = (static_cast<double>(engine()) - 2147483648.0) * std::pow(10.0, k % 20 - 15);
    const auto decimals = static_cast<std::size_t>(k % 8);
    CAPTURE(number, decimals);
    CHECK(as_printed(number, decimals) == std::strtod(fixed(number, decimals).c_str(), nullptr));
  }
}

TEST_CASE("a sentence is filled with words, whole numbers, numbers and differences", "[digits][sentence]") {
  CHECK(fill({"{word} gives {share} to {count} words, {word}!",
              {{"word", "sat"}, {"share", 0.5099}, {"count", std::size_t{2}}}},
             2) == "sat gives 0.51 to 2 words, sat!");
  CHECK(fill({"{a} {b} {c}", {{"a", -3}, {"b", 2.0F}, {"c", Value::difference(1e-7)}}}, 3) == "-3 2 0.00000010");
  CHECK(fill({"", {}}, 3).empty());
}

TEST_CASE("a doubled brace is a brace", "[digits][sentence]") {
  CHECK(fill({"{{x}} = {x}", {{"x", 1}}}, 3) == "{x} = 1");
}

TEST_CASE("a value's own braces are words, not places", "[digits][sentence]") {
  CHECK(fill({"\"{text}\"", {{"text", "{word} }{"}}}, 3) == "\"{word} }{\"");
}

TEST_CASE("a place without a value, and a value without a place, are named", "[digits][sentence]") {
  CHECK_THROWS_AS(fill({"{wrod}", {{"word", 1}}}, 3), std::invalid_argument);
  CHECK_THROWS_WITH(fill({"{wrod}", {{"word", 1}}}, 3), ContainsSubstring("no value for {wrod}"));
  CHECK_THROWS_WITH(fill({"plain", {{"word", 1}}}, 3), ContainsSubstring("the value word has no place"));
  CHECK_THROWS_WITH(fill({"{}", {}}, 3), ContainsSubstring("no value for {}"));
}

TEST_CASE("a brace that stays open, or closes nothing, is refused", "[digits][sentence]") {
  CHECK_THROWS_WITH(fill({"a {word", {{"word", 1}}}, 3), ContainsSubstring("a brace is not closed"));
  CHECK_THROWS_AS(fill({"a } b", {}}, 3), std::invalid_argument);
  CHECK_THROWS_AS(fill({"{", {}}, 3), std::invalid_argument);
}

}  // namespace attn
