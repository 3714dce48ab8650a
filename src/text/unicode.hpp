#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// What this project needs to know of Unicode, on utf8proc. Nothing here depends on the locale.

/// Throws std::invalid_argument, naming the byte's position (from 0) and its value, unless `text` is valid UTF-8.
void require_utf8(std::string_view text);

/// What a reader sees as single characters (grapheme clusters): an emoji with its joiners, a letter with its combining
/// marks. `text` must be valid UTF-8. The pieces joined are the text again.
[[nodiscard]] std::vector<std::string_view> graphemes(std::string_view text);

/// Columns in a terminal: 2 for CJK and emoji, 0 for combining marks; each grapheme cluster counts once.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// Lower case by Unicode's simple mapping, the same in every locale (Turkish capital dotted I becomes plain i).
[[nodiscard]] std::string lower_case(std::string_view text);

/// Control characters made visible (the U+2400 pictures, escapes where there is none), never obeyed.
[[nodiscard]] std::string visible(std::string_view text);

}  // namespace attn
