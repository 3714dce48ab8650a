// Any bytes as a case file: read or refused with one line, computed or refused with one line, and what was read writes
// and reads back the same. With clang++ this is a libFuzzer target; else a program that tries each file it is given.

#include "support/cases/case_file.hpp"
#include "support/cases/case_page.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "case_file_fuzz: %s\n", what);
  std::abort();
}

/// A refusal is one line that says something.
void check_message(const char* message) {
  const std::string_view line = message;
  if (line.empty() || line.find('\n') != std::string_view::npos) fail("a message is not one line");
}

bool is_same(const attn::Tensor& a, const attn::Tensor& b) {
  if (a.shape() != b.shape()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float x = a.values()[i];
    const float y = b.values()[i];
    if (!(x == y && std::signbit(x) == std::signbit(y)) && !(std::isnan(x) && std::isnan(y))) return false;
  }
  return true;
}

void check_round_trip(const attn::CaseFile& read) {
  const attn::CaseFile again = attn::parse_case(attn::case_text(read), "written");
  if (again.name != read.name || again.op != read.op || again.attrs != read.attrs) fail("words changed");
  if (again.inputs.size() != read.inputs.size() || again.outputs.size() != read.outputs.size())
    fail("tensors got lost");
  for (const auto& [name, value] : read.inputs) {
    if (!is_same(value, again.input(name))) fail("an input changed");
  }
  for (const auto& [name, value] : read.outputs) {
    if (!is_same(value, again.output(name))) fail("an output changed");
  }
}

std::size_t numbers_in(const attn::CaseFile& file) {
  std::size_t count = 0;
  for (const auto& [name, value] : file.inputs) count += value.size();
  return count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(bytes, bytes + size);
  try {
    const attn::CaseFile file = attn::parse_case(text, "fuzz.case");
    check_round_trip(file);
    if (numbers_in(file) < 4096) static_cast<void>(attn::compute_case(file));
  } catch (const std::logic_error& error) {
    check_message(error.what());
  }
  return 0;
}

#ifndef FUZZED_BY_CLANG
#include <fstream>
#include <iterator>

int main(int count, char** files) {
  for (int k = 1; k < count; ++k) {
    std::ifstream file(files[k], std::ios::binary);
    if (!file) fail("a file cannot be read");
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    // Whole, and cut anywhere: about fifty ways.
    const std::size_t step = text.size() / 50 + 1;
    for (std::size_t end = text.size();; end = end > step ? end - step : 0) {
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), end);
      if (end == 0) break;
    }
  }
  std::printf("%d files, whole and cut, were read or refused\n", count - 1);
}
#endif
