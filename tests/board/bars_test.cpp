#include "board/panels.hpp"
#include "catch.hpp"
#include "drawn.hpp"

#include <cmath>
#include <string>
#include <vector>

using namespace attn;

namespace {

std::vector<std::string> bars_of(const std::vector<float>& numbers) {
  Canvas canvas;
  canvas.style.ascii = true;
  canvas.trace.add("row", Tensor({1, numbers.size()}, numbers), given());
  return drawn(draw_bars({.step = "row", .row = 0}, canvas.context(70)));
}

}  // namespace

TEST_CASE("a bar is as long as its number's share of the largest; below 0 there is none", "[bars]") {
  const std::vector<std::string> lines = bars_of({4.5F, 2.25F, -3.5F, 0});
  REQUIRE(lines.size() == 4);
  CHECK(lines[0] == "0  4.500  " + std::string(40, '='));
  CHECK(lines[1] == "1  2.250  " + std::string(20, '='));
  CHECK(lines[2].find('=') == std::string::npos);
  CHECK(lines[3].find('=') == std::string::npos);
}

TEST_CASE("of a long row the sixteen largest numbers are drawn, in their order, and the others are counted", "[bars]") {
  std::vector<float> numbers(30, 1.5F);
  numbers[29] = 9.5F;
  numbers[20] = 7.5F;
  numbers[3] = NAN;
  const std::vector<std::string> lines = bars_of(numbers);
  REQUIRE(lines.size() == 17);
  CHECK(lines[14].starts_with("20 7.500  ==="));
  CHECK(lines[15].starts_with("29 9.500  ==="));
  CHECK(lines[16] == "(14 more, none larger; --face json has all.)");
  for (const std::string& line : lines) CHECK(line.find("nan") == std::string::npos);
}
