#include "board/excerpt.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace attn {

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

std::string_view trimmed(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(' ');
  return begin == std::string_view::npos ? std::string_view{} : line.substr(begin);
}

/// Does this line begin a statement `... name = ` with nothing but a type or an object before the name? What is
/// assigned may stand in the next line; `.name = ` belongs to a statement that began above.
bool gives_value_to(std::string_view line, const std::string& name) {
  const std::string_view code = trimmed(line);
  if (code.starts_with("//")) return false;
  const std::size_t equals = code.ends_with(" =") ? code.size() - 2 : code.find(" = ");
  if (equals == std::string_view::npos) return false;
  const std::string_view left = code.substr(0, equals);
  if (!left.ends_with(name)) return false;
  const std::string_view before = left.substr(0, left.size() - name.size());
  const bool is_member = before.ends_with('.') && before != "." && !before.ends_with("{.") && !before.ends_with(" .");
  return before.empty() || before.ends_with(' ') || is_member;
}

/// Looks for the semicolon that ends a statement, line by line: outside brackets, strings and comments.
class StatementEnd {
 public:
  [[nodiscard]] bool is_in(std::string_view line) {
    bool in_string = false;
    for (std::size_t k = 0; k < line.size(); ++k) {
      const char c = line[k];
      if (in_string && c == '\\') {
        ++k;
      } else if (c == '"') {
        in_string = !in_string;
      } else if (in_string) {
        continue;
      } else if (line.substr(k).starts_with("//")) {
        return false;
      } else if (c == '(' || c == '[' || c == '{') {
        ++depth_;
      } else if (c == ')' || c == ']' || c == '}') {
        --depth_;
      } else if (c == ';' && depth_ == 0) {
        return true;
      }
    }
    return false;
  }

 private:
  int depth_ = 0;
};

std::vector<std::string> outdented(std::vector<std::string> lines) {
  std::size_t indent = std::string::npos;
  for (const std::string& line : lines) indent = std::min(indent, line.find_first_not_of(' '));
  for (std::string& line : lines) line.erase(0, std::min(indent, line.size()));
  return lines;
}

}  // namespace

std::vector<std::string> excerpt(const SourceFile& file, const std::string& what) {
  const std::vector<std::string> lines = lines_of(file.text);
  const auto marker = [&](const std::string& mark) {
    return std::find_if(lines.begin(), lines.end(),
                        [&](const std::string& line) { return trimmed(line) == mark + what; });
  };
  const auto begin = marker("//> ");
  const auto end = marker("//< ");
  if (begin != lines.end() && end != lines.end() && begin < end) return outdented({begin + 1, end});
  if (begin != lines.end() || end != lines.end()) {
    throw std::invalid_argument(fmt::format("excerpt: {} opens or closes {} only once: it needs //> {} and //< {}",
                                            file.name, what, what, what));
  }

  const auto first =
      std::find_if(lines.begin(), lines.end(), [&](const std::string& line) { return gives_value_to(line, what); });
  if (first == lines.end()) {
    throw std::invalid_argument(fmt::format(
        "excerpt: {} has no statement that gives {} its value, and no marker //> {}", file.name, what, what));
  }
  StatementEnd statement;
  const auto last = std::find_if(first, lines.end(), [&](const std::string& line) { return statement.is_in(line); });
  if (last == lines.end()) {
    throw std::invalid_argument(
        fmt::format("excerpt: in {}, the statement that gives {} its value never ends with a ;", file.name, what));
  }
  std::vector<std::string> shown = outdented({first, last + 1});
  // A page breaks lines by itself, where it must.
  if (shown.size() > 1 && shown[0].ends_with(" =")) {
    shown[0].append(" ").append(trimmed(shown[1]));
    shown.erase(shown.begin() + 1);
  }
  return shown;
}

}  // namespace attn
