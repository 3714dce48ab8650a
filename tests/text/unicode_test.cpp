#include "text/unicode.hpp"
#include "catch.hpp"

#include <chrono>
#include <clocale>
#include <stdexcept>
#include <string>

namespace attn {
namespace {

std::string complaint(const std::string& text) {
  try {
    require_utf8(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

std::vector<std::string> pieces(const std::string& text) {
  const std::vector<std::string_view> views = graphemes(text);
  return {views.begin(), views.end()};
}

using Strings = std::vector<std::string>;

}  // namespace

TEST_CASE("valid UTF-8 passes: every length, its first and last code points, NUL and noncharacters", "[unicode]") {
  const std::string text = GENERATE(std::string(), std::string("a\0b", 3), "\x7F", "\u0080", "\u07FF", "\u0800",
                                    "\uD7FF", "\uE000", "\uFFFF", "\U00010000", "\U0010FFFF", "\uFEFF");
  CHECK_NOTHROW(require_utf8(text));
}

TEST_CASE("invalid UTF-8 is refused with the byte's position, its value and what is wrong", "[unicode]") {
  struct Bad {
    std::string bytes;
    std::string byte;
    std::string reason;
  };
  const Bad bad = GENERATE(
      Bad{"\x80", "0x80", "continues a character that never started"},
      Bad{"\xBF", "0xBF", "continues a character that never started"},
      Bad{"\xC0\xAF", "0xC0", "starts a character in more bytes than it needs"},          // "/" in two bytes
      Bad{"\xC1\xBF", "0xC1", "starts a character in more bytes than it needs"},          // U+007F in two
      Bad{"\xE0\x9F\xBF", "0xE0", "starts a character in more bytes than it needs"},      // U+07FF in three
      Bad{"\xF0\x8F\xBF\xBF", "0xF0", "starts a character in more bytes than it needs"},  // U+FFFF in four
      Bad{"\xED\xA0\x80", "0xED", "starts a surrogate"},                                  // U+D800
      Bad{"\xED\xBF\xBF", "0xED", "starts a surrogate"},                                  // U+DFFF
      Bad{"\xF4\x90\x80\x80", "0xF4", "starts a character past U+10FFFF"},                // U+110000
      Bad{"\xF5\x80\x80\x80", "0xF5", "starts a character past U+10FFFF"},
      Bad{"\xF8\x88\x80\x80\x80", "0xF8", "is used nowhere in UTF-8"}, Bad{"\xFE", "0xFE", "is used nowhere in UTF-8"},
      Bad{"\xFF", "0xFF", "is used nowhere in UTF-8"}, Bad{"\xC3", "0xC3", "starts a character that is cut short"},
      Bad{"\xE2\x82", "0xE2", "starts a character that is cut short"},
      Bad{"\xF0\x9F\x98", "0xF0", "starts a character that is cut short"},
      Bad{"\xF0\x9F", "0xF0", "starts a character that is cut short"},
      Bad{"\xE2\xC3\xA9", "0xE2", "starts a character that is cut short"});
  const std::string before = GENERATE("", "cat ", "ı ");  // 0, 4, 3 bytes
  const std::string after = GENERATE("", " mat");
  CAPTURE(before.size(), bad.byte, after);
  const std::string message = complaint(before + bad.bytes + after);
  CHECK_THAT(message, ContainsSubstring("not valid UTF-8: byte " + bad.byte + " at position " +
                                        std::to_string(before.size()) + " (counted from 0) " + bad.reason));
  CHECK_THAT(message, ContainsSubstring("save the text as UTF-8"));
  CHECK(message.find('\n') == std::string::npos);
}

TEST_CASE("every function refuses invalid UTF-8 in the same words", "[unicode]") {
  const std::string bad = "ab\xFFz";
  const std::string expected = "byte 0xFF at position 2";
  CHECK_THROWS_WITH(code_points(bad), ContainsSubstring(expected));
  CHECK_THROWS_WITH(graphemes(bad), ContainsSubstring(expected));
  CHECK_THROWS_WITH(display_width(bad), ContainsSubstring(expected));
  CHECK_THROWS_WITH(lower_case(bad), ContainsSubstring(expected));
  CHECK_THROWS_WITH(composed(bad), ContainsSubstring(expected));
  CHECK_THROWS_WITH(visible(bad), ContainsSubstring(expected));
}

TEST_CASE("what a reader sees as one character is one grapheme cluster", "[unicode]") {
  CHECK(pieces("").empty());
  CHECK(pieces("cat") == Strings{"c", "a", "t"});
  CHECK(pieces("e\u0301a") == Strings{"e\u0301", "a"});
  CHECK(pieces("👩‍👩‍👧‍👦!") == Strings{"👩‍👩‍👧‍👦", "!"});
  CHECK(pieces("👍🏽👍") == Strings{"👍🏽", "👍"});
  CHECK(pieces("🇹🇷🇪🇸🇫") == Strings{"🇹🇷", "🇪🇸", "🇫"});
  CHECK(pieces("1️⃣2") == Strings{"1️⃣", "2"});
  CHECK(pieces("한국") == Strings{"한", "국"});
  CHECK(pieces("\u1112\u1161\u11AB\u1112") == Strings{"\u1112\u1161\u11AB", "\u1112"});
  CHECK(pieces("\r\n\n") == Strings{"\r\n", "\n"});
  CHECK(pieces(std::string("a\0b", 3)) == Strings{"a", std::string(1, '\0'), "b"});
}

TEST_CASE("display width counts columns, each cluster once", "[unicode]") {
  struct Width {
    std::string text;
    std::size_t columns;
  };
  const Width width = GENERATE(
      Width{"", 0}, Width{"cat", 3}, Width{"paspasın", 8}, Width{"é", 1}, Width{"e\u0301", 1},
      Width{"e\u0301\u0323\u0308", 1}, Width{"猫", 2}, Width{"ねこ", 4}, Width{"한", 2}, Width{"\u1112\u1161\u11AB", 2},
      Width{"ａ", 2}, Width{"😀", 2}, Width{"👩‍👩‍👧‍👦", 2}, Width{"👍🏽", 2},
      Width{"🏳️‍🌈", 2}, Width{"🇹🇷", 2}, Width{"🇹", 1}, Width{"1️⃣", 2}, Width{"❤", 1}, Width{"❤️", 2},
      Width{"☝🏽", 2}, Width{"\u0301", 0}, Width{"\u200B", 0}, Width{"\u200D", 0}, Width{"\u00AD", 0},
      Width{"\t", 0}, Width{"\n", 0}, Width{std::string(1, '\0'), 0}, Width{"\u009B", 0}, Width{"می\u200Cخواهم", 7},
      Width{"แมว", 3}, Width{"…", 1}, Width{"🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2});
  CAPTURE(width.text);
  CHECK(display_width(width.text) == width.columns);
}

TEST_CASE("the width of a text is the sum of its clusters' widths", "[unicode]") {
  const std::string text = "The 猫 sat 👩‍👩‍👧‍👦 on cafe\u0301 🇹🇷.";
  std::size_t sum = 0;
  for (const std::string_view piece : graphemes(text)) sum += display_width(piece);
  CHECK(display_width(text) == sum);
  CHECK(sum == 25);  // 3+1 2+1 3+1 2+1 2+1 4+1 2+1
}

TEST_CASE("lower case follows Unicode's simple mapping", "[unicode]") {
  CHECK(lower_case("The CAT") == "the cat");
  CHECK(lower_case("ÉÑÇŞĞ") == "éñçşğ");
  CHECK(lower_case("İSTANBUL") == "istanbul");
  CHECK(lower_case("ISPARTA ı") == "isparta ı");
  CHECK(lower_case("ΣΟΦΟΣ") == "σοφοσ");
  CHECK(lower_case("ẞ") == "ß");
  CHECK(lower_case("猫 123 👍") == "猫 123 👍");
  CHECK(lower_case("") == "");
}

TEST_CASE("lower case and width do not depend on the locale", "[unicode]") {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* const name : {"tr_TR.UTF-8", "tr_TR.utf8", "az_AZ.UTF-8", "C.UTF-8", "POSIX"}) {
    if (std::setlocale(LC_ALL, name) == nullptr) continue;  // not installed here
    CAPTURE(name);
    CHECK(lower_case("IİTITLE") == "iititle");
    CHECK(display_width("Iı猫") == 4);
  }
  std::setlocale(LC_ALL, before.c_str());
}

TEST_CASE("composed joins a letter with its marks, whatever their order", "[unicode]") {
  CHECK(composed("cafe\u0301") == "caf\u00e9");
  CHECK(composed("caf\u00e9") == "caf\u00e9");
  CHECK(composed("a\u0302\u0323") == composed("a\u0323\u0302"));
  CHECK(composed("\u1112\u1161\u11AB") == "\uD55C");
  CHECK(composed("ﬁ ²") == "ﬁ ²");  // compatibility forms stay
  CHECK(composed(std::string("a\0e\u0301", 5)) == std::string("a\0\u00e9", 4));
  CHECK(composed("") == "");
}

TEST_CASE("a heap of marks takes no more than linear time", "[unicode]") {
  std::string heap = "a";
  for (int i = 0; i < 100000; ++i) heap += "\u0301\u0323";  // each pair in the order that NFC has to swap
  const auto start = std::chrono::steady_clock::now();
  CHECK(composed(heap) == heap);
  CHECK(display_width(heap) == 1);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(2));
}

TEST_CASE("control characters become visible, and what is seen stays", "[unicode]") {
  CHECK(visible("cat, naïve 猫 👩‍👩‍👧‍👦") == "cat, naïve 猫 👩‍👩‍👧‍👦");
  CHECK(visible(std::string("\0\x1B[31m\x7F", 7)) == "␀␛[31m␡");
  CHECK(visible("\t\n\r\n") == "␉␊␍␊");
  CHECK(visible("\u0085\u009B") == "\\u{85}\\u{9b}");
  CHECK(visible("\u202Eabc\u2069") == "\\u{202e}abc\\u{2069}");
  CHECK(visible("\u200B\u2028\uFEFF\u00AD") == "\\u{200b}\\u{2028}\\u{feff}\\u{ad}");
  CHECK(visible("\u200D") == "\\u{200d}");
  CHECK(visible("می\u200Cخواهم") == "می\u200Cخواهم");
  CHECK(visible("\u0600\u0661") == "\u0600\u0661");
  CHECK(visible("") == "");
}

TEST_CASE("characters that leave nothing to see become visible", "[unicode]") {
  const auto [hidden, expected] = GENERATE(table<std::string, std::string>({
      {"a\u3164b", "a\\u{3164}b"},  // Hangul fillers
      {"\u115F\u1160", "\\u{115f}\\u{1160}"},
      {"\uFFA0", "\\u{ffa0}"},
      {"cat\u200D", "cat\\u{200d}"},  // joiners that join nothing
      {"c\u200Cat", "c\\u{200c}at"},
      {"猫\u200D", "猫\\u{200d}"},
      {"👩\u200D", "👩\\u{200d}"},
      {"می\u200C\u200C", "می\u200C\\u{200c}"},
      {"a\uFE0F", "a\\u{fe0f}"},  // selectors of variants that are not there
      {"a\U000E0100", "a\\u{e0100}"},
      {"❤\uFE0F\uFE0F", "❤\uFE0F\\u{fe0f}"},
      {"a\u180B", "a\\u{180b}"},
      {"cat\U000E0001\U000E0041", "cat\\u{e0001}\\u{e0041}"},  // tags
      {"👍\U000E0041\U000E007F", "👍\\u{e0041}\\u{e007f}"},
      {"e\u034F\u0301", "e\\u{34f}\\u{301}"},  // a mark would sit on the escape
      {"\u2060\u2061\u2064\u206A\u180E", "\\u{2060}\\u{2061}\\u{2064}\\u{206a}\\u{180e}"},
      {"\u2800\u17B4\U0001D173", "\\u{2800}\\u{17b4}\\u{1d173}"},
      {"\u2065\uFFF0\U000E0FFF", "\\u{2065}\\u{fff0}\\u{e0fff}"},  // kept free for more of the kind
  }));
  CHECK(visible(hidden) == expected);
}

TEST_CASE("joiners, selectors and fillers stay where they change what is seen", "[unicode]") {
  const std::string text = GENERATE(
      "👩🏽\u200D🚀", "👨\u200D👩\u200D👧", "🏳\uFE0F\u200D🌈", "❤\uFE0F\u200D🔥", "☂\uFE0E", "1\uFE0F\u20E3",
      "🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F", "क्\u200Dष", "র\u200D্য", "می\u200Cخواهم",
      "葛\U000E0100", "∩\uFE00", "\u115F\u1161", "ᄀ\u1160", "ᠠ\u180B", "e\u0301\u0308");
  CAPTURE(text);
  CHECK(visible(text) == text);
}

TEST_CASE("nothing that a terminal obeys is left in visible text", "[unicode]") {
  for (char32_t control = 0; control < 0xA0; ++control) {
    if (control == 0x20) control = 0x7F;
    const std::string text =
        control < 0x80 ? std::string(1, static_cast<char>(control)) : std::string{'\xC2', static_cast<char>(control)};
    for (const char32_t shown : code_points(visible("a" + text + "b"))) {
      CAPTURE(static_cast<unsigned>(control));
      CHECK((shown >= 0x20 && (shown < 0x7F || shown >= 0xA0)));
    }
  }
}

TEST_CASE("white space is Unicode's, and the zero-width space", "[unicode]") {
  for (const char32_t space : {U' ', U'\t', U'\n', U'\v', U'\f', U'\r', U'\u0085', U'\u00A0', U'\u1680', U'\u2003',
                               U'\u2028', U'\u2029', U'\u202F', U'\u205F', U'\u3000', U'\u200B'}) {
    CAPTURE(static_cast<unsigned>(space));
    CHECK(is_white_space(space));
    CHECK_FALSE(is_layout_hint(space));
  }
  for (const char32_t other : {U'a', U'\0', U'\x1B', U'\x08', U'\u200C', U'\u200D', U'\uFEFF', U'_', U'\u2800'}) {
    CAPTURE(static_cast<unsigned>(other));
    CHECK_FALSE(is_white_space(other));
  }
}

}  // namespace attn
