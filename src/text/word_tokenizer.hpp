#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// One unit of a text: a word or a single punctuation mark.
struct Token {
  std::string text;  // as it was written: "The"
  std::string word;  // for the look-up in the vocabulary: "the"
};

/// Words and punctuation apart; white space separates and is dropped.
/// "The cat's mat." -> The | cat's | mat | .
///
/// - A word is a run of letters, marks and digits. Apostrophes and hyphens stay inside it (don't, well-known), and so
/// do
///   the points and commas of a number (3.14, 1,000). Zero-width joiners belong to their letter (Persian).
/// - What is written without spaces has no words to see: each CJK ideograph is a token; hiragana and katakana are kept
/// in
///   runs of one script; Thai and the like stay as they are written, in one run.
/// - Every other mark or symbol is a token of its own: "..." is three, and the ellipsis character is one. An emoji with
/// all
///   its joiners is one.
/// - Nothing that is written gets lost: a control character is a token too. A layout hint that is not seen (soft
/// hyphen,
///   direction mark) stays inside its word, and is a token elsewhere. Only white space, the zero-width space and
///   a byte order mark at the start are dropped.
///
/// The look-up form is composed (NFC), lower-cased by simple mapping whatever the locale, without layout hints, with
/// typographic apostrophes, quotes and hyphens made plain. So "café" in either spelling, and "don’t" and "don't", are
/// one word.
///
/// Throws std::invalid_argument, naming the byte's position, when `text` is not valid UTF-8.
[[nodiscard]] std::vector<Token> tokenize_words(std::string_view text);

}  // namespace attn
