#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// What this project needs to know of Unicode, on utf8proc. Nothing here depends on the locale. Every function throws
// as require_utf8 does when its text is not valid UTF-8.

/// Throws std::invalid_argument unless `text` is valid UTF-8. The message names the position (from 0) and the value of
/// the byte at which the first malformed character starts, and what is wrong with it.
void require_utf8(std::string_view text);

/// The text as numbers, one per code point.
[[nodiscard]] std::u32string code_points(std::string_view text);

/// What a reader sees as single characters (grapheme clusters): an emoji with its joiners, a letter with its combining
/// marks. The pieces joined are the text again.
[[nodiscard]] std::vector<std::string_view> graphemes(std::string_view text);

/// Columns in a terminal. Each grapheme cluster counts once: 2 for CJK, Hangul, emoji and flags, 1 for a letter with
/// all its marks, 0 for what has no width (control characters, marks alone).
[[nodiscard]] std::size_t display_width(std::string_view text);

/// Lower case by Unicode's simple mapping, the same in every locale (Turkish capital dotted I becomes plain i, dotless
/// i stays).
[[nodiscard]] std::string lower_case(std::string_view text);

/// Unicode's composed form (NFC): "e" + combining acute becomes "é", so that both spellings are the same bytes.
[[nodiscard]] std::string composed(std::string_view text);

/// White space that stands alone: spaces, tabs, line ends, no-break spaces; the zero-width space too, since it marks
/// where a word ends.
[[nodiscard]] bool is_white_space(char32_t code_point);

/// A format character that is not seen and only steers how a text is laid out: soft hyphen, word joiner, direction
/// marks, byte order mark. Not the zero-width joiners, which change what is seen.
[[nodiscard]] bool is_layout_hint(char32_t code_point);

/// What words are made of: letters, combining marks and numbers.
[[nodiscard]] bool is_word_character(char32_t code_point);
[[nodiscard]] bool is_letter(char32_t code_point);
[[nodiscard]] bool is_digit(char32_t code_point);

/// A stretch of a text that is seen, or one code point that is not.
struct Stretch {
  std::string_view text;
  bool seen = true;
};

/// The text cut into what is seen and what is not: control characters, which a terminal would obey; direction marks,
/// zero-width spaces, fillers, and all else that Unicode calls "default ignorable"; the blank Braille pattern. Joiners
/// and selectors count as seen where they change what is drawn: within an emoji, between letters that join, behind a
/// character that has variants. Of marks that stand behind what is not seen, none is seen.
[[nodiscard]] std::vector<Stretch> stretches(std::string_view text);

/// The text with what is not seen made visible: the U+2400 pictures for the ASCII controls, escapes such as \u{202e}
/// for all else.
[[nodiscard]] std::string visible(std::string_view text);

}  // namespace attn
