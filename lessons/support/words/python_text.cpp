#include "support/words/python_text.hpp"

#include "board/ink.hpp"
#include "text/unicode.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

namespace attn {

namespace {

constexpr std::size_t line_width = 70;

}  // namespace

std::string python_list(const std::vector<std::string>& items, std::size_t column) {
  std::string text = "[";
  std::size_t used = column + 1;
  for (std::size_t k = 0; k < items.size(); ++k) {
    const std::string item = items[k] + (k + 1 < items.size() ? ", " : "]");
    if (used + item.size() > line_width) {
      text += "\n    ";
      used = 4;
    }
    text += item;
    used += item.size();
  }
  return items.empty() ? "[]" : text;
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(std::move(line));
    begin = end + 1;
  }
  return lines;
}

Sparse sparse(const Tensor& table, const std::vector<std::size_t>& rows, bool by_id) {
  Sparse entries;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t d = 0; d < table.dim(1); ++d) {
      const float value = table(rows[i], d);
      if (value == 0.0F) continue;
      entries.rows.push_back(fmt::format("{}", by_id ? rows[i] : i));
      entries.columns.push_back(fmt::format("{}", d));
      entries.values.push_back(fmt::format("{}", value) +
                               (value == static_cast<float>(static_cast<int>(value)) ? "." : ""));
      entries.all_one = entries.all_one && value == 1.0F;
    }
  }
  return entries;
}

std::string set_entries(const std::string& name, const Sparse& entries, const std::string& assignment) {
  const std::string rows = python_list(entries.rows, name.size() + 1);
  const std::size_t after_rows = rows.size() - (rows.rfind('\n') == std::string::npos ? 0 : rows.rfind('\n')) + 4;
  const std::string columns = python_list(entries.columns, after_rows + name.size());
  std::string text = fmt::format("{}[{}, {}] {} ", name, rows, columns, assignment);
  if (entries.all_one) return text + "1\n";
  const std::size_t used = text.size() - (text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n'));
  return text + fmt::format("torch.tensor({})\n", python_list(entries.values, used + 13));
}

std::string python_string(const std::string& word, bool ascii) {
  std::string text = "\"";
  for (const std::string_view letter : graphemes(word)) {
    if (letter == "\"" || letter == "\\") {
      text += '\\';
      text += letter;
    } else if (glyphs(letter, ascii) == letter) {
      text += letter;
    } else {
      for (const char32_t c : code_points(letter)) {
        const auto number = static_cast<std::uint32_t>(c);
        text += number < 0x10000 ? fmt::format("\\u{:04x}", number) : fmt::format("\\U{:08x}", number);
      }
    }
  }
  text += '"';
  return text;
}

}  // namespace attn
