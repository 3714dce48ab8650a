#include "board/map.hpp"

#include "catch.hpp"
#include "drawn.hpp"

#include <stdexcept>
#include <string>

namespace attn {

namespace {

std::string map_at(const std::string& stage, bool ascii = false) {
  return joined(drawn(draw_map({stage}, {.ascii = ascii})));
}

}  // namespace

TEST_CASE("before the first step the whole way is thin", "[map]") {
  CHECK(map_at("") ==
        "tokens     ┌─ Q ─┐\n"
        "└─ ids ─ X ┼─ K ─┴─ scores ─ scaled ─ masked ─ weights ─┐\n"
        "           └─ V ────────────────────────────────────────┴─ context ─ output\n");
}

TEST_CASE("what is walked is heavy, and the stage where we are stands in brackets", "[map]") {
  CHECK(map_at("scaled") ==
        "tokens     ┏━ Q ━┓\n"
        "┗━ ids ━ X ╋━ K ━┻━ scores ━ [scaled] ─ masked ─ weights ─┐\n"
        "           ┗━ V ──────────────────────────────────────────┴─ context ─ output\n");
}

TEST_CASE("every stage is drawn in brackets once, with all the others, in 77 columns", "[map][law]") {
  for (const std::string stage :
       {"tokens", "ids", "X", "Q", "K", "V", "scores", "scaled", "masked", "weights", "context", "output"}) {
    CAPTURE(stage);
    for (const bool ascii : {false, true}) {
      const std::string map = map_at(stage, ascii);
      CHECK(map.find("[" + stage + "]") != std::string::npos);
      CHECK(map.find('[') == map.rfind('['));
      for (const char* name :
           {"tokens", "ids", "X", "Q", "K", "V", "scores", "scaled", "masked", "weights", "context", "output"}) {
        CHECK(map.find(name) != std::string::npos);
      }
      for (const Line& line : draw_map({stage}, {.ascii = ascii})) CHECK(width_of(line) <= 77);
    }
  }
}

TEST_CASE("Q, K and V are made at the same time", "[map]") {
  for (const std::string stage : {"Q", "K", "V"}) {
    const std::string map = map_at(stage);
    CHECK(map.find("┏━") != std::string::npos);
    CHECK(map.find("┗━ ids") != std::string::npos);
    CHECK(map.find("┻") == std::string::npos);  // they have not met yet
  }
}

TEST_CASE("in ASCII the map needs no other character", "[map]") {
  for (const char c : map_at("context", true)) CHECK((c == '\n' || (c >= ' ' && c <= '~')));
}

TEST_CASE("the way can be told in one line, with the stage in brackets", "[map]") {
  CHECK(map_in_words({"K"}) == "tokens → ids → X → Q, [K], V → scores → scaled → masked → weights → context → output");
}

TEST_CASE("a stage that the way does not have is refused, and the stages are named", "[map]") {
  CHECK_THROWS_AS(draw_map({"softmax"}, {}), std::invalid_argument);
  CHECK_THROWS_WITH(draw_map({"softmax"}, {}),
                    ContainsSubstring("no stage softmax") && ContainsSubstring("tokens, ids, X, Q, K, V, scores"));
}

}  // namespace attn
