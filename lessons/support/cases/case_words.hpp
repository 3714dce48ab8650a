#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// The words of a case file one after the other, with the line of the last one. Lines that begin with # are comments,
/// and put aside. A byte order mark at the beginning is no word.
class CaseWords {
 public:
  static constexpr std::size_t most_comments = std::size_t{1} << 16U;  // a comment takes memory, even an empty one

  /// The text must outlive the words.
  explicit CaseWords(std::string_view text);

  /// The next word; empty at the end of the text.
  [[nodiscard]] std::string_view next();

  [[nodiscard]] std::size_t line() const { return line_; }
  /// The comments so far, without their #; the first ones, where there are too many.
  [[nodiscard]] const std::vector<std::string>& comments() const { return comments_; }
  [[nodiscard]] bool has_too_many_comments() const { return too_many_comments_; }

 private:
  void skip_comments();

  std::string_view rest_;
  std::size_t line_ = 1;
  std::vector<std::string> comments_;
  bool too_many_comments_ = false;
};

}  // namespace attn
