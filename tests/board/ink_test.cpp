#include "board/ink.hpp"

#include "catch.hpp"
#include "text/unicode.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace attn {

using Lines = std::vector<std::string>;

TEST_CASE("in ASCII every sign of a page is spelled, and any other character becomes an escape", "[ink]") {
  CHECK(glyphs("Q · Kᵀ → scores / √head_dim", true) == "Q * K^T -> scores / sqrt head_dim");
  CHECK(glyphs("naïve 猫 👩", true) == "na\\u{ef}ve \\u{732b} \\u{1f469}");
  CHECK(glyphs("4 n²", true) == "4 n^2");
  CHECK(glyphs("┏━┻─┓▼█", true) == ".=+-.v@");
  const std::string page =
      "→←−·×√ᵀ≤≥∞Σ…–─━│┃┌┐└┘┼┴┬├┤┏┓┗┛┻┳╋┣┫▼▸▂▃▄▅▆▇█░▒▓é猫👩"
      "‍"
      "👧"
      "e"
      "\u0301";
  const std::string plain = glyphs(page, true);
  CHECK(std::all_of(plain.begin(), plain.end(), [](char c) { return c >= ' ' && c <= '~'; }));
}

TEST_CASE("with all characters the text stays, but nothing in it is obeyed", "[ink]") {
  CHECK(glyphs("naïve 猫 →", false) == "naïve 猫 →");
  CHECK(glyphs("a\x1b[31mb\n", false) == "a␛[31mb␊");
  CHECK(glyphs("a\x1b\u202e", true) == "a\\u{241b}\\u{202e}");
}

TEST_CASE("a line is as wide as a terminal shows it", "[ink]") {
  CHECK(width_of({}) == 0);
  CHECK(width_of({{"ab"}, {"猫", Ink::bold}, {"e\u0301", Ink::plain, 3}}) == 5);
}

TEST_CASE("padding counts columns and never cuts", "[ink]") {
  CHECK(padded_right("猫", 4) == "猫  ");
  CHECK(padded_left("猫", 4) == "  猫");
  CHECK(padded_left("e\u0301", 2) == " e\u0301");
  CHECK(padded_right("longer", 3) == "longer");
  CHECK(padded_left("", 0).empty());
}

TEST_CASE("a text is cut between characters, with a mark, and fits", "[ink][law]") {
  CHECK(shortened("attention", 9, false) == "attention");
  CHECK(shortened("attention", 5, false) == "atte…");
  CHECK(shortened("attention", 5, true) == "atte~");
  CHECK(shortened("猫犬鳥", 4, false) == "猫…");
  CHECK(shortened("👩‍👧👩‍👧", 3, false) == "👩‍👧…");
  CHECK(shortened("attention", 1, false) == "…");
  for (const std::string text : {"attention", "猫犬鳥", "e\u0301e\u0301e\u0301", "👩‍👧👩‍👧", "", "a"}) {
    for (std::size_t width = 1; width < 12; ++width) {
      CAPTURE(text, width);
      CHECK(display_width(shortened(text, width, false)) <= width);
    }
  }
}

TEST_CASE("bytes are counted by whole characters", "[ink]") {
  CHECK(bytes_within("猫犬", 3) == 3);
  CHECK(bytes_within("e\u0301e", 1) == 3);
  CHECK(bytes_within("abc", 9) == 3);
  CHECK(bytes_within("abc", 0) == 0);
}

TEST_CASE("wrapped lines keep to the width and lose no word", "[ink][law]") {
  CHECK(wrapped("the cat sat", 7) == Lines{"the cat", "sat"});
  CHECK(wrapped("the cat sat", 6) == Lines{"the", "cat", "sat"});
  CHECK(wrapped("incomprehensible cat", 5) == Lines{"incomprehensible", "cat"});
  CHECK(wrapped("  two   blanks ", 80) == Lines{"two blanks"});
  CHECK(wrapped("猫猫 猫", 5) == Lines{"猫猫", "猫"});
  CHECK(wrapped("", 10).empty());
  CHECK(wrapped("   ", 10).empty());
  const std::string text = "What a word looks for is its query and what it offers is its key";
  for (std::size_t width = 8; width < 70; ++width) {
    std::string again;
    for (const std::string& line : wrapped(text, width)) {
      CHECK(display_width(line) <= width);
      again += (again.empty() ? "" : " ") + line;
    }
    CHECK(again == text);
  }
}

TEST_CASE("a word is whole up to 40 columns, else its beginning, with the signs that close it", "[ink]") {
  const std::string whole(40, 'x');
  CHECK(with_short_words("the " + whole + " sat") == "the " + whole + " sat");
  CHECK(with_short_words("the x" + whole + " sat") == "the xxxxxxxxxxxxxxxx... sat");
  CHECK(with_short_words("(\"" + whole + "\").") == "(\"xxxxxxxxxxxxxx...\").");
  CHECK(with_short_words("Q[" + whole + ", " + whole + "x]") == "Q[xxxxxxxxxxxxxx..., xxxxxxxxxxxxxxxx...]");
  CHECK(with_short_words(std::string(41, '!')) == std::string(16, '!') + "...!!!");
  const std::string cats = "猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫";  // 20, of two columns each
  CHECK(with_short_words(cats) == cats);
  CHECK(with_short_words(cats + "猫") == "猫猫猫猫猫猫猫猫...");
  CHECK(with_short_words("  two   blanks ") == "  two   blanks ");
  CHECK(with_short_words("").empty());
  CHECK(wrapped("the x" + whole + " sat", 24) == Lines{"the xxxxxxxxxxxxxxxx...", "sat"});
}

TEST_CASE("without colour a line is its text, without blanks at its end", "[ink]") {
  CHECK(painted({{"a ", Ink::bold}, {"b ", Ink::accent, 7}, {"  "}}, false) == "a b");
  CHECK(painted({}, false).empty());
  CHECK(painted({{"  "}, {""}}, false).empty());
}

TEST_CASE("with colour every ink is closed where it ends", "[ink]") {
  CHECK(painted({{"a"}, {"b", Ink::bold}, {"c"}}, true) == "a\x1b[1mb\x1b[0mc");
  CHECK(painted({{"a", Ink::accent}}, true) == "\x1b[1;36ma\x1b[0m");
  CHECK(painted({{"a", Ink::faint}, {"  ", Ink::faint}}, true) == "\x1b[2ma\x1b[0m");
}

TEST_CASE("a tinted cell keeps its blanks, and stronger tints differ from weaker ones", "[ink]") {
  CHECK(painted({{" 1 ", Ink::plain, 7}}, true).find(" 1 \x1b[0m") != std::string::npos);
  CHECK(painted({{"1", Ink::plain, 1}}, true) != painted({{"1", Ink::plain, 4}}, true));
  CHECK(painted({{"1", Ink::plain, 4}}, true) != painted({{"1", Ink::plain, 7}}, true));
  CHECK(painted({{"1", Ink::plain, 0}}, true) == "1");
}

}  // namespace attn
