#pragma once

#include "board/board.hpp"
#include "support/world/letter_pairs.hpp"
#include "support/world/world.hpp"
#include "text/vocabulary.hpp"
#include "text/word_tokenizer.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

// Sentences and pictures about tokens and ids that depend on the text.

/// How many tokens there are, and how many more pairs of them if each letter were one.
[[nodiscard]] std::vector<std::string> what_letters_would_cost(const std::vector<Token>& tokens);

/// What is lost on the way back from ids to words (`back` is what they say), and two tokens that share an id.
[[nodiscard]] std::vector<std::string> what_ids_lose(const World& world, const std::string& text,
                                                     const std::string& back);

/// The new words of a text and the rows that they take, linked one to one.
void show_new_words(Board& board, const Encoding& encoding);

/// What "rat" has changed, put into a text of known words: how many ids, and what its row would hold in the crafted
/// world.
[[nodiscard]] std::vector<std::string> what_a_rat_changes(const World& world, const Encoding& changed);

/// Where a pair of letters stands in these words: each with its letters apart, and after the pair has become one piece.
/// Says instead that the text is too short where the pair stands there only once.
void show_first_join(Board& board, const LetterPair& pair, const std::vector<std::string>& words);

/// What a word would be in pieces, once the pair is joined.
[[nodiscard]] std::string what_pieces_make(const std::string& word, const LetterPair& pair);

}  // namespace attn
