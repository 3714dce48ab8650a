#include "board/arcs.hpp"

#include "catch.hpp"
#include "drawn.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace attn {

namespace {

using Labels = std::vector<std::string>;
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// The arcs of one row of weights over five words, with as much of the table's label line as says where words stand.
Labels arcs_of(std::size_t row, const std::vector<float>& weights, std::size_t width = 50, bool ascii = false) {
  Canvas canvas;
  canvas.style.ascii = ascii;
  const std::size_t words = weights.size();
  Tensor all({words, words});
  Labels labels;
  for (std::size_t j = 0; j < words; ++j) {
    all(row, j) = weights[j];
    labels.push_back(fmt::format("w{}", j));
  }
  canvas.trace.add("weights", all, given().with_rows(labels).with_columns(labels));
  return drawn(draw_arcs({.step = "weights", .row = row, .look = {.shaded = true, .top = 1.0}}, canvas.context(width)));
}

/// The rail alone, between the caption and the heads.
std::string rail_of(std::size_t row, const std::vector<float>& weights) {
  const Labels lines = arcs_of(row, weights);
  REQUIRE(lines.size() == 3);
  return lines[1];
}

}  // namespace

TEST_CASE("arcs run from the word that looks to the words it looks at", "[arcs]") {
  CHECK(arcs_of(2, {0.5F, 0.0F, 0.0F, 0.0F, 0.5F}, 50) == Labels{"                         from w2",
                                                                 "            ┏━━━━━━━━━━━━━━━┻━━━━━━━━━━━━━━━┓",
                                                                 "            ▼                               ▼"});
}

TEST_CASE("a word looks to the left, to the right, at itself, and at all of these", "[arcs]") {
  const std::string left = rail_of(2, {0.9F, 0, 0, 0, 0});
  CHECK(left.find("┏━") != std::string::npos);
  CHECK(left.find("┛") != std::string::npos);
  const std::string right = rail_of(2, {0, 0, 0, 0, 0.9F});
  CHECK(right.find("┗━") != std::string::npos);
  CHECK(right.find("┓") != std::string::npos);
  const Labels itself = arcs_of(2, {0, 0, 0.9F, 0, 0});
  CHECK(itself[1].find("┃") != std::string::npos);
  CHECK(itself[1].find("━") == std::string::npos);
  CHECK(itself[2].find("▼") != std::string::npos);
  CHECK(rail_of(2, {0.3F, 0, 0.3F, 0, 0.3F}).find("╋") != std::string::npos);
  CHECK(rail_of(2, {0.5F, 0, 0.5F, 0, 0}).find("┫") != std::string::npos);
  CHECK(rail_of(2, {0, 0, 0.5F, 0, 0.5F}).find("┣") != std::string::npos);
}

TEST_CASE("an arc that passes over another word's column goes on there", "[arcs]") {
  const std::string rail = rail_of(4, {0.4F, 0, 0.4F, 0, 0});
  CHECK(rail.find("┳") != std::string::npos);
}

TEST_CASE("arcs are thin from 0.1 and thick from 0.3, by what flows through them", "[arcs]") {
  CHECK(rail_of(0, {0, 0, 0, 0, 0.31F}).find("━") != std::string::npos);
  const std::string thin = rail_of(0, {0, 0, 0, 0, 0.29F});
  CHECK(thin.find("─") != std::string::npos);
  CHECK(thin.find("━") == std::string::npos);
  CHECK(arcs_of(0, {0, 0, 0, 0, 0.0999F}).empty());
  const std::string two = rail_of(0, {0, 0, 0.2F, 0, 0.2F});  // together 0.4 up to w2, then 0.2
  CHECK(two.find("━") < two.find("┳"));
  CHECK(two.find("─") > two.find("┳"));
}

TEST_CASE("where nothing reaches 0.1, and where weights are no numbers, there are no arcs", "[arcs]") {
  CHECK(arcs_of(1, {0.09F, 0.09F, 0.09F, 0.09F, 0.09F}).empty());
  CHECK(arcs_of(1, {nan, nan, nan, nan, nan}).empty());
}

TEST_CASE("where the window hides the word that looks, there are no arcs", "[arcs]") {
  std::vector<float> weights(40, 0.0F);
  weights[0] = 0.9F;
  CHECK(arcs_of(30, weights, 50).empty());
  CHECK_FALSE(arcs_of(1, weights, 50).empty());
}

TEST_CASE("arrow heads stand over the numbers they mean, in every window", "[arcs][law]") {
  for (std::size_t target = 0; target < 5; ++target) {
    std::vector<float> weights(5, 0.0F);
    weights[target] = 1.0F;
    Canvas canvas;
    canvas.trace.add("weights", Tensor({5, 5}), given());
    const auto places = column_places({.step = "weights"}, {.shaded = true, .top = 1.0}, canvas.context(50));
    CHECK(arcs_of(1, weights, 50)[2] == std::string(places[target].x, ' ') + "▼");
  }
}

TEST_CASE("in ASCII arcs are drawn with plain characters", "[arcs]") {
  for (const std::string& line : arcs_of(2, {0.2F, 0, 0.3F, 0, 0.5F}, 50, true)) {
    CHECK(std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c <= '~'; }));
  }
}

}  // namespace attn
