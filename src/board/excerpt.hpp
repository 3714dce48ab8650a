#pragma once

#include <string>
#include <vector>

namespace attn {

/// A source file as it was when the lesson was built.
struct SourceFile {
  std::string name;  // "src/attention/scaled_dot_product.cpp"
  std::string text;
};

/// The lines of `file` that make up `what`:
///   - what stands between the lines `//> what` and `//< what`, where the file has them; else
///   - the statement that gives `what` its value, from the line where it begins to its semicolon:
///     `const Tensor what = ...;` or `steps.what = ...;`
/// without their common indentation. Throws std::invalid_argument, naming file and excerpt, when there is none, so an
/// excerpt can't go stale.
[[nodiscard]] std::vector<std::string> excerpt(const SourceFile& file, const std::string& what);

}  // namespace attn
