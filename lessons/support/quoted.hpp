#pragma once

#include <string>
#include <string_view>

namespace attn {

/// A value from outside as an error message may show it: in quotes, on one line, cut when long. Control characters and
/// bytes that are not UTF-8 are shown, never obeyed.
[[nodiscard]] std::string quoted(std::string_view value);

}  // namespace attn
