#include "support/world/letter_pairs.hpp"

#include "text/unicode.hpp"

#include <algorithm>
#include <string_view>

namespace attn {

std::vector<std::string> letters_of(const std::string& word) {
  std::vector<std::string> letters;
  for (const std::string_view letter : graphemes(word)) letters.emplace_back(letter);
  return letters;
}

LetterPair most_frequent_pair(const std::vector<std::string>& words) {
  std::vector<LetterPair> pairs;  // in the order in which they are met
  for (const std::string& word : words) {
    const std::vector<std::string> letters = letters_of(word);
    for (std::size_t k = 0; k + 1 < letters.size(); ++k) {
      const auto known = std::find_if(pairs.begin(), pairs.end(), [&](const LetterPair& pair) {
        return pair.left == letters[k] && pair.right == letters[k + 1];
      });
      if (known == pairs.end()) {
        pairs.push_back({letters[k], letters[k + 1], 1});
      } else {
        ++known->count;
      }
    }
  }
  const auto most = std::max_element(pairs.begin(), pairs.end(),
                                     [](const LetterPair& a, const LetterPair& b) { return a.count < b.count; });
  return most == pairs.end() ? LetterPair{} : *most;
}

std::vector<std::string> pieces_of(const std::string& word, const LetterPair& pair) {
  std::vector<std::string> pieces;
  for (const std::string& letter : letters_of(word)) {
    if (pair.count > 0 && letter == pair.right && !pieces.empty() && pieces.back() == pair.left) {
      pieces.back() += letter;
    } else {
      pieces.push_back(letter);
    }
  }
  return pieces;
}

}  // namespace attn
