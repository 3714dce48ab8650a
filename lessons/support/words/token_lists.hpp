#pragma once

#include "tensor/tensor.hpp"
#include "text/vocabulary.hpp"
#include "text/word_tokenizer.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

// Lists of words and numbers, as pages show them.

/// The tokens as they are written in the text.
[[nodiscard]] std::vector<std::string> texts_of(const std::vector<Token>& tokens);

/// The tokens as they are looked up.
[[nodiscard]] std::vector<std::string> words_of(const std::vector<Token>& tokens);

/// Whole numbers as a list of the trace: [n].
[[nodiscard]] Tensor as_tensor(const std::vector<std::size_t>& numbers);

/// At how many places two lists of equal length differ.
[[nodiscard]] std::size_t count_differences(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b);

/// A word in quotes, for prose.
[[nodiscard]] std::string in_quotes(const std::string& word);

/// Whole numbers as words.
[[nodiscard]] std::vector<std::string> as_words(const std::vector<std::size_t>& numbers);

/// "the | cat | sat".
[[nodiscard]] std::string joined(const std::vector<std::string>& words, const std::string& between);

/// How many letters and marks the tokens have together.
[[nodiscard]] std::size_t count_letters(const std::vector<Token>& tokens);

/// The rows of the vocabulary that a text uses, each once, in order.
[[nodiscard]] std::vector<std::size_t> rows_in_use(const std::vector<std::size_t>& ids);

/// What stands in these rows of the vocabulary.
[[nodiscard]] std::vector<std::string> labels_of(const Encoding& encoding, const std::vector<std::size_t>& rows);

/// The different words of two letters or more, in order of appearance.
[[nodiscard]] std::vector<std::string> words_with_letters(const std::vector<Token>& tokens);

}  // namespace attn
