#pragma once

#include "text/word_tokenizer.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

/// The table of every token that the model knows: 256 rows. Row 0 is [UNK], then come the known words and punctuation
/// in fixed order (text/lexicon.hpp), then spare rows. A word that is not known takes the next spare row in order of
/// its first appearance in the text; when none is left, [UNK]. So swapping one word changes that word's row only.
inline constexpr std::size_t vocabulary_size = 256;
inline constexpr std::size_t unknown_id = 0;

/// A word of the text that the vocabulary did not know.
struct NewWord {
  std::string word;    // lower-cased
  std::size_t id = 0;  // its spare row, or unknown_id when none was left
};

struct Encoding {
  std::vector<std::size_t> ids;    // one per token, each < vocabulary_size
  std::vector<NewWord> new_words;  // in order of appearance, each once
};

[[nodiscard]] Encoding encode(const std::vector<Token>& tokens);

/// What each row of the table stands for: "[UNK]", the known words, this text's new words, "(spare)".
[[nodiscard]] std::vector<std::string> row_labels(const Encoding& encoding);

/// How many spare rows there are.
[[nodiscard]] std::size_t spare_rows();

}  // namespace attn
