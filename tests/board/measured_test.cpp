#include "board/measured.hpp"

#include "board/board.hpp"
#include "board/json_face.hpp"
#include "board/text_face.hpp"
#include "catch.hpp"
#include "drawn.hpp"
#include "text/unicode.hpp"

#include <limits>
#include <string>
#include <vector>

using namespace attn;

namespace {

const Measurements speeds = {.unit = "GFLOP/s",
                             .rows = {{"ijk", 0.9121, 113}, {"ikj", 11.3, 113}, {"tile", 90.4, 113}}};

std::string lines_of(const Measured& measured, std::size_t width = 70, bool ascii = false) {
  Canvas canvas;
  canvas.style.ascii = ascii;
  return joined(drawn(draw_measured(measured, canvas.context(width))));
}

Board board_that_measures(bool timing) {
  Board board({.name = "42_mine", .sources = {}, .options = {}, .timing = timing});
  board.record("a", Tensor({2}), given());
  board.say("How fast?");
  board.measured(speeds);
  board.say("So fast.");
  return board;
}

}  // namespace

TEST_CASE("each measured value has its ratio to the one before, its share of the peak, and a bar", "[measured]") {
  CHECK(lines_of({speeds, true}) ==
        "here and now, on this machine: your numbers will differ.\n"
        "      GFLOP/s  × before  of peak\n"
        "ijk     0.912              0.8 %  ▎\n"
        "ikj      11.3      12.4     10 %  ██▍\n"
        "tile     90.4      8.00     80 %  ███████████████████▎\n");
}

TEST_CASE("each measured value has its share of a peak of its own, and none where its peak is not known",
          "[measured]") {
  const Measurements own = {.unit = "GFLOP/s", .rows = {{"one", 80.0, 100.0}, {"any", 90.0}, {"two", 150.0, 200.0}}};
  CHECK(lines_of({own, true}, 70, true) ==
        "here and now, on this machine: your numbers will differ.\n"
        "     GFLOP/s  x before  of peak\n"
        "one     80.0               80 %  =========\n"
        "any     90.0      1.12           ==========\n"
        "two      150      1.67     75 %  ==================\n");
}

TEST_CASE("without a peak there are no shares, and the largest value has the longest bar", "[measured]") {
  CHECK(lines_of({{.unit = "ms", .rows = {{"one", 2.0}, {"two", 4.0}}}, true}, 70, true) ==
        "here and now, on this machine: your numbers will differ.\n"
        "       ms  x before\n"
        "one  2.00            ============\n"
        "two  4.00      2.00  ========================\n");
  CHECK(lines_of({{.unit = "ms", .rows = {{"alone", 2.0}}}, true}, 70, true) ==
        "here and now, on this machine: your numbers will differ.\n"
        "         ms\n"
        "alone  2.00  ========================\n");
}

TEST_CASE("parts of one whole are not compared with the one before", "[measured]") {
  CHECK(lines_of({{.unit = "%", .rows = {{"one", 20.0}, {"two", 80.0}}, .compared = false}, true}, 70, true) ==
        "here and now, on this machine: your numbers will differ.\n"
        "        %\n"
        "one  20.0  ======\n"
        "two  80.0  ========================\n");
}

TEST_CASE("measured values fit in a narrow page, with long names and with values that are no speeds", "[measured]") {
  const double infinity = std::numeric_limits<double>::infinity();
  const Measurements odd = {
      .unit = "GFLOP/s",
      .rows = {{std::string(60, 'x'), 0.0, 1e-9}, {"inf", infinity, infinity}, {"nan", infinity - infinity, 1e-9}}};
  for (std::size_t width = 50; width <= 120; ++width) {
    for (const std::string& line : drawn(draw_measured({odd, true}, Canvas().context(width)))) {
      CHECK(display_width(line) <= width);
    }
  }
}

TEST_CASE("where measured values are left out, one line says so", "[measured]") {
  const std::string with = render_text(board_that_measures(true), {});
  const std::string without = render_text(board_that_measures(false), {});
  CHECK_THAT(with, ContainsSubstring("measured here and now, on this machine: your numbers will differ.\n"));
  CHECK_THAT(with, ContainsSubstring("ikj      11.3"));
  CHECK(without ==
        "          How fast?\n"
        "\n"
        "          (Measured times are left out; --timing on shows them.)\n"
        "\n"
        "          So fast.\n");
}

TEST_CASE("a measured value is no step of the trace", "[measured]") {
  CHECK(render_json(board_that_measures(true)) == render_json(board_that_measures(false)));
  CHECK_THAT(render_json(board_that_measures(true)), !ContainsSubstring("ikj"));
}
