#include "support/world/crafted_world.hpp"

#include "text/lexicon.hpp"

#include <fmt/core.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace attn {

namespace {

constexpr std::size_t d_model = 16;
constexpr std::size_t num_heads = 4;
constexpr std::size_t head_dim = d_model / num_heads;

// One number for each channel of X. A row of the embedding table is one, and so is a row of W_Q, W_K or W_V, where the
// numbers say how strongly each channel is read: the row 4 * verb reads channel 12, four times.
using Row = std::array<float, d_model>;

constexpr Row channel(std::size_t d) {
  Row row{};
  row[d] = 1.0F;
  return row;
}

constexpr Row operator*(float factor, const Row& row) {
  Row product{};
  for (std::size_t d = 0; d < d_model; ++d) product[d] = factor * row[d];
  return product;
}

constexpr Row operator+(const Row& a, const Row& b) {
  Row sum{};
  for (std::size_t d = 0; d < d_model; ++d) sum[d] = a[d] + b[d];
  return sum;
}

constexpr Row operator-(const Row& a, const Row& b) {
  return a + -1.0F * b;
}

// Where things stand in X = embeddings + positions. The fast waves tell places apart; the slow ones, from channel 8 on,
// hardly move within a sentence, which leaves them free to tell the kind of word: a sine adds 0 to it, a cosine 1.
constexpr Row place_sin = channel(2);
constexpr Row place_cos = channel(3);
constexpr Row animal = channel(8);
constexpr Row noun = channel(10);
constexpr Row verb = channel(12);
constexpr Row adjective = channel(14);
// These three stand on cosines. The constant 1, a cosine that no kind uses, takes off what the wave adds.
constexpr Row one = channel(15);
constexpr Row on_thing = channel(9);
constexpr Row on_preposition = channel(11);
constexpr Row on_determiner = channel(13);
constexpr Row thing = on_thing - one;
constexpr Row preposition = on_preposition - one;
constexpr Row determiner = on_determiner - one;
constexpr Row nothing{};

// A channel of a head: what a query looks for there, and how a key says that it has it. The two meet in the dot
// product.
struct Match {
  const char* name;
  Row query;
  Row key;
};

// A channel of V: what it hands over, and the channel of the output to which W_O brings it back.
struct Content {
  const char* name;
  Row value;
  Row returns_to;
};

struct Head {
  const char* name;
  std::array<Match, head_dim> matches;
  std::array<Content, head_dim> contents;
};

constexpr Content noun_content{"noun", noun, noun};
constexpr Content animal_content{"animal", animal, animal};
constexpr Content thing_content{"thing", thing, on_thing};

// How two "place" channels together tell distance (the waves of channels 2 and 3 take some 20 places for one turn):
//   cos(i) cos(j) + sin(i) sin(j) = cos(j - i)   largest at the token itself, falling for some 10 places either way
//   cos(i) sin(j) - sin(i) cos(j) = sin(j - i)   largest some 5 places to the right, negative to the left
constexpr std::array<Head, num_heads> heads{{
    // sought, what the query reads, what the key reads: an adjective looks for a noun, the nearer the better.
    {"adjective → noun",
     {{{"noun", 4 * adjective, 2 * noun},
       {"place", 2 * place_cos, 2 * place_cos},
       {"place", 2 * place_sin, 2 * place_sin},
       {"unused", nothing, nothing}}},
     {{noun_content, animal_content, thing_content, {"adj", adjective, adjective}}}},

    {"subject – verb",
     {{{"noun", 4 * verb, 2 * noun},  // a verb asks for nouns twice as strongly as a noun for verbs,
       {"verb", 2 * noun, 2 * verb},  // so that scores[i, j] and scores[j, i] differ
       {"place", place_cos, place_cos},
       {"place", place_sin, place_sin}}},
     {{noun_content, animal_content, thing_content, {"verb", verb, verb}}}},

    {"verb → prep → noun",
     {{{"prep", 4 * verb, 2 * preposition},
       {"noun", 4 * preposition, 2 * noun},
       {"place", 2 * place_cos, 2 * place_sin},
       {"place", -2 * place_sin, 2 * place_cos}}},
     {{noun_content, animal_content, thing_content, {"prep", preposition, on_preposition}}}},

    {"determiner → noun",
     {{{"noun", 4 * determiner, 2 * noun},
       {"place", 2 * place_cos, 2 * place_sin},
       {"place", -2 * place_sin, 2 * place_cos},
       {"unused", nothing, nothing}}},
     {{noun_content, animal_content, thing_content, {"det", determiner, on_determiner}}}},
}};

Row embedding_of(const WordKinds& kinds) {
  return kinds.animal * animal + kinds.noun * noun + kinds.verb * verb + kinds.adjective * adjective +
         kinds.thing * on_thing + kinds.preposition * on_preposition + kinds.determiner * on_determiner;
}

void set_row(Tensor& table, std::size_t i, const Row& row) {
  for (std::size_t d = 0; d < d_model; ++d) table(i, d) = row[d] + 0.0F;  // never -0
}

void set_column(Tensor& table, std::size_t j, const Row& column) {
  for (std::size_t d = 0; d < d_model; ++d) table(d, j) = column[d];
}

MultiHeadWeights weights_of_heads() {
  MultiHeadWeights weights;
  for (Tensor* w : {&weights.W_Q, &weights.W_K, &weights.W_V, &weights.W_O}) *w = Tensor({d_model, d_model});
  weights.b_O = Tensor({d_model});
  for (std::size_t h = 0; h < num_heads; ++h) {
    for (std::size_t d = 0; d < head_dim; ++d) {
      const std::size_t row = h * head_dim + d;
      set_row(weights.W_Q, row, heads[h].matches[d].query);
      set_row(weights.W_K, row, heads[h].matches[d].key);
      set_row(weights.W_V, row, heads[h].contents[d].value);
      set_column(weights.W_O, row, heads[h].contents[d].returns_to);
    }
  }
  return weights;
}

/// Row 0, [UNK], stays empty: nothing is known of such a word. So do the spare rows that the text does not need.
Tensor embeddings_of_known_words() {
  Tensor table({vocabulary_size, d_model});
  std::size_t id = unknown_id;
  for (const KnownWord& known : known_words()) set_row(table, ++id, embedding_of(known.kinds));
  return table;
}

}  // namespace

void take_names_of_crafted_world(World& world) {
  world.channel_names = {"0",      "1",     "sin",  "cos",  "4",    "5",   "6",   "7",
                         "animal", "thing", "noun", "prep", "verb", "det", "adj", "one"};
  world.kind_channels = {8, 9, 10, 11, 12, 13, 14};
  world.telling_channels = {2, 3, 8, 9, 10, 11, 12, 13, 14};
  for (const Head& head : heads) {
    world.head_names.emplace_back(head.name);
    for (const Match& match : head.matches) {
      world.query_names.emplace_back(match.name);
      world.key_names.emplace_back(match.name);
    }
    for (const Content& content : head.contents) world.value_names.emplace_back(content.name);
  }
  world.default_head = 2;  // subject and verb: the plainest to see
}

World crafted_world(const Encoding& encoding) {
  World world;
  world.d_model = d_model;
  world.num_heads = num_heads;
  world.weights = weights_of_heads();
  world.embedding_table = embeddings_of_known_words();
  for (const NewWord& new_word : encoding.new_words) {
    if (new_word.id == unknown_id) {
      world.guesses.emplace_back(
          "without a row of its own: no spare one was left, so it shares row 0, [UNK], which is empty");
      continue;
    }
    const KindsGuess guess = guess_kinds(new_word.word);
    set_row(world.embedding_table, new_word.id, embedding_of(guess.kinds));
    world.guesses.push_back(guess.reason);
  }

  take_names_of_crafted_world(world);
  return world;
}

}  // namespace attn
