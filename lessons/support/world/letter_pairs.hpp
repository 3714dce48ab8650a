#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

/// Two letters side by side, and how often they stand so.
struct LetterPair {
  std::string left, right;
  std::size_t count = 0;  // 0: there is no pair at all
};

/// The two neighbouring letters that occur most often in these words; of several, those met first. It is the first step
/// of byte-pair encoding, which would go on from there.
[[nodiscard]] LetterPair most_frequent_pair(const std::vector<std::string>& words);

/// A word's letters, and what is left of them after each such pair has become one piece: {"c", "at"}.
[[nodiscard]] std::vector<std::string> letters_of(const std::string& word);
[[nodiscard]] std::vector<std::string> pieces_of(const std::string& word, const LetterPair& pair);

}  // namespace attn
