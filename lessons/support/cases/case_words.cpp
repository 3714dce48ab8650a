#include "support/cases/case_words.hpp"

#include <algorithm>

namespace attn {

namespace {

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

}  // namespace

CaseWords::CaseWords(std::string_view text) : rest_(text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (rest_.starts_with(byte_order_mark)) rest_.remove_prefix(byte_order_mark.size());
  skip_comments();
}

std::string_view CaseWords::next() {
  while (!rest_.empty() && is_space(rest_.front())) {
    const bool ends_line = rest_.front() == '\n';
    rest_.remove_prefix(1);
    if (!ends_line) continue;
    ++line_;
    skip_comments();
  }
  const auto end = std::find_if(rest_.begin(), rest_.end(), is_space);
  const std::string_view word = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
  rest_.remove_prefix(word.size());
  return word;
}

/// At the start of a line: lines that begin with # are put aside.
void CaseWords::skip_comments() {
  while (rest_.starts_with('#')) {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view comment = rest_.substr(1, end - 1);
    if (comment.ends_with('\r')) comment.remove_suffix(1);
    too_many_comments_ = comments_.size() == most_comments;
    if (!too_many_comments_) comments_.emplace_back(comment);
    rest_.remove_prefix(end);
    if (rest_.empty()) return;
    rest_.remove_prefix(1);
    ++line_;
  }
}

}  // namespace attn
