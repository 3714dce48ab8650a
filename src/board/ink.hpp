#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// What --width takes.
inline constexpr std::size_t narrowest_page = 60;
inline constexpr std::size_t widest_page = 500;

/// Columns at the left of a page, for the labels of what follows.
inline constexpr std::size_t page_margin = 10;

/// How the text face draws.
struct TextStyle {
  std::size_t width = 80;     // columns
  bool ascii = false;         // nothing outside ASCII
  bool color = false;         // ANSI colours; never needed to understand
  std::size_t precision = 3;  // decimals in tables
};

enum class Ink { plain, faint, bold, accent };

/// A piece of a line in one ink. `tint` is a background for cells of a shaded table: 0 none, 1 to 7 stronger.
struct Span {
  std::string text;
  Ink ink = Ink::plain;
  int tint = 0;
};

using Line = std::vector<Span>;

/// The text as this face writes it: control characters made visible; in ASCII, arrows and mathematical signs are
/// spelled out ("->", "sqrt", "^T") and any other character becomes an escape such as \u{e9}.
[[nodiscard]] std::string glyphs(std::string_view text, bool ascii);

/// Columns a line takes up in a terminal.
[[nodiscard]] std::size_t width_of(const Line& line);

/// Padded with blanks to `width` columns, at the right end (left) or at the left end (right). Longer text stays whole.
[[nodiscard]] std::string padded_left(const std::string& text, std::size_t width);
[[nodiscard]] std::string padded_right(const std::string& text, std::size_t width);

/// How many bytes of `text` make up its first characters that have room in `width` columns.
[[nodiscard]] std::size_t bytes_within(const std::string& text, std::size_t width);

/// Cut to `width` columns (1 or more), with "…" (or "~") at the end where something is cut.
[[nodiscard]] std::string shortened(const std::string& text, std::size_t width, bool ascii);

/// The text with every word that no line has room for (more than 40 columns) cut to its beginning, three dots and the
/// signs that close it: "Q[aaaaaaaaaaaaaa..., noun]".
[[nodiscard]] std::string with_short_words(const std::string& text);

/// Words wrapped to lines of at most `width` columns, and cut as above. A word that is longer still stands alone.
[[nodiscard]] std::vector<std::string> wrapped(const std::string& text, std::size_t width);

/// The same; lines after the first stand a little to the right, so that one sees that they belong to it.
[[nodiscard]] std::vector<std::string> wrapped_and_indented(const std::string& text, std::size_t width);

/// The line with its colours, without trailing blanks.
[[nodiscard]] std::string painted(const Line& line, bool color);

}  // namespace attn
