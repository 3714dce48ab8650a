#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

namespace attn {

/// A number that is the whole word. from_chars takes the decimal point that the file has, whatever the locale; a
/// stream or strtod might not. It reads inf and nan too, in any spelling.
template <typename Number>
[[nodiscard]] std::errc parse_number(std::string_view word, Number& number) {
  const char* end = word.data() + word.size();
  const std::from_chars_result result = std::from_chars(word.data(), end, number);
  if (result.ec == std::errc() && result.ptr != end) return std::errc::invalid_argument;
  return result.ec;
}

/// Number i of a tensor given by a formula: 24 well-mixed bits of seed and i, spread over +-amplitude (SplitMix64).
[[nodiscard]] float hashed_number(std::uint64_t seed, std::uint64_t i, double amplitude);

/// The shortest digits that read back as the same number of that type; inf, -inf and nan as a case file writes them.
[[nodiscard]] std::string number_text(float value, const std::string& type);

}  // namespace attn
