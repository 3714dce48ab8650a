// Lesson 01: tokenize
//
// Question   What does a model get to see of a sentence?
// Equation   ids[p] = the row of the vocabulary in which tokens[p] stands         subwords: Sennrich et al. 2016
// Builds on  nothing: this is where a text comes in
// Ignores    --mask: no word looks at another yet
// Ignores    --positions: places come in with lesson 03

#include "board/ink.hpp"
#include "support/lesson.hpp"
#include "support/words/token_lists.hpp"
#include "support/words/token_words.hpp"
#include "support/world/letter_pairs.hpp"
#include "support/world/two_places.hpp"
#include "text/vocabulary.hpp"
#include "text/word_tokenizer.hpp"

namespace attn {

void lesson(Board& board, const Options& options) {
  const World world = make_world(options);
  board.option("head", options.head > 0 ? options.head : world.default_head);
  const auto cut = [&](const std::string& text) { return shortened(text, 250, options.ascii); };

  board.title("Tokens and ids");
  board.map("ids");
  board.say("What does a model get to see of a sentence?");
  board.say("Take this one: {text}", {{"text", cut(options.text)}});

  // 1. Cut the text into tokens: words, and each punctuation mark for itself.
  const std::vector<Token> tokens = tokenize_words(options.text);

  board.part("Cut it", "text → [tokens] → ids");
  board.say(
      "A reader sees words, because a reader knows where one ends. A program has to be told where to cut. Ours cuts at "
      "blanks and around punctuation, though not inside \"don't\" or \"3.14\". Each piece is called a token.");
  board.code({"tokens"});
  board.say("{tokens}", {{"tokens", cut(joined(texts_of(tokens), " | "))}});
  notice_each(board, what_letters_would_cost(tokens));

  // 2. Look each token up in the list of those that are known.
  const Encoding encoding = encode(tokens);
  const std::vector<std::size_t> rows = rows_in_use(encoding.ids);
  const std::string back = joined(labels_of(encoding, encoding.ids), " ");

  board.part("Look it up", "tokens → [ids] → embeddings");
  board.say(
      "A model computes, so each token needs a number. All tokens that it knows stand in one list, the vocabulary. "
      "Ours has {rows} rows; these are the ones that the text needs:",
      {{"rows", vocabulary_size}});
  board.links("vocabulary", labels_of(encoding, rows), "row", as_words(rows));
  board.say("The row in which a token stands is its id. From here on the model sees ids and nothing else.");
  board.code({"encoding"});
  board.record("tokens", world.ids, tokenize(texts_of(tokens)));
  board.links("tokens", texts_of(tokens), "ids", as_words(encoding.ids));
  board.notice("{id} rows stand above {word} in the list, as the first is row 0. So its id is {id}.",
               {{"word", name_of(world, world.followed)}, {"id", encoding.ids[world.followed]}});
  board.notice("Turned back into words, the ids say: {words}", {{"words", cut(back)}});
  notice_each(board, what_ids_lose(world, options.text, back));

  // 3. A word that is not in the list takes a spare row; where none is left, row 0.
  const bool all_known = encoding.new_words.empty();
  const std::size_t place = two_words(world).first;
  std::vector<Token> changed = tokens;
  if (all_known) changed[place] = {.text = "rat", .word = "rat"};
  const Encoding changed_encoding = encode(changed);

  board.part("A word that is not in the list", "new word → spare row, or [UNK]");
  if (all_known) {
    board.say("This text has none. Put \"rat\" in the place of {word}: the list does not have it.",
              {{"word", name_of(world, place)}});
    board.code({"changed_encoding"});
    board.record("changed", as_tensor(changed_encoding.ids), tokenize(texts_of(changed)));
    board.links("tokens", texts_of(changed), "ids", as_words(changed_encoding.ids));
    notice_each(board, what_a_rat_changes(world, changed_encoding));
  } else {
    board.say("This text has some. They take spare rows, in the order in which they come, as long as there are any:");
    show_new_words(board, encoding);
    notice_each(board, remarks_on_text(world));
  }
  board.notice(
      "There are {spare} spare rows. A text with more new words than that gets row 0, [UNK] for unknown, for each "
      "further one. They may be different words; the model sees one.",
      {{"spare", spare_rows()}});

  // 4. Subwords: longer than a letter, shorter than a word. Ours does without; this is only the first step to them.
  const std::string new_word = changed_encoding.new_words.front().word;
  const LetterPair pair = most_frequent_pair(words_of(tokens));

  board.part("What a subword would be", "letters → pieces → words");
  board.say(
      "Large models need no spare rows. Their lists hold pieces of words too, down to letters or bytes, and a new word "
      "is cut into pieces that are known: subwords. Byte-pair encoding finds the pieces. It starts with letters and "
      "joins the two neighbours that stand side by side most often. Then it counts again.");
  board.formula("join the most frequent pair, count again, and so on", "Sennrich et al. 2016");
  board.code({"pair"});
  std::vector<std::string> words = words_with_letters(tokens);
  if (all_known) words.push_back(new_word);
  show_first_join(board, pair, words);
  board.notice("{pieces}", {{"pieces", what_pieces_make(new_word, pair)}});
  board.notice(
      "The first Transformer (Vaswani et al. 2017, 5.1) has about 37000 pieces. Ours keeps whole words, so that each "
      "row of a table is a word that you can read.");

  board.ask("Is a token with a larger id more of anything?",
            "No. An id is a name and says only which row. Lesson 02 makes numbers of it that can be worked with.");

  board.pytorch(pytorch_lines_of_ids(world, options));
  board.experiment("--text \"The Cat sat.\"", "Does a capital letter change an id?");
  board.experiment("--text \"a rat, a bat, a rat\"", "Which rows do the new words get?");
  board.experiment("--text \"don't re-read page 3.14\"", "Where is it cut, and where not?");
  board.experiment("--text \"she sells sea shells\"", "Which letters are joined first?");
}

}  // namespace attn
