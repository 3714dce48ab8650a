#pragma once

#include <cstddef>
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

/// The entry of known_words() that is spelled so, or nullptr.
[[nodiscard]] const KnownWord* find_known_word(std::string_view word);

/// A guess for a word that is not known, and why. It goes by spelling alone, so it is often wrong, and says so by
/// giving its reason. In order, the first that fits:
///
/// - no letter, or a digit first: none of the kinds;
/// - another form of a known word (dogs, jumping, bigger, teacher's): the kinds of that word;
/// - an English ending: -n't half a verb; -ly none of the kinds; -ing, -ed a verb; -ous, -ful, -less, -able, -ish, -y
///   an adjective; -ness, -tion, -ment, -er a noun that is a thing;
/// - anything else: a noun that is a thing, since most words that one swaps in are.
///
/// Any word is answered, of any script, and the empty one too.
struct KindsGuess {
  WordKinds kinds;
  std::string reason;  // a clause that completes "`word`: ...": "taken for a verb: it ends in -ing"
};
[[nodiscard]] KindsGuess guess_kinds(std::string_view word);

}  // namespace attn
