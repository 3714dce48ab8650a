#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// One unit of a text: a word or a single punctuation mark.
struct Token {
  std::string text;  // as it was written: "The"
  std::string word;  // lower-cased, for the look-up in the vocabulary: "the"
};

/// Words and punctuation apart; white space separates and is dropped.
/// "The cat's mat." -> The | cat's | mat | .
/// Combining marks and joined emoji stay whole; each CJK ideograph is a token of its own.
/// Throws std::invalid_argument, naming the byte's position, when `text` is not valid UTF-8.
[[nodiscard]] std::vector<Token> tokenize_words(std::string_view text);

}  // namespace attn
