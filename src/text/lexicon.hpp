#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// What a word is, as the crafted world's embedding says it: 1 for yes, 0 for no, a half for half.
struct WordKinds {
  float animal = 0.0F;
  float thing = 0.0F;
  float noun = 0.0F;
  float preposition = 0.0F;
  float verb = 0.0F;
  float determiner = 0.0F;
  float adjective = 0.0F;

  friend bool operator==(const WordKinds&, const WordKinds&) = default;
};

struct KnownWord {
  std::string_view word;  // lower case
  WordKinds kinds;
};

/// The words and punctuation that the vocabulary knows, in their fixed order. The row of [UNK] is not among them.
[[nodiscard]] const std::vector<KnownWord>& known_words();

/// A guess for a word that is not known, and why: "ends in -ing, so taken for a verb".
struct KindsGuess {
  WordKinds kinds;
  std::string reason;  // a clause that completes "`word`: ..." in plain words
};
[[nodiscard]] KindsGuess guess_kinds(std::string_view word);

}  // namespace attn
