#include "board/json_face.hpp"

#include "board/digits.hpp"
#include "text/unicode.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstdint>
#include <string_view>

namespace attn {

namespace {

void append_utf16_escape(std::string& out, std::uint32_t code) {
  if (code < 0x10000U) {
    out += fmt::format("\\u{:04x}", code);
  } else {
    out +=
        fmt::format("\\u{:04x}\\u{:04x}", 0xd800U + ((code - 0x10000U) >> 10U), 0xdc00U + ((code - 0x10000U) & 0x3ffU));
  }
}

void append_plain(std::string& out, char letter) {
  if (letter == '"' || letter == '\\') out += '\\';
  out += letter;
}

/// A JSON string. The text is valid UTF-8: the tokenizer has seen to that. What a reader would not see is an escape.
std::string quoted(std::string_view text, bool ascii) {
  std::string out = "\"";
  for (const Stretch& stretch : stretches(text)) {
    if (stretch.seen && !ascii) {
      for (const char letter : stretch.text) append_plain(out, letter);
      continue;
    }
    for (const char32_t code : code_points(stretch.text)) {
      if (stretch.seen && code < 0x80U) {
        append_plain(out, static_cast<char>(code));
      } else {
        append_utf16_escape(out, static_cast<std::uint32_t>(code));
      }
    }
  }
  return out + "\"";
}

/// The shortest digits that read back as the same number.
template <typename Number>
std::string number(Number value) {
  if (std::isnan(value)) return "\"nan\"";
  if (std::isinf(value)) return value < 0 ? "\"-inf\"" : "\"inf\"";
  return fmt::format("{}", value);
}

template <typename Items, typename Write>
std::string listed(const Items& items, const Write& write) {
  std::string out = "[";
  for (const auto& item : items) {
    if (out.size() > 1) out += ", ";
    out += write(item);
  }
  return out + "]";
}

std::string option_value(const Value& value, bool ascii) {
  switch (value.kind()) {
    case Value::Kind::words:
      return quoted(value.words(), ascii);
    case Value::Kind::whole:
      return value.words();
    case Value::Kind::number:
    case Value::Kind::difference:
      break;
  }
  return number(value.number());
}

std::string step_json(const Step& step, bool ascii) {
  const auto quote = [&](const std::string& text) { return quoted(text, ascii); };
  std::string attributes;
  for (const Attribute& attribute : step.origin.attributes) {
    attributes += fmt::format("{}{}: {}", attributes.empty() ? "" : ", ", quote(attribute.name),
                              number(static_cast<float>(attribute.number)));
  }
  std::string out = fmt::format("{{\"name\": {}, \"op\": {}, \"inputs\": {}, \"attributes\": {{{}}},\n",
                                quote(step.name), quote(step.origin.op), listed(step.origin.inputs, quote), attributes);
  out += fmt::format("   \"formula\": {}, \"rows\": {},\n   \"columns\": {}, \"shape\": {},\n",
                     quote(formula_of(step.origin)), listed(step.rows, quote), listed(step.columns, quote),
                     listed(step.value.shape(), [](std::size_t size) { return fmt::format("{}", size); }));
  out += fmt::format("   \"values\": {}}}", listed(step.value.values(), [](float value) { return number(value); }));
  return out;
}

}  // namespace

std::string render_json(const Board& board, bool ascii) {
  const LessonInfo& lesson = board.lesson();
  std::string options;
  for (const NamedValue& option : lesson.options) {
    options += fmt::format("{}{}: {}", options.empty() ? "" : ", ", quoted(option.name, ascii),
                           option_value(option.value, ascii));
  }
  std::string out =
      fmt::format("{{\"format\": \"attention-steps/1\", \"lesson\": {}, \"options\": {{{}}},\n \"steps\": [",
                  quoted(lesson.name, ascii), options);
  bool first = true;
  for (const Step& step : board.trace().steps()) {
    out += (first ? "\n  " : ",\n  ") + step_json(step, ascii);
    first = false;
  }
  return out + "\n ]}\n";
}

}  // namespace attn
