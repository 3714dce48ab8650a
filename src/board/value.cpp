#include "board/value.hpp"

#include <utility>

namespace attn {

Value::Value(const char* words) : words_(words) {}
Value::Value(std::string words) : words_(std::move(words)) {}
Value::Value(std::size_t whole)
    : kind_(Kind::whole), words_(std::to_string(whole)), number_(static_cast<double>(whole)) {}
Value::Value(int whole) : kind_(Kind::whole), words_(std::to_string(whole)), number_(whole) {}
Value::Value(float number) : kind_(Kind::number), number_(static_cast<double>(number)) {}
Value::Value(double number) : kind_(Kind::number), number_(number) {}

Value Value::difference(double number) {
  Value value(number);
  value.kind_ = Kind::difference;
  return value;
}

}  // namespace attn
