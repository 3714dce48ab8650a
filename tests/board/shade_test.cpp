#include "board/shade.hpp"

#include "catch.hpp"
#include "text/unicode.hpp"

#include <limits>
#include <string>

namespace attn {

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("a bar grows by eighths of the top, and begins at a quarter", "[shade]") {
  CHECK(bar(0.2499, 1.0, false) == " ");
  CHECK(bar(0.25, 1.0, false) == "▂");
  CHECK(bar(0.3749, 1.0, false) == "▂");
  CHECK(bar(0.375, 1.0, false) == "▃");
  CHECK(bar(0.5, 1.0, false) == "▄");
  CHECK(bar(0.875, 1.0, false) == "▇");
  CHECK(bar(1.0, 1.0, false) == "█");
  CHECK(bar(3.0, 1.0, false) == "█");
  CHECK(bar(2.0, 8.0, false) == "▂");
  CHECK(bar(0.5, 1.0, true) == "=");
}

TEST_CASE("tints begin where bars do, and have seven strengths", "[shade][law]") {
  CHECK(tint(0.2499, 1.0) == 0);
  CHECK(tint(0.25, 1.0) == 1);
  CHECK(tint(0.5, 1.0) == 3);
  CHECK(tint(1.0, 1.0) == 7);
  CHECK(tint(9.0, 1.0) == 7);
  for (int k = 0; k <= 100; ++k) CHECK((tint(k / 100.0, 1.0) > 0) == (bar(k / 100.0, 1.0, false) != " "));
}

TEST_CASE("nothing, less than nothing and what is no number get no bar and no tint", "[shade]") {
  for (const double value : {0.0, -0.0, -1.0, -inf, inf, nan}) {
    CAPTURE(value);
    CHECK(bar(value, 1.0, false) == " ");
    CHECK(tint(value, 1.0) == 0);
  }
  for (const double top : {0.0, -1.0, nan}) {
    CHECK(bar(1.0, top, false) == " ");
    CHECK(tint(1.0, top) == 0);
  }
}

TEST_CASE("a cell of a heat map has five strengths, with edges at 5, 25, 55 and 80 percent", "[shade]") {
  CHECK(heat(0.0, 1.0, false) == "   ");
  CHECK(heat(1e-9, 1.0, false) == "···");
  CHECK(heat(0.049, 1.0, false) == "···");
  CHECK(heat(0.05, 1.0, false) == "░░░");
  CHECK(heat(0.249, 1.0, false) == "░░░");
  CHECK(heat(0.25, 1.0, false) == "▒▒▒");
  CHECK(heat(0.549, 1.0, false) == "▒▒▒");
  CHECK(heat(0.55, 1.0, false) == "▓▓▓");
  CHECK(heat(0.799, 1.0, false) == "▓▓▓");
  CHECK(heat(0.8, 1.0, false) == "███");
  CHECK(heat(5.0, 1.0, false) == "███");
  CHECK(heat(1.0, 0.0, false) == "···");
}

TEST_CASE("negative, hidden and undefined cells of a heat map can be told apart", "[shade]") {
  CHECK(heat(-0.149, 1.0, false) == "░░░");
  CHECK(heat(-0.15, 1.0, false) == "---");
  CHECK(heat(-inf, 1.0, false) == "╱╱╱");
  CHECK(heat(-inf, 1.0, true) == "///");
  CHECK(heat(inf, 1.0, false) == "inf");
  CHECK(heat(nan, 1.0, false) == "nan");
}

TEST_CASE("the legend of squares tells of those that are there", "[shade]") {
  CHECK(legend_of_squares({}, false) == "(From little to much: · ░ ▒ ▓ █; blank: 0.)");
  CHECK(legend_of_squares({}, true) == "(From little to much: . : + # @; blank: 0.)");
  CHECK(legend_of_squares({.below_0 = true, .hidden = true}, false) ==
        "(From little to much: · ░ ▒ ▓ █; blank: 0; - below 0; ╱ hidden.)");
  CHECK_THAT(legend_of_squares({.nan = true}, true), ContainsSubstring("blank: 0; ? nan.)"));
  CHECK_THAT(legend_of_squares({.infinite = true}, true), ContainsSubstring("blank: 0; ? inf.)"));
  CHECK_THAT(legend_of_squares({.nan = true, .infinite = true}, true), ContainsSubstring("; ? nan or inf.)"));
}

TEST_CASE("a cell of a heat map is three columns wide, and plain in ASCII", "[shade][law]") {
  for (const double value : {-inf, -1.0, -0.1, 0.0, 0.1, 0.3, 0.6, 1.0, inf, nan}) {
    CHECK(display_width(heat(value, 1.0, false)) == 3);
    CHECK(heat(value, 1.0, true).size() == 3);
  }
}

}  // namespace attn
