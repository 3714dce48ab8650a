#include "attention/embedding.hpp"
#include "attention/positions.hpp"
#include "board/board.hpp"
#include "catch.hpp"
#include "support/record/wave_tables.hpp"
#include "support/words/token_lists.hpp"
#include "support/words/token_words.hpp"
#include "support/words/tour_words.hpp"
#include "support/words/words.hpp"
#include "support/world/letter_pairs.hpp"
#include "support/world/two_places.hpp"

#include <string>
#include <vector>

// What the tour and lessons 01 to 03 need besides the library.

using namespace attn;

namespace {

using Words = std::vector<std::string>;
using Places = std::vector<std::size_t>;

World world_of(const std::string& text, Options::Weights weights = Options::Weights::crafted) {
  Options options;
  options.text = text;
  options.weights = weights;
  return make_world(options);
}

}  // namespace

TEST_CASE("the most frequent pair is counted over all words, and of equals the first met wins", "[letters]") {
  const LetterPair at = most_frequent_pair({"the", "cat", "sat", "on", "the", "mat"});
  CHECK(at.left == "a");
  CHECK(at.right == "t");
  CHECK(at.count == 3);  // th and he: twice
  const LetterPair first = most_frequent_pair({"xy", "ab"});
  CHECK(first.left == "x");
  CHECK(first.count == 1);
  CHECK(most_frequent_pair({"a", ".", ""}).count == 0);
  CHECK(most_frequent_pair({}).count == 0);
}

TEST_CASE("a pair becomes one piece wherever it stands in a word, from left to right", "[letters]") {
  const LetterPair at{"a", "t", 1};
  CHECK(pieces_of("cat", at) == Words{"c", "at"});
  CHECK(pieces_of("attat", at) == Words{"at", "t", "at"});
  CHECK(pieces_of("aaa", {"a", "a", 1}) == Words{"aa", "a"});
  CHECK(pieces_of("on", at) == Words{"o", "n"});
  CHECK(pieces_of("üst", {"ü", "s", 1}) == Words{"üs", "t"});
  CHECK(pieces_of("cat", LetterPair{}) == Words{"c", "a", "t"});
}

TEST_CASE("a pair that stands in a text only once is not joined", "[letters]") {
  CHECK_THAT(what_pieces_make("rat", {"r", "a", 1}), ContainsSubstring("r + a + t."));
  CHECK_THAT(what_pieces_make("rat", {"r", "a", 2}), ContainsSubstring("ra + t."));
  CHECK_THAT(what_pieces_make("at", {"a", "t", 2}), ContainsSubstring("one piece, at."));
}

TEST_CASE("that all other channels are 0 is said only where they are", "[words]") {
  const World world = world_of("the cat");
  Tensor embeddings = gather(world.embedding_table, world.ids);
  CHECK_THAT(what_channels_tell(world, embeddings), ContainsSubstring("all others are 0."));
  embeddings(1, 3) = 0.5F;
  CHECK_THAT(what_channels_tell(world, embeddings), !ContainsSubstring("others"));
  CHECK(what_channels_tell(world_of("the cat", Options::Weights::torch), embeddings) ==
        "Shown are the first 7 of 16 channels.");
}

TEST_CASE("how many columns a head has is said, and how many of them are shown", "[words]") {
  World world = world_of("the cat", Options::Weights::torch);
  CHECK(what_a_head_gets(world, 2, 4) == Words{"Each of 4 heads (searches) gets 4 columns. Here are head 2's."});
  world.d_model = 512;
  CHECK(what_a_head_gets(world, 3, 4) ==
        Words{"Each of 4 heads (searches) gets 128 columns. Here are the first 4 of head 3's."});
  world.num_heads = 1;
  CHECK(what_a_head_gets(world, 1, 4) ==
        Words{"The one head gets all columns of Q, K and V, 512 each. Here are the first 4."});
}

TEST_CASE("equal words are equal in X only where no positions were added", "[words]") {
  const World world = world_of("cat cat");
  const Tensor embeddings = gather(world.embedding_table, world.ids);
  CHECK_THAT(how_equal_words_differ(world, embeddings).at(0), ContainsSubstring("are equal too."));
  Tensor X = embeddings;
  X(1, 2) += 0.25F;
  CHECK_THAT(how_equal_words_differ(world, X).at(0), ContainsSubstring("differ by up to 0.25."));
  CHECK(how_equal_words_differ(world_of("the cat"), embeddings).empty());
}

TEST_CASE("two words are the first two nouns, else the first two that differ", "[words]") {
  for (const auto weights : {Options::Weights::crafted, Options::Weights::torch}) {
    const auto places = [&](const std::string& text) {
      const TwoPlaces found = two_words(world_of(text, weights));
      return Places{found.first, found.second};
    };
    CHECK(places("the cat sat on the mat.") == Places{1, 5});
    CHECK(places("the cat saw a cat and a dog") == Places{1, 7});
    CHECK(places("the the cat") == Places{0, 2});
    CHECK(places("very quickly") == Places{0, 1});
    CHECK(!two_words(world_of("cat", weights)).differ());
    CHECK(!two_words(world_of("cat Cat cat", weights)).differ());
  }
}

TEST_CASE("the first repetition is found in whatever case the word is written", "[words]") {
  const TwoPlaces found = first_repetition(world_of("The cat sat on the mat."));
  CHECK(found.first == 0);
  CHECK(found.second == 4);
  CHECK(!first_repetition(world_of("the cat sat")).differ());
}

TEST_CASE("an order with a swap undoes itself", "[words]") {
  const World world = world_of("the cat sat");
  const Tensor order = order_with_swap(3, {0, 2});
  CHECK(order.values() == std::vector<float>{2, 1, 0});
  CHECK(texts_in_order(world, order) == Words{"sat", "cat", "the"});
  CHECK(gather(gather(world.embedding_table, order), order).values() ==
        gather(world.embedding_table, Places{0, 1, 2}).values());
}

TEST_CASE("rows in use stand once and in order", "[words]") {
  CHECK(rows_in_use({14, 54, 14, 1}) == Places{1, 14, 54});
  CHECK(rows_in_use({}).empty());
}

TEST_CASE("of many channels eight pairs are drawn, from the first to the last", "[waves]") {
  CHECK(channels_to_draw(5) == Places{0, 1, 2, 3, 4});
  CHECK(channels_to_draw(16).size() == 16);
  const Places of_512 = channels_to_draw(512);
  CHECK(of_512.size() == 16);
  CHECK(of_512.front() == 0);
  CHECK(of_512.back() == 511);
  CHECK(channels_to_draw(17).size() == 16);
}

TEST_CASE("the tables that are mistaken for the paper's have the columns that their names say", "[waves]") {
  CHECK(sines_first(5) == Places{0, 2, 4, 1, 3});
  CHECK(a_frequency_each(4) == Places{0, 3, 4, 7});
  Board board({.name = "03", .sources = {}, .options = {}});
  board.record("wider", sinusoidal_positions(2, 8), sinusoid(2, 8));
  const Tensor own = record_columns(board, "own", "wider", a_frequency_each(4));
  // cos(1 / 10000^(1/4)) and cos(1 / 10000^(3/4)), by hand: cos 0.1 and cos 0.001
  CHECK_THAT(own(1, 1), WithinAbs(0.995004, 1e-6));
  CHECK_THAT(own(1, 3), WithinAbs(0.9999995, 1e-6));
  CHECK(board.trace().step("own").value.shape() == Shape{2, 4});
}

TEST_CASE("waves are measured: length, movement, likeness of rows, squares", "[waves]") {
  CHECK(wavelength(0, 16) == "6.3");
  CHECK(wavelength(1, 16) == "6.3");
  CHECK(wavelength(14, 16) == "19869");  // 2 pi 10000^(7/8)
  const Tensor table = Tensor::matrix({{0, 1}, {3, 1}, {1, 1}});
  CHECK(movement(table, 0) == 3.0F);
  CHECK(movement(table, 1) == 0.0F);
  CHECK(count_still(table, 1.0F) == 1);
  CHECK(farthest_movement(table, {0, 1}) == 3.0F);
  CHECK(sum_of_squares(table, 1) == 10.0);
  CHECK(what_waves_tell(table) ==
        Words{"No two columns are equal. Places 0 and 2 are most alike, and they differ by up to 1."});
  CHECK(what_waves_tell(Tensor::matrix({{0, 1}, {0, 1}})).empty());
  const ClosestRows closest = closest_rows(table);
  CHECK(closest.first == 0);
  CHECK(closest.second == 2);
  CHECK(closest.difference == 1.0F);
}
