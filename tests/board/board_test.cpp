#include "board/board.hpp"

#include "board/address.hpp"
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

TEST_CASE("an experiment keeps what the reader chose, where both go together, and is none where that is all",
          "[board]") {
  const auto command = [](std::vector<ChosenOption> chosen, std::size_t heads, const std::string& options) {
    Board board({.name = "05_scores", .sources = {}, .options = {{"heads", heads}}, .chosen = std::move(chosen)});
    board.experiment(options, "What moves?");
    return board.page().blocks.empty() ? std::string() : block<Experiment>(board, 0).command;
  };
  CHECK(command({}, 4, "--mask causal") == "lessons/run 05 --mask causal");
  CHECK(command({{"--seed", "3"}, {"--text", "a dog"}}, 4, "--mask causal") ==
        "lessons/run 05 --seed 3 --text \"a dog\" --mask causal");
  CHECK(command({{"--text", "a dog"}}, 4, "--text \"cat\"") == "lessons/run 05 --text \"cat\"");
  CHECK(command({{"--text", "cat"}}, 4, "--text \"cat\"").empty());
  CHECK(command({{"--mask", "causal"}}, 4, "--mask causal").empty());
  // A third head of two, or sizes that do not divide each other, would be refused.
  CHECK(command({{"--heads", "2"}}, 2, "--head 3").empty());
  CHECK(command({{"--heads", "2"}}, 2, "--head 2") == "lessons/run 05 --heads 2 --head 2");
  CHECK(command({{"--d-model", "6"}, {"--heads", "2"}, {"--head", "2"}, {"--seed", "1"}}, 2, "--heads 1") ==
        "lessons/run 05 --seed 1 --heads 1");
  CHECK(command({{"--heads", "3"}, {"--d-model", "6"}}, 3, "--weights torch --d-model 64") ==
        "lessons/run 05 --weights torch --d-model 64");
}

TEST_CASE("a command that asks why names a number so that the command finds it", "[board]") {
  const auto command = [](std::vector<ChosenOption> chosen, std::vector<std::string> words, const Index& index) {
    LessonInfo info{.name = "05_scores", .sources = {}, .options = {}, .chosen = std::move(chosen)};
    Board board(std::move(info));
    board.follow("head2.");
    board.record("head2.scores", Tensor::matrix({{1, 2}, {3, 4}}), given().with_rows(words).with_columns(words));
    board.experiment_why("head2.scores", index, "Why?");
    if (board.page().blocks.empty()) return std::string();
    const std::string typed = block<Experiment>(board, 0).command;
    const std::size_t begin = typed.find('\'') + 1;
    const Cell cell = find_cell(board.trace(), "head2.", typed.substr(begin, typed.rfind('\'') - begin));
    CHECK(cell.index == index);
    return typed;
  };
  CHECK(command({}, {"sat", "cat"}, {0, 1}) == "lessons/run 05 --explain 'scores[sat,cat]'");
  CHECK(command({}, {"sat", "sat"}, {1, 1}) == "lessons/run 05 --explain 'scores[sat#2,sat#2]'");
  CHECK(command({{"--mask", "causal"}}, {"sat", "9"}, {0, 1}) ==
        "lessons/run 05 --mask causal --explain 'scores[sat,#1]'");
  for (const char* odd : {"it's", "\"", "\\", ",", "]", "üstüne", "a b", "$HOME", "`x`"}) {
    CAPTURE(odd);
    const std::string typed = command({}, {"sat", odd}, {0, 1});
    const bool by_word = typed.find(odd) != std::string::npos;
    CHECK((by_word || typed == "lessons/run 05 --explain 'scores[#0,#1]'"));
  }
  CHECK(command({{"--text", "a sentence of more than thirty-four letters"}}, {"sat", "cat"}, {0, 1}).empty());
  CHECK(command({{"--text", "üstüne"}}, {"sat", "cat"}, {0, 1}).empty());
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
