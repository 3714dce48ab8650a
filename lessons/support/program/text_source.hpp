#pragma once

#include <string>

namespace attn {

/// The text of a file, or of standard input for "-". The newline at its end and a byte order mark are not part of it.
/// Throws std::invalid_argument, naming the file and the cause, when it cannot be read, is empty, or holds more than a
/// mebibyte.
[[nodiscard]] std::string read_text(const std::string& file);

}  // namespace attn
