#include "support/program/text_source.hpp"

#include "support/program/quoted.hpp"

#include <fmt/core.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace attn {
namespace {

constexpr std::size_t largest_text = std::size_t{1} << 20U;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

std::string read_all(std::FILE* stream, const std::string& name) {
  std::string text;
  std::array<char, 4096> block{};
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), stream)) {
    text.append(block.data(), count);
    if (text.size() > largest_text) {
      throw std::invalid_argument(
          fmt::format("--text-file: {} holds more than {} bytes: give a shorter text", name, largest_text));
    }
    if (std::feof(stream) != 0) break;  // a terminal would ask for the end once more
  }
  if (std::ferror(stream) != 0) {
    throw std::invalid_argument(fmt::format("--text-file: cannot read {}: {}", name, std::strerror(errno)));
  }
  return text;
}

}  // namespace

std::string read_text(const std::string& file) {
  std::string text;
  if (file == "-") {
    text = read_all(stdin, "standard input");
  } else {
    const std::unique_ptr<std::FILE, CloseFile> stream(std::fopen(file.c_str(), "rb"));
    if (!stream) {
      throw std::invalid_argument(
          fmt::format("--text-file: cannot open {}: {}", attn::quoted(file), std::strerror(errno)));
    }
    text = read_all(stream.get(), attn::quoted(file));
  }

  const std::string byte_order_mark = "\xEF\xBB\xBF";
  if (text.compare(0, byte_order_mark.size(), byte_order_mark) == 0) text.erase(0, byte_order_mark.size());
  if (!text.empty() && text.back() == '\n') text.pop_back();
  if (!text.empty() && text.back() == '\r') text.pop_back();
  if (text.empty())
    throw std::invalid_argument(fmt::format("--text-file: {} is empty: it must hold a sentence",
                                            file == "-" ? "standard input" : attn::quoted(file)));
  return text;
}

}  // namespace attn
