#include "board/table.hpp"

#include "board/panels.hpp"
#include "board/table_panel.hpp"
#include "catch.hpp"
#include "drawn.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/random.hpp"
#include "tensor/softmax.hpp"
#include "text/unicode.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace attn {

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

using Labels = std::vector<std::string>;

std::vector<std::string> table_of(const Canvas& canvas, std::size_t width, const Look& look = {}) {
  return drawn(draw_table({.entries = {{"m"}}, .look = look}, canvas.context(width)));
}

Canvas canvas_with(const Tensor& value, const Origin& origin = given()) {
  Canvas canvas;
  canvas.trace.add("m", value, origin);
  return canvas;
}

/// Random numbers with labels of the given length.
Canvas large(std::size_t rows, std::size_t columns, std::size_t label_length) {
  Random random(7);
  Labels labels;
  for (std::size_t i = 0; i < rows; ++i) labels.push_back(std::string(label_length, static_cast<char>('a' + i % 26)));
  return canvas_with(random.normal({rows, columns}), given().with_rows(labels));
}

bool contains(const std::vector<std::string>& lines, const std::string& text) {
  return joined(lines).find(text) != std::string::npos;
}

/// The width that a remark names.
std::size_t named_width(const std::vector<std::string>& lines) {
  const std::string text = joined(lines);
  const std::size_t at = text.find("--width");
  if (at == std::string::npos) return 0;
  return std::stoul(text.substr(text.find_first_of("0123456789", at)));
}

}  // namespace

TEST_CASE("the widest number sets the width of a table's columns, whatever stands beside it", "[table]") {
  std::mt19937 engine(5);
  for (int round = 0; round < 500; ++round) {
    const std::size_t rows = 1 + engine() % 5;
    const std::size_t columns = 1 + engine() % 7;
    std::vector<float> numbers(rows * columns);
    for (float& number : numbers) {
      const float sign = engine() % 2 == 0 ? 1.0F : -1.0F;
      number = sign * static_cast<float>(engine()) * std::pow(10.0F, static_cast<float>(engine() % 18) - 16.0F);
      if (engine() % 12 == 0) number = std::vector{0.0F, inf, -inf, nan, 1e-30F}[engine() % 5];
      if (engine() % 6 == 0) number = std::round(number);
    }
    const Canvas canvas = canvas_with(Tensor({rows, columns}, numbers));
    for (const bool roomy : {true, false}) {
      const TablePanel panel = make_panel({"m"}, {}, canvas.context(70), /*alone=*/true, roomy);
      std::size_t widest = roomy ? 6 : 4;
      for (std::size_t n = 0; n < numbers.size(); ++n) {
        widest = std::max(widest, panel.format(static_cast<double>(numbers[n]), n / columns).size());
      }
      CHECK(panel.number_width == widest);
    }
  }
}

TEST_CASE("a table has labelled rows and columns, whole numbers whole, exact zeros bare", "[table]") {
  const Canvas whole = canvas_with(Tensor::matrix({{1, 0}, {-12, 300}}),
                                   given().with_rows({"the", "cat"}).with_columns({"noun", "verb"}));
  CHECK(table_of(whole, 70) == Labels{"m         noun   verb",  //
                                      "the          1      0",  //
                                      "cat        -12    300"});
  const Canvas mixed = canvas_with(Tensor::matrix({{0.5F, 0.0F}, {-0.0F, 1e-30F}}));
  CHECK(table_of(mixed, 70) == Labels{"m            0      1",  //
                                      "0        0.500      0",  //
                                      "1            0  0.000"});
}

TEST_CASE("a single number, a list, one row and one column are tables too", "[table]") {
  CHECK(table_of(canvas_with(Tensor({}, 3.0F)), 70) == Labels{"m", "             3"});
  CHECK(table_of(canvas_with(Tensor::vector({1, 2}), given().with_rows({"a", "b"})), 70) ==
        Labels{"m            a      b", "             1      2"});
  CHECK(table_of(canvas_with(Tensor::matrix({{7}})), 70) == Labels{"m            0", "0            7"});
}

TEST_CASE("a matrix without rows has its column labels, one without columns its row labels", "[table]") {
  CHECK(table_of(canvas_with(Tensor({0, 2})), 70) == Labels{"m            0      1"});
  CHECK(table_of(canvas_with(Tensor({2, 0})), 70) == Labels{"m", "0", "1"});
  CHECK(table_of(canvas_with(Tensor({0, 0})), 70) == Labels{"m"});
}

TEST_CASE("what is not finite, very large or very small keeps the columns straight", "[table]") {
  const Canvas canvas = canvas_with(Tensor::matrix({{nan, -inf, 1e30F}, {inf, 1e-30F, -16777216}}));
  const auto lines = table_of(canvas, 70);
  CHECK(contains(lines, " nan "));
  CHECK(contains(lines, " -inf "));
  CHECK(contains(lines, "1.000e+30"));
  CHECK(contains(lines, "-1.678e+07"));
  CHECK(display_width(lines[1]) == display_width(lines[2]));
}

TEST_CASE("labels of any kind keep the columns straight and are never obeyed", "[table]") {
  const Labels labels = {"猫", "👩‍👧", "e\u0301", "a,b",      "[x]",
                         "\"", "7",           "7",       "\x1b[31m", std::string(40, 'w')};
  Random random(1);
  Canvas canvas = canvas_with(random.normal({10, 3}), given().with_rows(labels).with_columns({"猫", "\n", "naïve"}));
  for (const bool ascii : {false, true}) {
    canvas.style.ascii = ascii;
    const auto lines = table_of(canvas, 70);
    REQUIRE(lines.size() == 11);
    for (const std::string& line : lines) {
      CHECK(display_width(line) <= 70);
      CHECK(line.find('\x1b') == std::string::npos);
    }
    for (std::size_t i = 2; i < lines.size(); ++i) CHECK(display_width(lines[i]) == display_width(lines[1]));
    CHECK(contains(lines, ascii ? "www~" : "www…"));
  }
}

TEST_CASE("a page shows matrices: more axes are refused with the shape", "[table]") {
  const Canvas canvas = canvas_with(Tensor({2, 3, 4}));
  CHECK_THROWS_AS(table_of(canvas, 70), std::invalid_argument);
  CHECK_THROWS_WITH(table_of(canvas, 70),
                    ContainsSubstring("m is [2, 3, 4]") && ContainsSubstring("slice one out of it"));
}

TEST_CASE("the columns that are asked for are shown, in that order, with their indices", "[table]") {
  const Canvas canvas = canvas_with(Tensor::matrix({{10, 11, 12}}), given().with_columns({"a", "b", "c"}));
  const auto lines = table_of(canvas, 70, {.columns = {2, 0}, .numbered = true, .names = {"x"}});
  CHECK(lines == Labels{"m            c      x", "             2      0", "0           12     10"});
  CHECK_THROWS_WITH(table_of(canvas, 70, {.columns = {0, 3}}),
                    ContainsSubstring("m has 3 columns, so there is no column 3"));
}

TEST_CASE("many rows: the first and the last are shown, and the others counted", "[table]") {
  const auto lines = table_of(large(40, 2, 1), 70);
  CHECK(contains(lines, "(28 of 40 rows are left out here; --face json has all.)"));
  CHECK(lines.size() == 1 + 12 + 1 + 1);
  CHECK(lines[12] == "…");
  CHECK(lines[13].starts_with("n"));  // row 39
}

TEST_CASE("a single row is never left out, for the mark would take as much room", "[table]") {
  CHECK(table_of(large(13, 2, 1), 70).size() == 14);
  CHECK(contains(table_of(large(14, 2, 1), 70), "(2 of 14 rows"));
}

TEST_CASE("many columns: those that fit are shown, the others counted, and the width for all is named", "[table]") {
  const auto lines = table_of(large(3, 30, 1), 70);
  CHECK(contains(lines, "…"));
  CHECK(contains(lines, "of 30 columns are left out here; --width "));
  const auto both = table_of(large(30, 30, 1), 70);
  CHECK(contains(both, "(18 of 30 rows and"));
}

TEST_CASE("the width that a remark names is enough, and no width is named beyond what --width takes", "[table][law]") {
  for (const std::size_t columns : {9U, 10U, 13U, 30U, 60U, 200U}) {
    for (const std::size_t label : {1U, 9U, 13U, 14U, 20U, 60U}) {
      for (const bool sums : {false, true}) {
        for (const bool shaded : {false, true}) {
          const Canvas canvas = large(3, columns, label);
          const Look look{.shaded = shaded, .row_sums = sums};
          const auto narrow = table_of(canvas, 70, look);
          const std::size_t width = named_width(narrow);
          CAPTURE(columns, label, sums, shaded, width);
          for (const std::string& line : narrow) CHECK(display_width(line) <= 70);
          CHECK(width <= widest_page);
          if (width == 0) continue;
          const auto wide = table_of(canvas, width - page_margin, look);
          CHECK_FALSE(contains(wide, "left out"));
          for (const std::string& line : wide) CHECK(display_width(line) <= width - page_margin);
        }
      }
    }
  }
}

TEST_CASE("a table keeps to its width, however narrow and however precise", "[table][law]") {
  for (std::size_t width = 50; width < 200; width += 7) {
    for (const std::size_t precision : {1U, 3U, 9U}) {
      Canvas canvas = large(7, 24, 5);
      canvas.style.precision = precision;
      for (const bool sums : {false, true}) {
        for (const std::string& line : table_of(canvas, width, {.shaded = true, .row_sums = sums})) {
          CAPTURE(width, precision, line);
          CHECK(display_width(line) <= width);
        }
      }
    }
  }
}

TEST_CASE("worked cells are never windowed away while there is room for them", "[table][law]") {
  for (const std::size_t row : {0U, 17U, 39U}) {
    for (const std::size_t column : {0U, 31U, 59U}) {
      Canvas canvas = canvas_with(Tensor({40, 60}, 0.125F));
      canvas.trace.add("n", Tensor({1, 1}), given());
      canvas.worked = {{"n", {0, 0}}, {"m", {row, column}}};
      const auto lines = table_of(canvas, 70);
      CAPTURE(row, column);
      const std::string label = std::to_string(column);
      CHECK((lines[0] + " ").find(" " + label + " ") != std::string::npos);
      CHECK(std::any_of(lines.begin() + 1, lines.end(),
                        [&](const std::string& line) { return line.starts_with(std::to_string(row) + " "); }));
    }
  }
}

TEST_CASE("of more worked cells than have room, the first stay", "[table]") {
  Canvas canvas = canvas_with(Tensor({2, 60}, 0.125F));
  canvas.worked = {{"m", {0, 50}}};
  for (std::size_t j = 0; j < 60; ++j) canvas.worked.push_back({"m", {0, j}});
  CHECK(contains(table_of(canvas, 70), " 50 "));
}

TEST_CASE("weights get bars of their size beside the digits", "[table]") {
  const Canvas canvas = canvas_with(Tensor::matrix({{0.25F, 0.5F, 0.125F}, {1.0F, 0.0F, nan}}));
  const auto lines = table_of(canvas, 40, {.shaded = true, .top = 1.0});
  CHECK(contains(lines, "0.250▂"));
  CHECK(contains(lines, "0.500▄"));
  CHECK(contains(lines, "1.000█"));
  CHECK_FALSE(contains(lines, "0.125▂"));
  // Without a top of its own, the largest number has the full bar; for a softmax it is 1.
  CHECK(contains(table_of(canvas_with(Tensor::matrix({{2.5F, 5.0F}})), 30, {.shaded = true}), "5.000█"));
  Canvas shares;
  shares.trace.add("s", Tensor::matrix({{0, 0}}), given());
  shares.trace.add("m", Tensor::matrix({{0.5F, 0.5F}}), softmax("s", -1));
  CHECK(contains(table_of(shares, 30, {.shaded = true}), "0.500▄"));
}

TEST_CASE("where there is room a heat map stands beside the digits instead of bars", "[table]") {
  const Canvas canvas = canvas_with(Tensor::matrix({{0.9F, 0.6F, -0.9F}, {0.3F, 0.0F, -inf}}));
  const auto wide = table_of(canvas, 70, {.shaded = true, .top = 1.0});
  CHECK(contains(wide, "███ ▓▓▓ ---"));
  CHECK(contains(wide, "▒▒▒     ╱╱╱"));
  CHECK_FALSE(contains(wide, "0.600▄"));
  CHECK_FALSE(contains(table_of(canvas, 30, {.shaded = true, .top = 1.0}), "▓▓▓"));
  // Each of the two is explained where it is drawn.
  const Table table{.entries = {{"m"}}, .look = {.shaded = true, .top = 1.0}};
  CHECK(draws_squares(table, canvas.context(70)));
  CHECK(marks_of(table, canvas.context(70)) == Marks{});
  CHECK_FALSE(draws_squares(table, canvas.context(30)));
  CHECK(marks_of(table, canvas.context(30)) == Marks{.shares = true});
}

TEST_CASE("marks are of shares, or of a quarter of the largest", "[table]") {
  Canvas canvas = canvas_with(Tensor::matrix({{1.0F, 0.5F}}));
  canvas.trace.add("shares", Tensor::matrix({{0.7F, 0.3F}}), softmax("m", -1));
  const auto marks = [&](const std::vector<TableEntry>& entries, double top) {
    return marks_of({.entries = entries, .look = {.shaded = true, .top = top}}, canvas.context(30));
  };
  CHECK(marks({{"shares"}}, 0.0) == Marks{.shares = true});
  CHECK(marks({{"m"}}, 0.0) == Marks{.others = true});
  CHECK(marks({{"m"}}, 1.0) == Marks{.shares = true});
  CHECK(marks({{"m"}, {"shares"}}, 0.0) == Marks{.shares = true, .others = true});
}

TEST_CASE("a table of equal numbers, of zeros or of negative numbers only is drawn without bars out of place",
          "[table]") {
  CHECK_FALSE(contains(table_of(canvas_with(Tensor({2, 2}, -1.5F)), 30, {.shaded = true}), "█"));
  CHECK_FALSE(contains(table_of(canvas_with(Tensor({2, 2}, 0.0F)), 30, {.shaded = true}), "█"));
  CHECK(contains(table_of(canvas_with(Tensor({2, 2}, 1.5F)), 30, {.shaded = true}), "1.500█"));
  CHECK_FALSE(contains(table_of(canvas_with(Tensor({2, 2}, nan)), 30, {.shaded = true}), "█"));
}

TEST_CASE("with colour cells are tinted and bars give way; the words stay the same", "[table]") {
  Canvas canvas = canvas_with(Tensor::matrix({{0.25F, 0.75F}}));
  canvas.style.color = true;
  const auto lines = draw_table({.entries = {{"m"}}, .look = {.shaded = true, .top = 1.0}}, canvas.context(30));
  std::vector<int> tints;
  for (const Span& span : lines[1]) {
    if (span.tint > 0) tints.push_back(span.tint);
  }
  CHECK(tints == std::vector<int>{1, 5});
  CHECK(drawn(lines)[1].find("▆") == std::string::npos);
}

TEST_CASE("rows that do not add up as printed are counted", "[table]") {
  const Canvas thirds = canvas_with(Tensor({2, 3}, 1.0F / 3.0F));
  CHECK(contains(table_of(thirds, 60, {.row_sums = true}),
                 "(Rounded as printed, 2 rows miss their sum by up to 0.001.)"));
  const Canvas one = canvas_with(Tensor::matrix({{1.0F / 3, 1.0F / 3, 1.0F / 3}, {0.25F, 0.25F, 0.5F}}));
  CHECK(contains(table_of(one, 60, {.row_sums = true}), "one row misses its sum by 0.001"));
  const Canvas exact = canvas_with(Tensor({2, 4}, 0.25F));
  const auto lines = table_of(exact, 60, {.row_sums = true});
  CHECK_FALSE(contains(lines, "miss"));
  CHECK(lines[1].ends_with("1.000"));
}

TEST_CASE("a sum is that of the whole row, and is not blamed for columns that are not shown", "[table]") {
  const Canvas canvas = canvas_with(Tensor::matrix({{0.25F, 0.5F, 0.25F}}));
  const auto lines = table_of(canvas, 60, {.columns = {1}, .row_sums = true});
  CHECK(lines[1].ends_with("1.000"));
  CHECK_FALSE(contains(lines, "miss"));
}

TEST_CASE("sums that are wide, infinite or undefined have room", "[table]") {
  const Canvas canvas = canvas_with(Tensor::matrix({{123456.5F, 1.25F}, {-inf, 1}, {nan, 1}}));
  const auto lines = table_of(canvas, 60, {.row_sums = true});
  CAPTURE(joined(lines));
  CHECK(lines[1].ends_with(" 123457.750"));
  CHECK(lines[2].ends_with(" -inf"));
  CHECK(lines[3].ends_with(" nan"));
  CHECK(display_width(lines[0]) == display_width(lines[1]));
}

TEST_CASE("steps stand side by side where there is room, else one below the other", "[table]") {
  Canvas canvas;
  const Labels words = {"the", "cat"};
  canvas.trace.add("ids", Tensor::vector({14, 54}), tokenize(words));
  canvas.trace.add("Q", Tensor({2, 4}, 1.5F), given().with_rows(words));
  canvas.trace.add("K", Tensor({2, 4}, 2.5F), given().with_rows(words));
  const Table table{.entries = {{"ids", "id"}, {"Q", "asks"}, {"K", "offers"}}, .look = {}};
  const auto beside = drawn(draw_table(table, canvas.context(90)));
  CHECK(beside.size() == 4);
  CHECK(contains(beside, "asks"));
  CHECK(contains(beside, "14"));
  const auto below = drawn(draw_table(table, canvas.context(50)));
  CAPTURE(joined(below));
  CHECK(below.size() > 8);
  for (const std::string& line : below) CHECK(display_width(line) <= 50);
  for (const char* name : {"ids", "asks", "offers"}) {
    CHECK(std::any_of(below.begin(), below.end(),
                      [&](const std::string& line) { return line.find(name) != std::string::npos; }));
  }
}

TEST_CASE("the heading over each of several steps ends where its numbers end, with bars and without", "[table]") {
  Canvas canvas;
  canvas.style.ascii = true;  // a bar is one byte
  canvas.trace.add("a", Tensor::matrix({{0.25F, 0.5F}}), given());
  canvas.trace.add("b", Tensor::matrix({{0.125F}}), given());
  for (const bool shaded : {false, true}) {
    const Look look{.shaded = shaded, .top = 1.0};
    const auto lines =
        drawn(draw_table({.entries = {{"a", "left"}, {"b", "right"}}, .look = look}, canvas.context(70)));
    CAPTURE(joined(lines));
    CHECK(lines[0].find("left") + 4 == lines[2].find("0.500") + 5);
    CHECK(lines[0].find("right") + 5 == lines[1].size());
    CHECK(lines[1].size() == lines[2].find("0.125") + 5);
  }
}

TEST_CASE("tables side by side keep to the width, their headings too", "[table][law]") {
  Canvas canvas;
  Random random(3);
  for (const char* name : {"weights", "context"}) canvas.trace.add(name, random.normal({2, 1}), given());
  for (std::size_t width = 24; width < 60; ++width) {
    for (const std::size_t precision : {3U, 9U}) {
      canvas.style.precision = precision;
      for (const char* heading : {"b", "a heading longer than its numbers"}) {
        const Table table{.entries = {{"weights", heading}, {"context", heading}}, .look = {.shaded = true}};
        for (const std::string& line : drawn(draw_table(table, canvas.context(width)))) {
          CAPTURE(width, precision, line);
          CHECK(display_width(line) <= width);
        }
      }
    }
  }
}

TEST_CASE("a mask between rows of scores is written as 0 and 1, and shares that are whole by chance are not",
          "[table]") {
  Canvas canvas;
  canvas.trace.add("scores", Tensor::matrix({{0.5F, 2.0F}}), given());
  canvas.trace.add("mask", Tensor::matrix({{1, 0}, {1, 1}}), given());
  canvas.trace.add("first", Tensor::matrix({{1, 0}}), slice("mask", 0, 0, 1));
  canvas.trace.add("weights", Tensor::matrix({{1, 0}}), softmax("scores", -1));
  canvas.trace.add("m", Tensor::matrix({{0.5F, 2}, {1, 0}, {1, 0}}),
                   concat(Labels{"scores", "first", "weights"}, 0).with_rows({"scores", "mask", "weights"}));
  CHECK(table_of(canvas, 70, {.row_sums = true}) == Labels{"m            0      1    sum",  //
                                                           "scores   0.500  2.000  2.500",  //
                                                           "mask         1      0      1",  //
                                                           "weights  1.000      0  1.000"});
}

TEST_CASE("the row sums of a mask's squares are whole numbers", "[table]") {
  Canvas canvas;
  canvas.trace.add("mask", Tensor::matrix({{1, 0}, {1, 1}}), given());
  canvas.trace.add("half", Tensor::matrix({{0.5F, 0}, {0.5F, 0.5F}}), given());
  const auto lines =
      drawn(draw_panels({.entries = {{"mask"}, {"half"}}, .look = {.row_sums = true}}, canvas.context(70)));
  CAPTURE(joined(lines));
  CHECK(lines[2].find("  1 ") != std::string::npos);
  CHECK(lines[3].find("  2 ") != std::string::npos);
  CHECK(lines[2].ends_with("0.50"));
  CHECK(lines[3].ends_with("1.00"));
}

TEST_CASE("under panels of squares stands how much is left out, and nothing of what is not", "[table]") {
  const auto last_line = [](std::size_t rows, std::size_t columns) {
    const Canvas canvas = large(rows, columns, 1);
    return drawn(draw_panels({.entries = {{"m"}}, .look = {}}, canvas.context(62))).back();
  };
  CHECK(last_line(17, 5) == "(1 row is left out here; --face json has all.)");
  CHECK(last_line(18, 5) == "(2 rows are left out here; --face json has all.)");
  CHECK(last_line(3, 31) == "(1 column is left out here; --face json has all.)");
  CHECK(last_line(17, 32) == "(1 row and 2 columns are left out here; --face json has all.)");
  CHECK_THAT(last_line(3, 30), !ContainsSubstring("left out"));
}

TEST_CASE("steps with different numbers of rows do not stand side by side", "[table]") {
  Canvas canvas;
  canvas.trace.add("two", Tensor({2, 3}), given());
  canvas.trace.add("three", Tensor({3, 3}), given());
  const Table table{.entries = {{"two"}, {"three"}}, .look = {}};
  CHECK_THROWS_AS(draw_table(table, canvas.context(80)), std::invalid_argument);
  CHECK_THROWS_WITH(draw_table(table, canvas.context(80)), ContainsSubstring("two has 2 rows and three has 3"));
}

TEST_CASE("the page's short names are used, and a long name gets a line of its own", "[table]") {
  Canvas canvas;
  canvas.trace.add("head2.scores", Tensor({1, 1}), given());
  canvas.page.followed_prefix = "head2.";
  CHECK(drawn(draw_table({.entries = {{"head2.scores"}}, .look = {}}, canvas.context(70)))[0].starts_with("scores "));
  canvas.page.followed_prefix = "";
  CHECK(drawn(draw_table({.entries = {{"head2.scores"}}, .look = {}}, canvas.context(70)))[0] == "head2.scores");
}

TEST_CASE("column places name the columns that are shown, from left to right", "[table]") {
  const Canvas canvas = large(2, 60, 3);
  const auto places = column_places({.step = "m"}, {}, canvas.context(70));
  CHECK(places.size() < 60);
  CHECK(places.front().column == 0);
  for (std::size_t k = 1; k < places.size(); ++k) CHECK(places[k - 1].x < places[k].x);
  CHECK(places.back().x < 70);
}

}  // namespace attn
