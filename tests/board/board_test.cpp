#include "board/board.hpp"

#include "board/page.hpp"
#include "catch.hpp"

#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace attn {

namespace {

Board board_with_sources() {
  return Board({.name = "01_test",
                .sources = {{"lessons/01_test.cpp", "const Tensor a = f();\nconst Tensor b = g();\n"},
                            {"src/attention/x.cpp", "Tensor scores = h();\n"}},
                .options = {{"head", std::size_t{0}}}});
}

template <typename Kind>
const Kind& block(const Board& board, std::size_t k) {
  REQUIRE(k < board.page().blocks.size());
  REQUIRE(std::holds_alternative<Kind>(board.page().blocks[k]));
  return std::get<Kind>(board.page().blocks[k]);
}

}  // namespace

TEST_CASE("what a lesson writes is kept in order", "[board]") {
  Board board = board_with_sources();
  board.title("{text}", {{"text", "the cat"}}, "sub");
  board.map("scores");
  board.part("Heading", "a → [b]");
  board.notice("n");
  board.ask("Why?", "Because of {x}.", {{"x", 3}});
  CHECK(board.page().blocks.size() == 5);
  CHECK(block<Title>(board, 0).subtitle == "sub");
  CHECK(block<Map>(board, 1).stage == "scores");
  CHECK(block<Part>(board, 2).way == "a → [b]");
  CHECK(block<Notice>(board, 3).text.pattern == "n");
  CHECK(block<Ask>(board, 4).answer.values.size() == 1);
}

TEST_CASE("show makes a step and its table, record only the step", "[board]") {
  Board board = board_with_sources();
  board.record("a", Tensor({2, 2}), given());
  CHECK(board.page().blocks.empty());
  board.show("b", Tensor({2, 2}), scale("a", 1.0F), {.shaded = true});
  CHECK(block<Table>(board, 0).entries[0].step == "b");
  CHECK(block<Table>(board, 0).look.shaded);
  CHECK(board.trace().steps().size() == 2);
}

TEST_CASE("arcs come with the table they end over", "[board]") {
  Board board = board_with_sources();
  board.record("w", Tensor({2, 2}), given());
  board.arcs_and_table("w", 1);
  CHECK(block<Arcs>(board, 0).row == 1);
  CHECK(block<Table>(board, 1).look.row_sums);
}

TEST_CASE("what was never shown cannot be tabled or worked out", "[board]") {
  Board board = board_with_sources();
  CHECK_THROWS_WITH(board.table({{"missing"}}), ContainsSubstring("no step missing yet"));
  CHECK_THROWS_AS(board.by_hand("missing", {0}), std::invalid_argument);
  CHECK_THROWS_AS(board.arcs_and_table("missing", 0), std::invalid_argument);
  board.record("a", Tensor({2, 2}), given());
  CHECK_THROWS_AS(board.by_hand("a", {0, 2}), std::out_of_range);
  CHECK_THROWS_AS(board.arcs_and_table("a", 2), std::out_of_range);
  CHECK(board.page().blocks.empty());
}

TEST_CASE("code comes from the lesson's own file, or from the file that is named", "[board]") {
  Board board = board_with_sources();
  board.code({"a", "b"});
  board.code({"scores"}, "src/attention/x.cpp");
  CHECK(block<Code>(board, 0).lines == std::vector<std::string>{"const Tensor a = f();", "const Tensor b = g();"});
  CHECK(block<Code>(board, 0).file == "lessons/01_test.cpp");
  CHECK(block<Code>(board, 1).lines == std::vector<std::string>{"Tensor scores = h();"});
  CHECK_THROWS_WITH(board.code({"a"}, "src/none.cpp"), ContainsSubstring("no source file src/none.cpp"));
  CHECK_THROWS_AS(board.code({"gone"}), std::invalid_argument);
}

TEST_CASE("an option that the lesson settles replaces what the command line left open", "[board]") {
  Board board = board_with_sources();
  board.option("head", std::size_t{2});
  CHECK(board.lesson().options.size() == 1);
  CHECK(board.lesson().options[0].value.words() == "2");
  board.option("mask", "causal");
  CHECK(board.lesson().options.size() == 2);
}

TEST_CASE("a page drops the prefix of the head it follows, and only that", "[board]") {
  Board board = board_with_sources();
  CHECK(board.page().short_name("head2.scores") == "head2.scores");
  board.follow("head2.");
  CHECK(board.page().short_name("head2.scores") == "scores");
  CHECK(board.page().short_name("head1.scores") == "head1.scores");
}

TEST_CASE("a board can be moved", "[board]") {
  Board first = board_with_sources();
  first.say("hello");
  const Board second = std::move(first);
  CHECK(second.page().blocks.size() == 1);
}

}  // namespace attn
