#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

/// What a named place in a sentence stands for: words, a whole number, or a number that each face writes with its
/// decimals.
class Value {
 public:
  enum class Kind { words, whole, number, difference };

  Value() = default;  // no words
  Value(const char* words);
  Value(std::string words);
  Value(std::size_t whole);
  Value(int whole);
  Value(float number);
  Value(double number);

  /// A difference between two results: written with the digits it needs, and as 0 only when it is 0.
  [[nodiscard]] static Value difference(double number);

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const std::string& words() const { return words_; }  // also the digits of a whole number
  [[nodiscard]] double number() const { return number_; }

 private:
  Kind kind_ = Kind::words;
  std::string words_;
  double number_ = 0.0;
};

struct NamedValue {
  std::string name;
  Value value;
};

/// A whole sentence with named places: "{word} gives {share} to {other}." It can be translated as one piece.
/// A brace that is meant as a brace is doubled.
struct Sentence {
  std::string pattern;
  std::vector<NamedValue> values;
};

}  // namespace attn
