#include "text/word_tokenizer.hpp"

#include "text/unicode.hpp"

#include <algorithm>
#include <cstddef>

namespace attn {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// What a character does to the word around it.
enum class Role {
  space,        // ends a word, and is dropped
  letter,       // goes on with a run of letters
  hiragana,     // goes on with a run of hiragana
  katakana,     // goes on with a run of katakana
  long_sound,   // the sound mark of kana: goes on with either
  inner_mark,   // apostrophe or hyphen: stays when letters are on both sides
  inner_point,  // point or comma: stays when digits are on both sides
  layout_hint,  // not seen: stays when letters are on both sides
  alone,        // a token of its own
};

/// One grapheme cluster and its role.
struct Character {
  std::string_view text;
  Role role;
  bool digit;
};

bool is_ideograph(char32_t c) {
  return (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0x20000 && c <= 0x3FFFD) || c == U'々' || c == U'〇';
}

bool is_hiragana(char32_t c) {
  return c >= 0x3041 && c <= 0x309F;
}

bool is_katakana(char32_t c) {
  return (c >= 0x30A1 && c <= 0x30FF) || (c >= 0x31F0 && c <= 0x31FF) || (c >= 0xFF66 && c <= 0xFF9F);
}

bool is_long_sound(char32_t c) {
  return c == U'ー' || c == U'ｰ';
}

bool is_apostrophe(char32_t c) {
  return c == U'\'' || c == U'’';
}

bool is_hyphen(char32_t c) {
  return c == U'-' || c == U'\u2010' || c == U'\u2011';
}

Role role_of(std::u32string_view cluster) {
  constexpr char32_t keycap = 0x20E3;       // a digit drawn as a key: an emoji
  constexpr char32_t emoji_style = 0xFE0F;  // a letter drawn as an emoji: the information sign
  const char32_t first = cluster.front();
  if (is_white_space(first)) return Role::space;
  if (is_layout_hint(first)) return Role::layout_hint;
  if (is_apostrophe(first) || is_hyphen(first)) return Role::inner_mark;
  if (first == U'.' || first == U',') return Role::inner_point;
  if (cluster.find(keycap) != std::u32string_view::npos) return Role::alone;
  if (!is_digit(first) && cluster.find(emoji_style) != std::u32string_view::npos) return Role::alone;
  if (is_ideograph(first)) return Role::alone;
  if (is_long_sound(first)) return Role::long_sound;
  if (is_hiragana(first)) return Role::hiragana;
  if (is_katakana(first)) return Role::katakana;
  return is_word_character(first) ? Role::letter : Role::alone;
}

/// How many bytes the first code point of `text` takes: those after its first byte all look like 10xxxxxx.
std::size_t first_size(std::string_view text) {
  std::size_t size = 1;
  while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) ++size;
  return size;
}

std::vector<Character> characters(std::string_view text) {
  std::vector<Character> result;
  for (std::string_view cluster : graphemes(text)) {
    std::u32string content = code_points(cluster);
    if (content.size() > 1 && is_white_space(content[0]) && !is_white_space(content[1])) {
      // A mark that sits on a space: the space still separates, and the mark must not get lost with it.
      result.push_back({.text = cluster.substr(0, first_size(cluster)), .role = Role::space, .digit = false});
      cluster.remove_prefix(first_size(cluster));
      content.erase(0, 1);
    }
    result.push_back({.text = cluster, .role = role_of(content), .digit = is_digit(content.front())});
  }
  return result;
}

bool in_word(Role role) {
  return role == Role::letter || role == Role::hiragana || role == Role::katakana || role == Role::long_sound;
}

/// Whether two neighbours belong to one run of the same script.
bool same_run(Role left, Role right) {
  if (!in_word(left) || !in_word(right)) return false;
  const bool kana = left != Role::letter && right != Role::letter;
  return left == right || (kana && (left == Role::long_sound || right == Role::long_sound));
}

/// The character with which the word goes on after `last`, or `last` itself when the word ends there.
/// A word goes on over layout hints, over one apostrophe or hyphen, and between digits over one point or comma.
std::size_t next_in_word(const std::vector<Character>& all, std::size_t last) {
  if (!in_word(all[last].role)) return last;
  std::size_t next = last + 1;
  const auto skip_hints = [&] {
    while (next < all.size() && all[next].role == Role::layout_hint) ++next;
  };
  skip_hints();
  bool point = false;
  if (next < all.size() && (all[next].role == Role::inner_mark || all[next].role == Role::inner_point)) {
    point = all[next].role == Role::inner_point;
    ++next;
    skip_hints();
  }
  if (next >= all.size() || !same_run(all[last].role, all[next].role)) return last;
  if (point && !(all[last].digit && all[next].digit)) return last;
  return next;
}

/// One past the last character of the token that starts at `start`.
std::size_t token_end(const std::vector<Character>& all, std::size_t start) {
  std::size_t last = start;
  for (std::size_t next = next_in_word(all, last); next != last; next = next_in_word(all, last)) last = next;
  return last + 1;
}

/// Typographic apostrophes, quotes and hyphens as a keyboard has them.
std::string_view plain(std::string_view character) {
  if (character == "‘" || character == "’") return "'";
  if (character == "“" || character == "”") return "\"";
  if (character == "\u2010" || character == "\u2011") return "-";
  return character;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string look_up_form(std::string_view text) {
  if (is_ascii(text)) return lower_case(text);
  std::string seen;
  for (const std::string_view character : graphemes(text))
    if (!is_layout_hint(code_points(character).front())) seen += plain(character);
  if (seen.empty()) return std::string(text);  // a layout hint alone
  // Composed before, so that a capital I with a dot loses its dot in either spelling; and after, since some small
  // letters have a composed form that their capitals lack (h with a line below).
  return composed(lower_case(composed(seen)));
}

}  // namespace

std::vector<Token> tokenize_words(std::string_view text) {
  require_utf8(text);  // before the byte order mark goes, so that positions count from the true start
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());

  const std::vector<Character> all = characters(text);
  std::vector<Token> tokens;
  for (std::size_t start = 0; start < all.size();) {
    const std::size_t end = token_end(all, start);
    if (all[start].role != Role::space) {
      const char* const first = all[start].text.data();
      const char* const past = all[end - 1].text.data() + all[end - 1].text.size();
      const std::string_view written(first, static_cast<std::size_t>(past - first));
      tokens.push_back({.text = std::string(written), .word = look_up_form(written)});
    }
    start = end;
  }
  return tokens;
}

}  // namespace attn
