#include "text/word_tokenizer.hpp"
#include "catch.hpp"
#include "text/unicode.hpp"

#include <chrono>
#include <clocale>
#include <string>

namespace attn {
namespace {

using Strings = std::vector<std::string>;

Strings texts(const std::string& text) {
  Strings result;
  for (const Token& token : tokenize_words(text)) result.push_back(token.text);
  return result;
}

Strings words(const std::string& text) {
  Strings result;
  for (const Token& token : tokenize_words(text)) result.push_back(token.word);
  return result;
}

}  // namespace

TEST_CASE("words and punctuation come apart, as written and lower-cased", "[tokenizer]") {
  CHECK(texts("The cat sat on the mat.") == Strings{"The", "cat", "sat", "on", "the", "mat", "."});
  CHECK(words("The CAT sat.") == Strings{"the", "cat", "sat", "."});
  CHECK(texts("Kedi paspasın üstüne oturdu.") == Strings{"Kedi", "paspasın", "üstüne", "oturdu", "."});
  CHECK(texts("¿Qué es la atención?") == Strings{"¿", "Qué", "es", "la", "atención", "?"});
  CHECK(words("¿Qué es la atención?") == Strings{"¿", "qué", "es", "la", "atención", "?"});
  CHECK(texts("naïve café") == Strings{"naïve", "café"});
  CHECK(texts("(\"Hi!\")") == Strings{"(", "\"", "Hi", "!", "\"", ")"});
}

TEST_CASE("a decomposed spelling stays as written and looks up as the composed one", "[tokenizer]") {
  const std::string decomposed = "nai\u0308ve cafe\u0301";
  CHECK(texts(decomposed) == Strings{"nai\u0308ve", "cafe\u0301"});
  CHECK(words(decomposed) == Strings{"na\u00efve", "caf\u00e9"});
  CHECK(words("H\u0331") == Strings{"\u1e96"});  // composed only once it is small
}

TEST_CASE("apostrophes and hyphens stay inside a word, and stand alone at its edges", "[tokenizer]") {
  CHECK(texts("The cat's mat.") == Strings{"The", "cat's", "mat", "."});
  CHECK(texts("don't don’t") == Strings{"don't", "don’t"});
  CHECK(words("don't don’t") == Strings{"don't", "don't"});
  CHECK(texts("a well-known fox") == Strings{"a", "well-known", "fox"});
  CHECK(texts("'tis the cats' mat") == Strings{"'", "tis", "the", "cats", "'", "mat"});
  CHECK(texts("a - b, c-") == Strings{"a", "-", "b", ",", "c", "-"});
  CHECK(texts("one--two") == Strings{"one", "-", "-", "two"});
  CHECK(texts("rock-'n'-roll") == Strings{"rock", "-", "'", "n", "'", "-", "roll"});
  CHECK(words("“so” ‘so’ co\u2011op") == Strings{"\"", "so", "\"", "'", "so", "'", "co-op"});
}

TEST_CASE("numbers keep their points and commas; sentences do not", "[tokenizer]") {
  CHECK(texts("pi is 3.14.") == Strings{"pi", "is", "3.14", "."});
  CHECK(texts("1,000.5 or 3,14") == Strings{"1,000.5", "or", "3,14"});
  CHECK(texts("1, 2") == Strings{"1", ",", "2"});
  CHECK(texts(".5 5.") == Strings{".", "5", "5", "."});
  CHECK(texts("a.b 1.b a.1") == Strings{"a", ".", "b", "1", ".", "b", "a", ".", "1"});
  CHECK(texts("3..4") == Strings{"3", ".", ".", "4"});
  CHECK(texts("-5 x² ½") == Strings{"-", "5", "x²", "½"});
}

TEST_CASE("three dots are three tokens, and the ellipsis is one", "[tokenizer]") {
  CHECK(texts("so...") == Strings{"so", ".", ".", "."});
  CHECK(texts("so…") == Strings{"so", "…"});
  CHECK(texts("?!$€") == Strings{"?", "!", "$", "€"});
}

TEST_CASE("an emoji with all its joiners is one token, also beside a word", "[tokenizer]") {
  CHECK(texts("a👩‍👩‍👧‍👦b") == Strings{"a", "👩‍👩‍👧‍👦", "b"});
  CHECK(texts("👍🏽👍🇹🇷🇪🇸") == Strings{"👍🏽", "👍", "🇹🇷", "🇪🇸"});
  CHECK(texts("1️⃣2️⃣ 12") == Strings{"1️⃣", "2️⃣", "12"});
  CHECK(texts("xℹ️❤️") == Strings{"x", "ℹ️", "❤️"});
}

TEST_CASE("each ideograph is a token; kana stay in runs of one script; other scripts stay whole", "[tokenizer]") {
  CHECK(texts("猫坐在垫子上。") == Strings{"猫", "坐", "在", "垫", "子", "上", "。"});
  CHECK(texts("猫がマットの上に座った") == Strings{"猫", "が", "マット", "の", "上", "に", "座", "った"});
  CHECK(texts("ラーメン らーめん") == Strings{"ラーメン", "らーめん"});
  CHECK(texts("Tシャツ") == Strings{"T", "シャツ"});
  CHECK(texts("𠮷野 人々") == Strings{"𠮷", "野", "人", "々"});
  CHECK(texts("고양이가 앉았다") == Strings{"고양이가", "앉았다"});
  CHECK(texts("แมวนั่ง") == Strings{"แมวนั่ง"});
  CHECK(texts("कुत्ता।") == Strings{"कुत्ता", "।"});
  CHECK(texts("می\u200Cخواهم") == Strings{"می\u200Cخواهم"});
  CHECK(words("می\u200Cخواهم") == Strings{"می\u200Cخواهم"});
}

TEST_CASE("all white space separates and is dropped, the zero-width space too", "[tokenizer]") {
  const std::string space =
      GENERATE(" ", "\t", "\n", "\r\n", "\u0085", "\u00A0", "\u2003", "\u2028", "\u3000", "\u200B", " \u00A0\t ");
  CHECK(texts("a" + space + "b") == Strings{"a", "b"});
  CHECK(texts(space + "a" + space) == Strings{"a"});
  CHECK(texts(space).empty());
}

TEST_CASE("no text, no tokens", "[tokenizer]") {
  CHECK(tokenize_words("").empty());
}

TEST_CASE("control characters are tokens of their own, not lost", "[tokenizer]") {
  CHECK(texts(std::string("a\0b", 3)) == Strings{"a", std::string(1, '\0'), "b"});
  CHECK(texts("a\x1B[0m") == Strings{"a", "\x1B", "[", "0m"});
  CHECK(words("\x7F") == Strings{"\x7F"});
}

TEST_CASE("layout hints stay in their word, and the look-up does not see them", "[tokenizer]") {
  CHECK(texts("co\u00ADop") == Strings{"co\u00ADop"});
  CHECK(words("co\u00ADop co\u2060-\u2060op") == Strings{"coop", "co-op"});
  CHECK(texts("\u200Fcat\u200F.") == Strings{"\u200F", "cat", "\u200F", "."});
  CHECK(words("\u200F") == Strings{"\u200F"});
}

TEST_CASE("a byte order mark at the start is skipped; positions count it", "[tokenizer]") {
  CHECK(texts("\uFEFFcat") == Strings{"cat"});
  CHECK(texts("\uFEFF").empty());
  CHECK_THROWS_WITH(tokenize_words("\uFEFF\xFF"), ContainsSubstring("byte 0xFF at position 3"));
}

TEST_CASE("a mark on a space is kept, without the space", "[tokenizer]") {
  CHECK(texts("a \u0301 b") == Strings{"a", "\u0301", "b"});
  CHECK(texts("\u00A0\u0301") == Strings{"\u0301"});
}

TEST_CASE("invalid UTF-8 is refused with the byte's position", "[tokenizer]") {
  CHECK_THROWS_AS(tokenize_words("the cat\xFF"), std::invalid_argument);
  CHECK_THROWS_WITH(tokenize_words("the cat\xC3 sat"), ContainsSubstring("byte 0xC3 at position 7 (counted from 0)"));
}

TEST_CASE("Turkish capital i, dotted in either spelling or dotless, does not depend on the locale", "[tokenizer]") {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* const name : {"C", "tr_TR.UTF-8", "tr_TR.utf8"}) {
    if (std::setlocale(LC_ALL, name) == nullptr) continue;  // not installed here
    CAPTURE(name);
    CHECK(words("İSTANBUL I\u0307STANBUL IĞDIR ığdır") == Strings{"istanbul", "istanbul", "iğdir", "ığdır"});
  }
  std::setlocale(LC_ALL, before.c_str());
}

TEST_CASE("the tokens in order are the text without its white space", "[tokenizer]") {
  const std::string text =
      GENERATE("He said: \"don't - 3.14!\" ...",
               "naïve cafe\u0301 👩‍👩‍👧‍👦 猫がマット \u00AD\u200F x\u0301 \x01\x02",
               "'a'-b-'c' 1.2.3,4 .,-' --", "a \u0301\u200D \u0600\u0661 \u200D\uFE0F");
  std::string joined;
  for (const Token& token : tokenize_words(text)) {
    CHECK_FALSE(token.text.empty());
    CHECK_FALSE(token.word.empty());
    joined += token.text;
  }
  std::string expected;
  for (const char c : text)
    if (c != ' ') expected += c;
  CHECK(joined == expected);
}

TEST_CASE("the look-up form is its own look-up form", "[tokenizer]") {
  for (const std::string& word :
       words("İki KEDİ Café H\u0331 don’t co\u00ADop “x” 3.14 Straße ǅ ﬁ 한 👍🏽 Ω K")) {
    CAPTURE(word);
    CHECK(words(word) == Strings{word});
  }
}

TEST_CASE("a megabyte is cut in linear time", "[tokenizer]") {
  const std::string unit = GENERATE("The cat's 3.14 naïve mat. ", "\u00AD", "a\u0301-", "x\u00AD");
  std::string text;
  while (text.size() < 1'000'000) text += unit;
  const auto start = std::chrono::steady_clock::now();
  CHECK_FALSE(tokenize_words(text).empty());
  CAPTURE(unit);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));  // quadratic would take minutes
}

}  // namespace attn
