#include "text/lexicon.hpp"

#include "text/unicode.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

namespace attn {
namespace {

// The kinds that words have. A half is for words that do the work of a kind but say little by themselves: "he" stands
// for a noun, "was" is a verb that hardly asks for a subject.
constexpr WordKinds none{};
constexpr WordKinds determiner{.determiner = 1.0F};
constexpr WordKinds preposition{.preposition = 1.0F};
constexpr WordKinds pronoun{.noun = 0.5F};
constexpr WordKinds animal{.animal = 1.0F, .noun = 1.0F};
constexpr WordKinds person{.noun = 1.0F};
constexpr WordKinds thing{.thing = 1.0F, .noun = 1.0F};
constexpr WordKinds verb{.verb = 1.0F};
constexpr WordKinds auxiliary{.verb = 0.5F};
constexpr WordKinds adjective{.adjective = 1.0F};
constexpr WordKinds state{.noun = 1.0F,
                          .adjective = 0.5F};  // an adjective that other words look for as they do for a noun

struct Group {
  WordKinds kinds;
  std::string_view words;  // with spaces between
};

// A word's place in this list is its row in the embedding table, and so is part of every number that a lesson prints: a
// new word goes to the end of the list.
constexpr std::array groups = {
    // Punctuation.
    Group{none, ". , ! ? ; : ' \" ( ) - … —"},

    // Possessives are determiners too: they stand before a noun and belong to it.
    Group{determiner, "the a an this that every some my your his her its our their"},
    Group{preposition, "on in at over under behind near by with from to of into for through across"},
    Group{pronoun, "i you he she it we they him them everyone"},

    Group{animal,
          "cat dog fox bird mouse horse cow fish bear rabbit sheep duck frog lion tiger monkey kitten elephant"},
    Group{person, "boy girl man woman child friend teacher student"},
    Group{thing, "mat tea orange fruit world table chair house tree ball book door window"},
    Group{thing, "water milk bread apple box bed hat garden river road moon"},

    Group{adjective, "quick brown lazy favorite hungry tired happy sad big small little old young new good"},
    Group{adjective, "red blue green black white cold hot long"},
    Group{state, "thirsty"},

    // Verbs, in the past and the present. Other forms are guessed from these: sit, walks, jumping.
    Group{verb, "sat sits drank drinks barked barks jumped jumps ran runs slept sleeps ate eats saw sees"},
    Group{verb, "chased chases liked likes loved loves read reads found made took gave went came said"},
    Group{verb, "walked looked sang flew caught"},
    Group{auxiliary, "is are was were has had do did can will"},

    // Adverbs, conjunctions, a greeting.
    Group{none, "very loudly quickly slowly softly often always never here there now today then too not"},
    Group{none, "because and but or when while if so as"},
    Group{none, "hello"},

    // A sentence to translate from: "Bonjour tout le monde".
    Group{none, "bonjour"},
    Group{determiner, "tout le"},
    Group{thing, "monde"},
};

}  // namespace

const std::vector<KnownWord>& known_words() {
  static const std::vector<KnownWord> words = [] {
    std::vector<KnownWord> all;
    for (const Group& group : groups) {
      for (std::string_view rest = group.words; !rest.empty();) {
        const std::string_view word = rest.substr(0, rest.find(' '));
        all.push_back({.word = word, .kinds = group.kinds});
        rest.remove_prefix(std::min(word.size() + 1, rest.size()));
      }
    }
    return all;
  }();
  return words;
}

const KnownWord* find_known_word(std::string_view word) {
  static const std::map<std::string_view, const KnownWord*> by_spelling = [] {
    std::map<std::string_view, const KnownWord*> index;
    for (const KnownWord& known : known_words()) index.emplace(known.word, &known);
    return index;
  }();
  const auto found = by_spelling.find(word);
  return found == by_spelling.end() ? nullptr : found->second;
}

namespace {

/// "a noun and an animal", "half a verb", "none of the kinds".
std::string in_words(const WordKinds& kinds) {
  std::string words;
  const auto add = [&](float amount, std::string_view kind) {
    if (amount == 0.0F) return;
    if (!words.empty()) words += " and ";
    if (amount < 1.0F) words += "half ";
    words += kind;
  };
  add(kinds.noun, "a noun");
  add(kinds.animal, "an animal");
  add(kinds.thing, "a thing");
  add(kinds.verb, "a verb");
  add(kinds.adjective, "an adjective");
  add(kinds.preposition, "a preposition");
  add(kinds.determiner, "a determiner");
  return words.empty() ? "none of the kinds" : words;
}

KindsGuess guess(const WordKinds& kinds, std::string_view because) {
  return {.kinds = kinds, .reason = fmt::format("taken for {}: {}", in_words(kinds), because)};
}

bool has_vowel(std::string_view letters) {
  return letters.find_first_of("aeiouy") != std::string_view::npos;
}

/// What is left of a word without its ending, if that could be a word: two letters or more, with a vowel. Else empty.
/// So "sing" and "bed" do not end in -ing and -ed; and a y after a vowel is no ending (donkey, holiday).
std::string_view stem(std::string_view word, std::string_view ending) {
  if (!word.ends_with(ending)) return {};
  word.remove_suffix(ending.size());
  if (word.size() < 2 || !has_vowel(word)) return {};
  if (ending == "y" && has_vowel(word.substr(word.size() - 1))) return {};
  return word;
}

/// A known word that is `base`, or the form of it that the vocabulary happens to list: "sit" is not known, but "sits"
/// is.
const KnownWord* known_form_of(const std::string& base) {
  for (const char* const ending : {"", "s", "ed"})
    if (const KnownWord* const known = find_known_word(base + ending)) return known;
  if (base.ends_with('e')) return find_known_word(base + "d");
  return nullptr;
}

/// The spellings that a word may have had before the ending came: jump(ed), lov(e)d, hurr(y)ied, big(g)er.
std::vector<std::string> spellings_before(std::string_view ending, std::string_view stem_left) {
  const std::string left(stem_left);
  if (ending.empty() || ending == "'s" || ending == "s") return {left};
  std::vector<std::string> all = {left, left + "e"};
  const std::string shorter = left.substr(0, left.size() - 1);
  if (left.ends_with('i')) all.push_back(shorter + "y");
  if (left.back() == shorter.back()) all.push_back(shorter);
  return all;
}

/// The known word of which `word` is another form, or nullptr. The kind of that word must be able to take the ending.
const KnownWord* known_relative(std::string_view word) {
  struct Inflection {
    std::string_view ending;
    bool (*fits)(const WordKinds&);
  };
  const auto of_any = [](const WordKinds& kinds) { return kinds != none; };
  const auto of_noun_or_verb = [](const WordKinds& kinds) { return kinds.noun == 1.0F || kinds.verb > 0.0F; };
  const auto of_verb = [](const WordKinds& kinds) { return kinds.verb > 0.0F; };
  const auto of_adjective = [](const WordKinds& kinds) { return kinds.adjective > 0.0F; };
  const std::array<Inflection, 8> inflections = {{{"'s", of_any},
                                                  {"s", of_noun_or_verb},
                                                  {"es", of_noun_or_verb},
                                                  {"", of_verb},
                                                  {"ed", of_verb},
                                                  {"ing", of_verb},
                                                  {"er", of_adjective},
                                                  {"est", of_adjective}}};
  for (const Inflection& inflection : inflections) {
    const std::string_view left = stem(word, inflection.ending);
    if (left.empty()) continue;
    for (const std::string& base : spellings_before(inflection.ending, left)) {
      const KnownWord* const known = known_form_of(base);
      if (known != nullptr && inflection.fits(known->kinds)) return known;
    }
  }
  return nullptr;
}

}  // namespace

KindsGuess guess_kinds(std::string_view word) {
  const std::u32string characters = code_points(word);
  if (std::none_of(characters.begin(), characters.end(), is_letter)) return guess(none, "it has no letters");
  if (is_digit(characters.front())) return guess(none, "it starts with a digit");

  if (const KnownWord* const known = known_relative(word))
    return guess(known->kinds, fmt::format("another form of \"{}\"", known->word));

  struct Ending {
    std::string_view letters;
    WordKinds kinds;
  };
  constexpr std::array<Ending, 14> endings = {{{"n't", auxiliary},
                                               {"ly", none},
                                               {"ing", verb},
                                               {"ed", verb},
                                               {"ous", adjective},
                                               {"ful", adjective},
                                               {"less", adjective},
                                               {"able", adjective},
                                               {"ish", adjective},
                                               {"ness", thing},
                                               {"tion", thing},
                                               {"ment", thing},
                                               {"er", thing},
                                               {"y", adjective}}};
  for (const Ending& ending : endings)
    if (!stem(word, ending.letters).empty()) return guess(ending.kinds, fmt::format("it ends in -{}", ending.letters));

  return guess(thing, "no ending gives it away");
}

}  // namespace attn
