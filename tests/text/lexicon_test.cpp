#include "text/lexicon.hpp"
#include "catch.hpp"
#include "text/vocabulary.hpp"
#include "text/word_tokenizer.hpp"

#include <set>
#include <string>

namespace attn {
namespace {

WordKinds kinds_of(const std::string& word) {
  CAPTURE(word);
  const KnownWord* const known = find_known_word(word);
  REQUIRE(known != nullptr);
  return known->kinds;
}

const WordKinds nothing{};
const WordKinds animal{.animal = 1.0F, .noun = 1.0F};
const WordKinds thing{.thing = 1.0F, .noun = 1.0F};
const WordKinds verb{.verb = 1.0F};
const WordKinds adjective{.adjective = 1.0F};

}  // namespace

TEST_CASE("the kinds are those that the crafted world's claims rest on", "[lexicon]") {
  CHECK(kinds_of("cat") == animal);
  CHECK(kinds_of("fox") == animal);
  CHECK(kinds_of("dog") == animal);
  CHECK(kinds_of("mat") == thing);
  CHECK(kinds_of("tea") == thing);
  CHECK(kinds_of("sat") == verb);
  CHECK(kinds_of("drank") == verb);
  CHECK(kinds_of("jumps") == verb);
  CHECK(kinds_of("barked") == verb);
  CHECK(kinds_of("quick") == adjective);
  CHECK(kinds_of("lazy") == adjective);
  CHECK(kinds_of("the") == WordKinds{.determiner = 1.0F});
  CHECK(kinds_of("over") == WordKinds{.preposition = 1.0F});
  CHECK(kinds_of("on") == WordKinds{.preposition = 1.0F});
  CHECK(kinds_of("he") == WordKinds{.noun = 0.5F});
  CHECK(kinds_of("was") == WordKinds{.verb = 0.5F});
  CHECK(kinds_of("thirsty") == WordKinds{.noun = 1.0F, .adjective = 0.5F});
  CHECK(kinds_of("because") == nothing);
  CHECK(kinds_of("very") == nothing);
  CHECK(kinds_of(".") == nothing);
}

TEST_CASE("every word of the lessons' example sentences is known", "[lexicon]") {
  const std::string text = GENERATE("the cat sat on the mat.", "The cat sat on the mat.",
                                    "He drank his tea because he was thirsty.", "Orange is my favorite fruit",
                                    "The dog barked very loudly.", "The quick brown fox jumps over the lazy dog.",
                                    "Bonjour tout le monde", "hello, world!", ". , ! ? ; : ' \" ( ) - …", "‘so’ “so”");
  for (const Token& token : tokenize_words(text)) {
    CAPTURE(text, token.word);
    CHECK(find_known_word(token.word) != nullptr);
  }
}

TEST_CASE("each known word is spelled as the tokenizer looks it up, and stands in the list once", "[lexicon]") {
  std::set<std::string_view> seen;
  for (const KnownWord& known : known_words()) {
    CAPTURE(known.word);
    CHECK(seen.insert(known.word).second);
    const std::vector<Token> tokens = tokenize_words(known.word);
    REQUIRE(tokens.size() == 1);
    CHECK(tokens[0].word == known.word);
    CHECK(find_known_word(known.word) == &known);
  }
}

TEST_CASE("the list is long enough for toy sentences and leaves 48 rows to new words", "[lexicon]") {
  CHECK(known_words().size() >= 190);
  CHECK(spare_rows() >= 48);
  CHECK(1 + known_words().size() + spare_rows() == vocabulary_size);
}

TEST_CASE("kinds are 0, a half or 1, and an animal or a thing is always a noun", "[lexicon]") {
  for (const KnownWord& known : known_words()) {
    CAPTURE(known.word);
    const WordKinds& k = known.kinds;
    for (const float kind : {k.animal, k.thing, k.noun, k.preposition, k.verb, k.determiner, k.adjective})
      CHECK((kind == 0.0F || kind == 0.5F || kind == 1.0F));
    if (k.animal > 0.0F || k.thing > 0.0F) CHECK(k.noun == 1.0F);
    CHECK(k.animal * k.thing == 0.0F);
  }
}

TEST_CASE("a word that is not listed is not found", "[lexicon]") {
  CHECK(find_known_word("zebra") == nullptr);
  CHECK(find_known_word("") == nullptr);
  CHECK(find_known_word("The") == nullptr);  // look-ups are in lower case
}

TEST_CASE("another form of a known word takes its kinds", "[lexicon][guess]") {
  struct Form {
    std::string word;
    std::string known;
  };
  const Form form =
      GENERATE(Form{"dogs", "dog"}, Form{"foxes", "fox"}, Form{"horses", "horse"}, Form{"mats", "mat"},
               Form{"cat's", "cat"}, Form{"jumping", "jumps"}, Form{"jump", "jumps"}, Form{"barking", "barks"},
               Form{"walks", "walked"}, Form{"loving", "loved"}, Form{"running", "runs"}, Form{"sit", "sits"},
               Form{"sitting", "sits"}, Form{"bigger", "big"}, Form{"oldest", "old"}, Form{"happier", "happy"},
               Form{"laziest", "lazy"}, Form{"he's", "he"}, Form{"chase", "chases"});
  CAPTURE(form.word);
  REQUIRE(find_known_word(form.word) == nullptr);
  const KindsGuess guess = guess_kinds(form.word);
  CHECK(guess.kinds == kinds_of(form.known));
  CHECK_THAT(guess.reason, ContainsSubstring(": another form of \"" + form.known + "\""));
}

TEST_CASE("an ending tells the kind of a word that is not known", "[lexicon][guess]") {
  struct Ending {
    std::string word;
    WordKinds kinds;
    std::string reason;
  };
  const Ending ending = GENERATE(Ending{"suddenly", nothing, "taken for none of the kinds: it ends in -ly"},
                                 Ending{"baking", verb, "taken for a verb: it ends in -ing"},
                                 Ending{"painted", verb, "taken for a verb: it ends in -ed"},
                                 Ending{"famous", adjective, "taken for an adjective: it ends in -ous"},
                                 Ending{"helpful", adjective, "taken for an adjective: it ends in -ful"},
                                 Ending{"careless", adjective, "taken for an adjective: it ends in -less"},
                                 Ending{"readable", adjective, "taken for an adjective: it ends in -able"},
                                 Ending{"greenish", adjective, "taken for an adjective: it ends in -ish"},
                                 Ending{"windy", adjective, "taken for an adjective: it ends in -y"},
                                 Ending{"kindness", thing, "taken for a noun and a thing: it ends in -ness"},
                                 Ending{"attention", thing, "taken for a noun and a thing: it ends in -tion"},
                                 Ending{"movement", thing, "taken for a noun and a thing: it ends in -ment"},
                                 Ending{"computer", thing, "taken for a noun and a thing: it ends in -er"},
                                 Ending{"didn't", WordKinds{.verb = 0.5F}, "taken for half a verb: it ends in -n't"});
  CAPTURE(ending.word);
  const KindsGuess guess = guess_kinds(ending.word);
  CHECK(guess.kinds == ending.kinds);
  CHECK(guess.reason == ending.reason);
}

TEST_CASE("letters that are no ending give nothing away: a noun and a thing", "[lexicon][guess]") {
  const std::string word = GENERATE("zebra", "king", "spring", "sled", "fly", "donkey", "holiday", "x", "ed", "ing",
                                    "paspasın", "atención", "猫", "ねこ", "แมว", "кот", "قطة");
  CAPTURE(word);
  const KindsGuess guess = guess_kinds(word);
  CHECK(guess.kinds == thing);
  CHECK(guess.reason == "taken for a noun and a thing: no ending gives it away");
}

TEST_CASE("a form that the known word cannot take is no form of it", "[lexicon][guess]") {
  CHECK(guess_kinds("thes").kinds == thing);    // a determiner has no plural
  CHECK(guess_kinds("forest").kinds == thing);  // "for" has no superlative
  CHECK(guess_kinds("mad").kinds == thing);     // not "made" without its e
  CHECK(guess_kinds("catted").kinds == verb);   // a noun has no past: the ending decides
}

TEST_CASE("what has no letters is none of the kinds, and the guess never fails", "[lexicon][guess]") {
  const std::string word = GENERATE(as<std::string>(), "", "3.14", "1,000", "%", "👩‍👩‍👧‍👦", "?!", "½",
                                    "\x01", "\u0301", "'");
  CAPTURE(word);
  const KindsGuess guess = guess_kinds(word);
  CHECK(guess.kinds == nothing);
  CHECK(guess.reason == "taken for none of the kinds: it has no letters");
}

TEST_CASE("a word that starts with a digit is none of the kinds", "[lexicon][guess]") {
  CHECK(guess_kinds("3rd").kinds == nothing);
  CHECK(guess_kinds("3rd").reason == "taken for none of the kinds: it starts with a digit");
}

}  // namespace attn
