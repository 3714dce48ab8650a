#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

// Lines that are no prose, and too long for the page: each kind goes on below where a reader of that kind expects it.

/// A calculation "a = b = c" that is too long for a line goes on below: at an equals sign, else at a plus or minus, a
/// remark, or where it must. Equals signs stand under each other where there is room for that.
[[nodiscard]] std::vector<std::string> broken_at_equals(const std::string& line, std::size_t width);

/// A line of Python goes on below after one of its statements, else inside brackets. A remark at its end gives way
/// first.
[[nodiscard]] std::vector<std::string> broken_python(std::string line, std::size_t width);

/// A long command goes on below from one of its options on, with a backslash as a shell wants it.
[[nodiscard]] std::vector<std::string> broken_at_options(const std::string& command, std::size_t width);

}  // namespace attn
