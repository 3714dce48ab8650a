#pragma once

#include <string>
#include <string_view>

namespace attn {

/// A value from outside as an error message may show it: in quotes, on one line, cut when long. Control characters and
/// bytes that are not UTF-8 are shown, never obeyed.
[[nodiscard]] std::string quoted(std::string_view value);

/// A file's name as the beginning of a line may show it: without quotes, and whole, for its end tells it from others.
[[nodiscard]] std::string shown_file(std::string_view path);

}  // namespace attn
