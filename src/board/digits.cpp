#include "board/digits.hpp"

#include <fmt/core.h>

#include <cmath>
#include <locale>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace attn {

std::string fixed(double number, std::size_t decimals) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  if (std::abs(number) >= exponent_from) return fmt::format("{:.{}e}", number, decimals);
  std::string text = fmt::format("{:.{}f}", number, decimals);
  if (text.front() == '-' && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
  return text;
}

std::string short_number(double number, std::size_t decimals) {
  const bool whole = std::isfinite(number) && std::abs(number) < exponent_from && number == std::floor(number);
  return fixed(number, whole ? 0 : decimals);
}

std::string difference_text(double difference) {
  if (difference == 0.0) return "0";
  if (!std::isfinite(difference)) return fixed(difference, 0);
  const double magnitude = std::floor(std::log10(std::abs(difference)));
  if (magnitude < -12 || magnitude > 6) return fmt::format("{:.1e}", difference);
  return fmt::format("{:.{}f}", difference, magnitude < 1 ? static_cast<std::size_t>(1 - magnitude) : 0);
}

std::string rough(double number) {
  const double size = std::abs(number);
  if (size > 0.0 && size < 0.0995) return fmt::format("{:.3g}", number);
  // 9.999 is 10.0 when it is rounded, and has one decimal as 10.0 has.
  return fixed(number, size < 0.9995 ? 3 : size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

double as_printed(double number, std::size_t decimals) {
  if (!std::isfinite(number)) return number;
  std::istringstream printed(fixed(number, decimals));
  printed.imbue(std::locale::classic());
  double read = 0.0;
  printed >> read;
  return read;
}

namespace {

std::string value_text(const Value& value, std::size_t decimals) {
  switch (value.kind()) {
    case Value::Kind::words:
    case Value::Kind::whole:
      return value.words();
    case Value::Kind::number:
      return short_number(value.number(), decimals);
    case Value::Kind::difference:
      return difference_text(value.number());
  }
  return {};
}

}  // namespace

std::string fill(const Sentence& sentence, std::size_t decimals) {
  const std::string& pattern = sentence.pattern;
  std::vector<bool> used(sentence.values.size(), false);
  std::string text;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool brace = pattern[i] == '{' || pattern[i] == '}';
    if (!brace || (i + 1 < pattern.size() && pattern[i + 1] == pattern[i])) {
      text += pattern[i];
      if (brace) ++i;
      continue;
    }
    const std::size_t end = pattern.find('}', i);
    if (pattern[i] == '}' || end == std::string::npos) {
      throw std::invalid_argument(fmt::format("sentence: a brace is not closed in \"{}\"", pattern));
    }
    const std::string name = pattern.substr(i + 1, end - i - 1);
    bool found = false;
    for (std::size_t k = 0; k < sentence.values.size() && !found; ++k) {
      if (sentence.values[k].name != name) continue;
      text += value_text(sentence.values[k].value, decimals);
      found = used[k] = true;
    }
    if (!found) throw std::invalid_argument(fmt::format("sentence: no value for {{{}}} in \"{}\"", name, pattern));
    i = end;
  }
  for (std::size_t k = 0; k < used.size(); ++k) {
    if (!used[k]) {
      throw std::invalid_argument(
          fmt::format("sentence: the value {} has no place in \"{}\"", sentence.values[k].name, pattern));
    }
  }
  return text;
}

}  // namespace attn
