#include "text/vocabulary.hpp"
#include "catch.hpp"
#include "text/lexicon.hpp"

#include <string>

namespace attn {
namespace {

Encoding encode_text(const std::string& text) {
  return encode(tokenize_words(text));
}

std::size_t first_spare_row() {
  return vocabulary_size - spare_rows();
}

/// new0 new1 ... : words that are not known, and all different.
std::string many_new_words(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += "new" + std::to_string(i) + " ";
  return text;
}

}  // namespace

TEST_CASE("a known word's id is one more than its place in the list, since row 0 is [UNK]", "[vocabulary]") {
  for (std::size_t i = 0; i < known_words().size(); ++i) {
    const Encoding encoding = encode_text(std::string(known_words()[i].word));
    CAPTURE(known_words()[i].word);
    CHECK(encoding.ids == std::vector<std::size_t>{i + 1});
    CHECK(encoding.new_words.empty());
  }
}

TEST_CASE("the same word has the same id wherever it stands and however it is capitalised", "[vocabulary]") {
  const Encoding encoding = encode_text("The cat sat on the mat. THE CAT");
  REQUIRE(encoding.ids.size() == 9);
  CHECK(encoding.ids[0] == encoding.ids[4]);
  CHECK(encoding.ids[0] == encoding.ids[7]);
  CHECK(encoding.ids[1] == encoding.ids[8]);
  CHECK(encoding.ids[1] != encoding.ids[2]);
}

TEST_CASE("new words take the spare rows in order of appearance, each word one row", "[vocabulary]") {
  const Encoding encoding = encode_text("zebra saw Yak, zebra ate yak");
  const std::size_t spare = first_spare_row();
  REQUIRE(encoding.ids.size() == 7);
  CHECK(encoding.ids[0] == spare);
  CHECK(encoding.ids[2] == spare + 1);
  CHECK(encoding.ids[4] == spare);
  CHECK(encoding.ids[6] == spare + 1);
  REQUIRE(encoding.new_words.size() == 2);
  CHECK(encoding.new_words[0].word == "zebra");
  CHECK(encoding.new_words[0].id == spare);
  CHECK(encoding.new_words[1].word == "yak");
  CHECK(encoding.new_words[1].id == spare + 1);
}

TEST_CASE("swapping one word changes that word's id only", "[vocabulary]") {
  const std::vector<std::size_t> before = encode_text("the zebra sat on the sofa.").ids;
  const std::string text = GENERATE("the cat sat on the zebra.", "the yak sat on the sofa.", "the dog sat on the mat.");
  const std::vector<std::size_t> after = encode_text(text).ids;
  CAPTURE(text);
  REQUIRE(after.size() == before.size());
  for (const std::size_t i : {0U, 2U, 3U, 4U, 6U}) CHECK(after[i] == before[i]);
}

TEST_CASE("both spellings of a word with an accent are one new word", "[vocabulary]") {
  const Encoding encoding = encode_text("caf\u00e9 cafe\u0301");
  CHECK(encoding.new_words.size() == 1);
  CHECK(encoding.ids[0] == encoding.ids[1]);
}

TEST_CASE("the last spare row is used, and what comes after it is [UNK]", "[vocabulary]") {
  const std::size_t spare = spare_rows();
  const Encoding full = encode_text(many_new_words(spare));
  CHECK(full.ids.back() == vocabulary_size - 1);
  CHECK(full.new_words.size() == spare);

  const Encoding over = encode_text(many_new_words(spare + 3) + "new0 new" + std::to_string(spare) + " cat");
  REQUIRE(over.ids.size() == spare + 6);
  CHECK(over.ids[spare - 1] == vocabulary_size - 1);
  for (std::size_t i = spare; i < spare + 3; ++i) CHECK(over.ids[i] == unknown_id);
  CHECK(over.ids[spare + 3] == first_spare_row());  // new0 kept its row
  CHECK(over.ids[spare + 4] == unknown_id);         // said once, though met twice
  CHECK(over.ids[spare + 5] == encode_text("cat").ids[0]);
  REQUIRE(over.new_words.size() == spare + 3);
  CHECK(over.new_words[spare].id == unknown_id);
  CHECK(over.new_words[spare].word == "new" + std::to_string(spare));
}

TEST_CASE("every id is a row of the table, whatever the text", "[vocabulary]") {
  const std::string text =
      GENERATE("", "   ", "¿Qué es la atención?", "猫がマットの上に座った", "[UNK] unk", "a\tb\x01");
  const std::vector<Token> tokens = tokenize_words(text);
  const Encoding encoding = encode(tokens);
  CHECK(encoding.ids.size() == tokens.size());
  for (const std::size_t id : encoding.ids) CHECK(id < vocabulary_size);
}

TEST_CASE("no tokens encode to nothing", "[vocabulary]") {
  CHECK(encode({}).ids.empty());
  CHECK(encode({}).new_words.empty());
}

TEST_CASE("each row has a label: [UNK], a known word, a new word of this text, or (spare)", "[vocabulary]") {
  const Encoding encoding = encode_text(many_new_words(spare_rows() - 1) + "cat");
  const std::vector<std::string> labels = row_labels(encoding);
  REQUIRE(labels.size() == vocabulary_size);
  CHECK(labels[unknown_id] == "[UNK]");
  CHECK(labels[encoding.ids.back()] == "cat");
  CHECK(labels[first_spare_row()] == "new0");
  CHECK(labels[vocabulary_size - 1] == "(spare)");
  CHECK(row_labels(encode_text(many_new_words(spare_rows() + 1)))[unknown_id] ==
        "[UNK]");  // the word that found no row
}

}  // namespace attn
