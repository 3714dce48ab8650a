#include "text/vocabulary.hpp"

#include "text/lexicon.hpp"

#include <map>
#include <string_view>

namespace attn {
namespace {

std::size_t first_spare_id() {
  return 1 + known_words().size();
}  // row 0 is [UNK]

/// The row of a known word, or unknown_id.
std::size_t known_id(const std::string& word) {
  const KnownWord* const known = find_known_word(word);
  return known == nullptr ? unknown_id : 1 + static_cast<std::size_t>(known - known_words().data());
}

}  // namespace

std::size_t spare_rows() {
  return vocabulary_size - first_spare_id();
}

std::vector<std::string> row_labels(const Encoding& encoding) {
  std::vector<std::string> labels(vocabulary_size, "(spare)");
  labels[unknown_id] = "[UNK]";
  for (std::size_t k = 0; k < known_words().size(); ++k) labels[1 + k] = known_words()[k].word;
  for (const NewWord& added : encoding.new_words) {
    if (added.id != unknown_id) labels[added.id] = added.word;
  }
  return labels;
}

Encoding encode(const std::vector<Token>& tokens) {
  Encoding encoding;
  std::map<std::string_view, std::size_t> new_ids;  // of the words met so far that were not known
  for (const Token& token : tokens) {
    std::size_t id = known_id(token.word);
    if (id == unknown_id) {
      const std::size_t next = first_spare_id() + new_ids.size();
      const auto [entry, is_new] = new_ids.emplace(token.word, next < vocabulary_size ? next : unknown_id);
      id = entry->second;
      if (is_new) encoding.new_words.push_back({.word = token.word, .id = id});
    }
    encoding.ids.push_back(id);
  }
  return encoding;
}

}  // namespace attn
