#include "board/ink.hpp"

#include "text/unicode.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace attn {

namespace {

struct Spelling {
  std::string_view sign;
  std::string_view ascii;
};

// Signs that the pages use, and how plain ASCII spells them.
constexpr Spelling spellings[] = {
    {"→", "->"}, {"←", "<-"},  {"−", "-"},   {"·", "*"},  {"×", "x"},   {"√", "sqrt "}, {"ᵀ", "^T"}, {"≤", "<="},
    {"≥", ">="}, {"∞", "inf"}, {"Σ", "sum"}, {"²", "^2"}, {"…", "..."}, {"–", "-"},     {"─", "-"},  {"━", "="},
    {"│", "|"},  {"┃", "|"},   {"┌", "."},   {"┐", "."},  {"└", "'"},   {"┘", "'"},     {"┼", "+"},  {"┴", "+"},
    {"┬", "+"},  {"├", "+"},   {"┤", "+"},   {"┏", "."},  {"┓", "."},   {"┗", "'"},     {"┛", "'"},  {"┻", "+"},
    {"┳", "+"},  {"╋", "+"},   {"┣", "+"},   {"┫", "+"},  {"▼", "v"},   {"▸", ">"},     {"▂", "."},  {"▃", "-"},
    {"▄", "="},  {"▅", "+"},   {"▆", "*"},   {"▇", "#"},  {"█", "@"},   {"░", "."},     {"▒", ":"},  {"▓", "+"}};

/// The code point of the character that starts at `text`, which is valid UTF-8.
std::uint32_t code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  if (text.size() == 1) return byte(0);
  if (text.size() == 2) return (byte(0) & 0x1fU) << 6U | (byte(1) & 0x3fU);
  if (text.size() == 3) return (byte(0) & 0x0fU) << 12U | (byte(1) & 0x3fU) << 6U | (byte(2) & 0x3fU);
  return (byte(0) & 0x07U) << 18U | (byte(1) & 0x3fU) << 12U | (byte(2) & 0x3fU) << 6U | (byte(3) & 0x3fU);
}

std::size_t character_bytes(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte < 0x80U ? 1 : byte < 0xe0U ? 2 : byte < 0xf0U ? 3 : 4;
}

std::string in_ascii(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view sign = text.substr(i, character_bytes(text[i]));
    i += sign.size();
    if (sign.size() == 1) {
      plain += sign;
      continue;
    }
    const auto* spelling = std::find_if(std::begin(spellings), std::end(spellings),
                                        [&](const Spelling& candidate) { return candidate.sign == sign; });
    plain +=
        spelling != std::end(spellings) ? std::string(spelling->ascii) : fmt::format("\\u{{{:x}}}", code_point(sign));
  }
  return plain;
}

std::string escape_of(const Span& span) {
  std::string codes;
  if (span.ink == Ink::faint) codes += ";2";
  if (span.ink == Ink::bold) codes += ";1";
  if (span.ink == Ink::accent) codes += ";1;36";
  if (span.tint > 0) {
    // Blues of the 256-colour cube, from greyish to clear, all of middle lightness: so a stronger one stands out more
    // on a dark terminal and on a light one, and white text is read on each.
    constexpr int tints[] = {60, 60, 61, 25, 25, 26, 27};
    codes += fmt::format(";97;48;5;{}", tints[std::min(span.tint, 7) - 1]);
  }
  return codes.empty() ? "" : "\x1b[" + codes.substr(1) + "m";
}

}  // namespace

std::string glyphs(std::string_view text, bool ascii) {
  std::string seen = visible(text);
  return ascii ? in_ascii(seen) : seen;
}

std::size_t width_of(const Line& line) {
  std::size_t width = 0;
  for (const Span& span : line) width += display_width(span.text);
  return width;
}

std::string padded_left(const std::string& text, std::size_t width) {
  const std::size_t own = display_width(text);
  return own < width ? std::string(width - own, ' ') + text : text;
}

std::string padded_right(const std::string& text, std::size_t width) {
  const std::size_t own = display_width(text);
  return own < width ? text + std::string(width - own, ' ') : text;
}

std::size_t bytes_within(const std::string& text, std::size_t width) {
  std::size_t bytes = 0;
  std::size_t used = 0;
  for (const std::string_view grapheme : graphemes(text)) {
    used += display_width(grapheme);
    if (used > width) break;
    bytes += grapheme.size();
  }
  return bytes;
}

std::string shortened(const std::string& text, std::size_t width, bool ascii) {
  if (display_width(text) <= width) return text;
  return text.substr(0, bytes_within(text, width > 0 ? width - 1 : 0)) + (ascii ? "~" : "…");
}

namespace {

constexpr std::size_t longest_word = 40;  // columns
constexpr std::size_t short_word = 16;
constexpr std::size_t most_closing_signs = 3;

std::string cut_word(const std::string& word) {
  if (display_width(word) <= longest_word) return word;
  const std::string_view closing_signs = "\"'`).,:;?!]";
  std::size_t end = word.size();
  while (word.size() - end < most_closing_signs && closing_signs.find(word[end - 1]) != std::string_view::npos) --end;
  return word.substr(0, bytes_within(word, short_word)) + "..." + word.substr(end);
}

}  // namespace

std::string with_short_words(const std::string& text) {
  std::string result;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (begin > 0) result += ' ';
    result += cut_word(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return result;
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  std::size_t line_width = 0;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = cut_word(text.substr(begin, end - begin));
    const std::size_t word_width = display_width(word);
    if (!line.empty() && line_width + 1 + word_width > width) {
      lines.push_back(std::exchange(line, {}));
      line_width = 0;
    }
    if (!word.empty()) {
      line_width += word_width + (line.empty() ? 0 : 1);
      line += (line.empty() ? "" : " ") + word;
    }
    begin = end + 1;
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

std::string painted(const Line& line, bool color) {
  Line kept = line;
  while (!kept.empty()) {
    std::string& text = kept.back().text;
    if (kept.back().tint == 0 || !color) text.erase(text.find_last_not_of(' ') + 1);
    if (!text.empty()) break;
    kept.pop_back();
  }
  std::string out;
  for (const Span& span : kept) {
    const std::string escape = color ? escape_of(span) : "";
    out += escape + span.text + (escape.empty() ? "" : "\x1b[0m");
  }
  return out;
}

std::vector<std::string> wrapped_and_indented(const std::string& text, std::size_t width) {
  std::vector<std::string> lines = wrapped(text, width - 2);
  for (std::size_t k = 1; k < lines.size(); ++k) lines[k] = "  " + lines[k];
  return lines;
}

}  // namespace attn
