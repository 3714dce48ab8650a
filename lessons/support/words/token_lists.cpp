#include "support/words/token_lists.hpp"

#include "support/world/letter_pairs.hpp"

#include <algorithm>

namespace attn {

std::vector<std::string> texts_of(const std::vector<Token>& tokens) {
  std::vector<std::string> texts;
  for (const Token& token : tokens) texts.push_back(token.text);
  return texts;
}

std::vector<std::string> words_of(const std::vector<Token>& tokens) {
  std::vector<std::string> words;
  for (const Token& token : tokens) words.push_back(token.word);
  return words;
}

Tensor as_tensor(const std::vector<std::size_t>& numbers) {
  return Tensor({numbers.size()}, std::vector<float>(numbers.begin(), numbers.end()));
}

std::size_t count_differences(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < a.size(); ++k) count += a[k] != b[k] ? 1 : 0;
  return count;
}

std::string in_quotes(const std::string& word) {
  return '"' + word + '"';
}

std::vector<std::string> as_words(const std::vector<std::size_t>& numbers) {
  std::vector<std::string> words;
  for (const std::size_t number : numbers) words.push_back(std::to_string(number));
  return words;
}

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::size_t count_letters(const std::vector<Token>& tokens) {
  std::size_t count = 0;
  for (const Token& token : tokens) count += letters_of(token.text).size();
  return count;
}

std::vector<std::size_t> rows_in_use(const std::vector<std::size_t>& ids) {
  std::vector<std::size_t> rows = ids;
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

std::vector<std::string> labels_of(const Encoding& encoding, const std::vector<std::size_t>& rows) {
  const std::vector<std::string> all = row_labels(encoding);
  std::vector<std::string> labels;
  for (const std::size_t row : rows) labels.push_back(all[row]);
  return labels;
}

std::vector<std::string> words_with_letters(const std::vector<Token>& tokens) {
  std::vector<std::string> words;
  for (const Token& token : tokens) {
    const bool seen = std::find(words.begin(), words.end(), token.word) != words.end();
    if (!seen && letters_of(token.word).size() > 1) words.push_back(token.word);
  }
  return words;
}

}  // namespace attn
