#include "support/program/quoted.hpp"

#include "text/unicode.hpp"

#include <fmt/core.h>

#include <stdexcept>

namespace attn {
namespace {

bool is_utf8(std::string_view text) {
  try {
    require_utf8(text);
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

std::string escaped(std::string_view bytes) {
  std::string result;
  for (const char letter : bytes) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool printable = byte >= 0x20 && byte < 0x7F;
    result += printable ? std::string(1, letter) : fmt::format("\\x{:02X}", byte);
  }
  return result;
}

/// The first `longest` bytes, less when they would end inside a character.
std::string_view beginning(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
}

}  // namespace

std::string quoted(std::string_view value) {
  const std::string_view shown = beginning(value, 60);
  return fmt::format("\"{}{}\"", is_utf8(shown) ? visible(shown) : escaped(shown),
                     shown.size() < value.size() ? "..." : "");
}

std::string shown_file(std::string_view path) {
  return is_utf8(path) ? visible(path) : escaped(path);
}

}  // namespace attn
