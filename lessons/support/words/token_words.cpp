#include "support/words/token_words.hpp"

#include "support/words/token_lists.hpp"
#include "support/words/words.hpp"
#include "support/world/two_places.hpp"
#include "text/lexicon.hpp"

#include <fmt/core.h>

namespace attn {

namespace {

/// A pair that stands there only once is no more frequent than any other.
bool is_joined(const LetterPair& pair) {
  return pair.count > 1;
}

}  // namespace

std::vector<std::string> what_letters_would_cost(const std::vector<Token>& tokens) {
  const std::size_t count = tokens.size();
  const std::size_t letters = count_letters(tokens);
  std::vector<std::string> sentences = {fmt::format("Tokens: {}. Blanks only separate them, and are in none.", count)};
  if (letters > count) {
    sentences.push_back(fmt::format(
        "Cut at each letter, it would be {}. In attention every token meets every token: {} pairs now, {} then.",
        letters, count * count, letters * letters));
  }
  return sentences;
}

std::vector<std::string> what_ids_lose(const World& world, const std::string& text, const std::string& back) {
  std::vector<std::string> sentences;
  if (back != text) sentences.emplace_back("Which blanks and capitals there were, no id tells.");
  const TwoPlaces same = first_repetition(world);
  if (same.differ()) {
    sentences.push_back(fmt::format("{} and {} get one and the same id, {}. So far nothing tells them apart.",
                                    name_of(world, same.first), name_of(world, same.second),
                                    world.encoding.ids[same.first]));
  }
  return sentences;
}

void show_new_words(Board& board, const Encoding& encoding) {
  std::vector<std::string> words, rows;
  for (const NewWord& added : encoding.new_words) {
    words.push_back(added.word);
    rows.push_back(std::to_string(added.id));
  }
  board.links("new words", words, "row", rows);
}

std::vector<std::string> what_a_rat_changes(const World& world, const Encoding& changed) {
  const NewWord& added = changed.new_words.front();
  std::vector<std::string> sentences = {
      fmt::format("{} takes the first spare row, {}. Ids that changed: {} of {}.", in_quotes(added.word), added.id,
                  count_differences(world.encoding.ids, changed.ids), changed.ids.size())};
  if (world.crafted()) {
    sentences.push_back(
        fmt::format("What would its row hold? From its letters, it is {}. That a rat is an animal, they do not say.",
                    guess_kinds(added.word).reason));
  }
  return sentences;
}

void show_first_join(Board& board, const LetterPair& pair, const std::vector<std::string>& words) {
  if (!is_joined(pair)) {
    board.say("This text is too short to count in: no two letters stand side by side twice. So nothing is joined yet.");
    return;
  }
  board.say("To count in this text: {left} and {right} stand side by side {count} times. The first join is theirs:",
            {{"left", in_quotes(pair.left)}, {"right", in_quotes(pair.right)}, {"count", pair.count}});
  std::vector<std::string> letters_apart, pieces;
  for (const std::string& word : words) {
    letters_apart.push_back(joined(letters_of(word), " "));
    pieces.push_back(joined(pieces_of(word, pair), " "));
  }
  board.links("letters", letters_apart, "pieces", pieces);
}

std::string what_pieces_make(const std::string& word, const LetterPair& pair) {
  const std::vector<std::string> pieces = pieces_of(word, is_joined(pair) ? pair : LetterPair{});
  return fmt::format("So {} would be {}{}. {}", in_quotes(word), pieces.size() > 1 ? "" : "one piece, ",
                     joined(pieces, " + "),
                     pieces.size() > 1 ? "A list that has these pieces needs no row for the word."
                                       : "Lists that go down to bytes have even that.");
}

}  // namespace attn
