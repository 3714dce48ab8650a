#include "board/text_face.hpp"

#include "catch.hpp"
#include "tensor/matmul.hpp"
#include "tensor/random.hpp"
#include "tensor/softmax.hpp"
#include "text/unicode.hpp"

#include <algorithm>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace attn {

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool holds(const std::string& page, const std::string& part) {
  return page.find(part) != std::string::npos;
}

/// A page with a block of every kind.
Board full_board(const std::vector<std::string>& words = {"the", "cat", "sat", "on", "the"}) {
  Board board({.name = "05_scores",
               .sources = {{"lessons/05_scores.cpp", "const Tensor Q = linear(X, W_Q);  // [seq_len, head_dim]\n"},
                           {"src/attention/x.cpp", "Tensor scores = matmul_transposed(query, key);\n"}},
               .options = {}});
  Random random(1);
  const Tensor Q = random.normal({words.size(), 4});
  const Tensor K = random.normal({words.size(), 4});
  const Tensor scores = matmul_transposed(Q, K);
  board.title("{text}", {{"text", "the cat sat"}});
  board.map("scores");
  board.part("Every query meets every key", "Q, K → [scores] → scaled");
  board.say("How well does {word} fit? Multiply number by number and add up, then look at the largest of them all.",
            {{"word", words[1]}});
  board.formula("scores = Q Kᵀ", "Vaswani et al. 2017, eq. (1)");
  board.record("Q", Q, given().with_rows(words));
  board.record("K", K, given().with_rows(words));
  board.code({"Q"});
  board.code({"scores"}, "src/attention/x.cpp");
  board.show("scores", scores, matmul_transposed("Q", "K"), {.shaded = true});
  board.shapes("scores");
  board.by_hand("scores", {2, 1});
  board.part("From scores to shares", "scores → [weights]");
  board.record("weights", softmax(scores, -1), softmax("scores", -1));
  board.arcs_and_table("weights", 2);
  board.by_hand("weights", {2, 1});
  board.notice("It adds up to {sum}.", {{"sum", 1.0}});
  board.aside("A remark.");
  board.ask("Which is larger?", "The {word} one.", {{"word", "second"}});
  board.pytorch({"import torch", "print(1)"});
  board.experiment("lessons/run 05 --seed 1", "What moves?");
  board.measured({.unit = "GFLOP/s", .rows = {{"slow", 1.0, 4.0}, {"fast", 2.5, 4.0}}});
  return board;
}

/// Without escapes; each must be closed before the next opens, and at the end of its line.
std::string stripped(const std::string& page) {
  std::string text;
  bool open = false;
  for (std::size_t i = 0; i < page.size(); ++i) {
    if (page[i] != '\x1b') {
      if (page[i] == '\n') CHECK_FALSE(open);
      text += page[i];
      continue;
    }
    const std::size_t end = page.find('m', i);
    REQUIRE(end != std::string::npos);
    const std::string codes = page.substr(i + 2, end - i - 2);
    CHECK(page[i + 1] == '[');
    CHECK(codes.find_first_not_of("0123456789;") == std::string::npos);
    CHECK(open == (codes == "0"));
    open = !open;
    i = end;
  }
  CHECK_FALSE(open);
  return text;
}

/// The words of a page, without bars: colour has tints in their place.
std::vector<std::string> words_without_bars(std::string page) {
  for (const char* bar : {"▂", "▃", "▄", "▅", "▆", "▇", "█"}) {
    for (std::size_t at = page.find(bar); at != std::string::npos; at = page.find(bar)) page.replace(at, 3, 1, ' ');
  }
  std::istringstream stream(page);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace

TEST_CASE("each kind of block has its label in the margin, and everything is on the page", "[text]") {
  const std::string page = render_text(full_board(), {});
  for (const char* label :
       {"\n formula  ", "\n code     ", "\n shapes   ", "\n by hand  ", "\n notice   ", "\n ask      ", "\n PyTorch  ",
        "\n try      ", "\n answer   ", "\n1         Every query", "\n2         From scores"}) {
    CAPTURE(label);
    CHECK(holds(page, label));
  }
  CHECK(page.starts_with("05        the cat sat "));
  CHECK(holds(page, "Q [5, 4] · Kᵀ [4, 5] → scores [5, 5]"));
  CHECK(holds(page, "It adds up to 1."));
  CHECK(holds(page, "from sat"));
  CHECK(holds(page, "src/attention/x.cpp\n"));
}

TEST_CASE("under the first table with marks stands what they mean, for the kinds of numbers that the page marks",
          "[text]") {
  const Tensor scores = Tensor::matrix({{4, 3, 2, 1, 0, 0, 0, 0}});
  const auto remarks = [&](const std::vector<std::vector<std::string>>& tables) {
    Board board({.name = "mine", .sources = {}, .options = {}});
    board.record("scores", scores, given());
    board.record("weights", softmax(scores, -1), softmax("scores", -1));
    board.record("few", Tensor::matrix({{4, 3}}), given());
    board.record("shares", softmax(Tensor::matrix({{4, 3}}), -1), softmax("few", -1));
    for (const std::vector<std::string>& side_by_side : tables) {
      std::vector<TableEntry> entries;
      for (const std::string& name : side_by_side) entries.push_back({.step = name});
      board.table(entries, {.shaded = true});
    }
    std::vector<std::string> found;
    std::istringstream words(render_text(board, {}));
    bool inside = false;
    for (std::string word; words >> word;) {
      if (word == "(Marked:") found.emplace_back();
      inside |= word == "(Marked:";
      if (inside) found.back() += (found.back().empty() ? "" : " ") + word;
      inside &= !word.ends_with(')');
    }
    return found;
  };
  const std::string of_shares = "(Marked: shares of 1/4 or more.)";
  const std::string of_others = "(Marked: a quarter of the largest or more.)";
  const std::string of_both = "(Marked: shares from 1/4 on; others from a quarter of the largest.)";
  using Remarks = std::vector<std::string>;
  CHECK(remarks({{"weights"}, {"weights"}}) == Remarks{of_shares});
  CHECK(remarks({{"scores"}, {"scores"}}) == Remarks{of_others});
  CHECK(remarks({{"weights"}, {"scores"}}) == Remarks{of_both});
  CHECK(remarks({{"scores"}, {"weights"}}) == Remarks{of_both});
  CHECK(remarks({{"few", "shares"}}) == Remarks{of_both});
}

TEST_CASE("the legend of squares has a word for nan where squares show it, and none where a table spells it out",
          "[text]") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  Board board({.name = "mine", .sources = {}, .options = {}});
  board.show("spelled", Tensor::matrix({{1, nan}}), given(), {.shaded = true});
  CHECK(holds(render_text(board, {}), "blank: 0.)"));
  board.panels({{"spelled"}});
  CHECK(holds(render_text(board, {}), "blank: 0; ? nan.)"));
}

TEST_CASE("an answer comes at the end of the page, not beside its question", "[text]") {
  const std::string page = render_text(full_board(), {});
  CHECK(page.find("The second one.") > page.find("What moves?"));
  CHECK(page.find("Which is larger?") < page.find("import torch"));
}

/// The lines of a page that hold something, sorted.
std::vector<std::string> sorted_lines(const std::string& page) {
  std::istringstream stream(page);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    // The label of what follows stands once; where answers move apart, each has its own.
    if (line.starts_with(" answer") || line.starts_with(" ask") || line.starts_with(" try"))
      line.replace(0, 8, "        ");
    if (!line.empty()) lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST_CASE("the parts hold the lines of the page, and each answer comes right after its question", "[text][law]") {
  const Board board = full_board();
  for (const std::size_t width : {60U, 80U, 120U}) {
    const auto parts = render_text_parts(board, {.width = width});
    std::string joined;
    for (const std::string& part : parts) {
      CHECK_FALSE(part.empty());
      joined += part;
    }
    CHECK(sorted_lines(joined) == sorted_lines(render_text(board, {.width = width})));
    std::size_t asked = 0;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (!holds(parts[k], "Which is larger?")) continue;
      ++asked;
      REQUIRE(k + 1 < parts.size());
      CHECK(holds(parts[k + 1], "The second one."));
      CHECK_FALSE(holds(parts[k], "The second one."));
    }
    CHECK(asked == 1);
  }
}

TEST_CASE("a page keeps to its width", "[text][law]") {
  const auto words = GENERATE(std::vector<std::string>{"the", "cat", "sat", "on", "the"},
                              std::vector<std::string>{"猫", "👩‍👧", "e\u0301", "7", "a,b"});
  const Board board = full_board(words);
  for (std::size_t width = 60; width <= 200; width += 10) {
    for (const bool ascii : {false, true}) {
      for (const std::string& line : lines_of(render_text(board, {.width = width, .ascii = ascii}))) {
        CAPTURE(width, ascii, line);
        CHECK(display_width(line) <= width);
        CHECK((line.empty() || line.back() != ' '));
      }
    }
  }
}

TEST_CASE("in ASCII the page has no other character, with any words on it", "[text]") {
  for (const auto& words : {std::vector<std::string>{"the", "cat", "sat", "on", "the"},
                            std::vector<std::string>{"猫", "👩‍👧", "e\u0301", "\x1b[2J", "naïve"}}) {
    for (const char c : render_text(full_board(words), {.width = 120, .ascii = true})) {
      REQUIRE((c == '\n' || (c >= ' ' && c <= '~')));
    }
  }
}

TEST_CASE("colour changes no word: its escapes are closed on their line, and without them the words are the same",
          "[text][law]") {
  const Board board = full_board();
  for (const std::size_t width : {60U, 80U, 120U}) {
    const std::string plain = render_text(board, {.width = width});
    const std::string colored = render_text(board, {.width = width, .color = true});
    CHECK_FALSE(holds(plain, "\x1b"));
    CHECK(holds(colored, "\x1b["));
    CHECK(words_without_bars(stripped(colored)) == words_without_bars(plain));
    CHECK(lines_of(stripped(colored)).size() == lines_of(plain).size());
  }
}

TEST_CASE("words that would steer a terminal are shown, never obeyed", "[text]") {
  const std::string page = render_text(full_board({"\x1b[31m", "\r", "\u202e", "\t", "\x07"}), {});
  for (const char c : page) REQUIRE((c == '\n' || static_cast<unsigned char>(c) >= 0x20));
  CHECK_FALSE(holds(page, "\u202e"));
}

TEST_CASE("a long line of code goes on below, between words and never within a character", "[text]") {
  Board board(
      {.name = "x",
       .sources = {{"a.cpp",
                    "const Tensor a = first(one, two, three) + second(one, two, three) + third(one);\n"
                    "const Tensor b = f(\"猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫\");\n"
                    "const Tensor c = g();  // a comment that has no room beside the code it is about, so it goes\n"}},
       .options = {}});
  board.code({"a"});
  board.code({"b"});
  board.code({"c"});
  const std::string page = render_text(board, {.width = 60});
  for (const std::string& line : lines_of(page)) CHECK(display_width(line) <= 60);
  CHECK(holds(page, "+ third(one);"));
  CHECK(holds(page, "const Tensor c = g();\n"));
}

TEST_CASE("an empty board is an empty page", "[text]") {
  CHECK(render_text(Board({.name = "x", .sources = {}, .options = {}}), {}).empty());
}

TEST_CASE("a page of questions only, or of parts only, has no empty part", "[text]") {
  Board questions({.name = "x", .sources = {}, .options = {}});
  questions.ask("a?", "b.");
  CHECK(render_text(questions, {}) == " ask      a?\n\n answer   b.\n");
  Board parts({.name = "x", .sources = {}, .options = {}});
  parts.part("a", "b");
  parts.part("c", "d");
  CHECK(render_text_parts(parts, {}).size() == 2);
}

TEST_CASE("a long experiment is wrapped below its command", "[text]") {
  Board board({.name = "x", .sources = {}, .options = {}});
  board.experiment("lessons/run 00 --weights torch --seed 1",
                   "Which of the seven rows changes most, and can you say "
                   "why it is just that one and no other?");
  for (const std::string& line : lines_of(render_text(board, {.width = 60}))) CHECK(display_width(line) <= 60);
}

TEST_CASE("more decimals show more digits", "[text]") {
  Board board({.name = "x", .sources = {}, .options = {}});
  board.show("a", Tensor({1}, 1.0F / 3.0F), given());
  board.say("{x}", {{"x", 1.0 / 3.0}});
  CHECK(holds(render_text(board, {.precision = 1}), " 0.3\n"));
  CHECK(holds(render_text(board, {.precision = 6}), "0.333333\n"));
}

TEST_CASE("Python goes on below inside brackets of any kind, and a bracket in quotes is none", "[text_face]") {
  Board board({.name = "05_scores", .sources = {}, .options = {}});
  board.pytorch({R"py(tokens = [")", ")", ")", "a word", "another word", "one more word"])py",
                 R"(rows = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5})"});
  const std::string page = render_text(board, {.width = 60});
  CHECK(page.find("\n              \"one more word\"]\n") != std::string::npos);
  CHECK(page.find("\n              \"five\": 5}\n") != std::string::npos);
}

}  // namespace attn
