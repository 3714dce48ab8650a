#include "attention/scaled_dot_product.hpp"
#include "board/board.hpp"
#include "catch.hpp"
#include "support/words/three_kinds_words.hpp"
#include "support/world/sentences.hpp"
#include "tensor/close.hpp"

#include <stdexcept>
#include <string>
#include <vector>

using namespace attn;

namespace {

Options options_with(Options::Weights weights) {
  Options options;
  options.weights = weights;
  return options;
}

std::string told_of(const std::string& asking, const std::string& memory,
                    std::string (*sentence)(const OneHead&, const OneHead&)) {
  const std::vector<OneHead> two = sentences(options_with(Options::Weights::crafted), {asking, memory});
  return sentence(two[0], two[1]);
}

std::string swapped(const std::string& asking, const std::string& memory) {
  const std::vector<OneHead> two = sentences(options_with(Options::Weights::crafted), {asking, memory});
  const Tensor cross = scaled_dot_product_attention(two[0].Q, two[1].K, two[1].V).weights;
  const Tensor wrong = scaled_dot_product_attention(two[1].Q, two[0].K, two[0].V).weights;
  return what_swapped_queries_give(two[0], two[1], cross, wrong);
}

}  // namespace

TEST_CASE("a new word has one row in all sentences of a world, and two new words have two", "[sentences]") {
  for (const Options::Weights weights : {Options::Weights::crafted, Options::Weights::torch}) {
    const std::vector<OneHead> all = sentences(options_with(weights), {"zorb sat", "blick zorb", "cat"});
    REQUIRE(all.size() == 3);
    const auto id = [&](std::size_t sentence, std::size_t word) { return all[sentence].world.encoding.ids[word]; };
    CHECK(id(0, 0) == id(1, 1));
    CHECK(id(0, 0) != id(1, 0));
    CHECK(all[1].world.ids(0) == static_cast<float>(id(1, 0)));
    for (const OneHead& sentence : all) {
      CHECK(sentence.world.embedding_table.values() == all[0].world.embedding_table.values());
      CHECK(sentence.W_K.values() == all[0].W_K.values());
    }
  }
}

TEST_CASE("a sentence among others has the numbers that it has alone", "[sentences]") {
  for (const Options::Weights weights : {Options::Weights::crafted, Options::Weights::torch}) {
    Options options = options_with(weights);
    options.text = "the cat sat";
    const OneHead alone = one_head(options);
    const OneHead among = sentences(options, {"a dog barked very loudly", "the cat sat"})[1];
    CHECK(largest_difference(among.X, alone.X).largest == 0.0);
    CHECK(largest_difference(among.Q, alone.Q).largest == 0.0);
    CHECK(among.i == alone.i);
    CHECK(among.word == alone.word);
  }
}

TEST_CASE("the memory is what --memory says, else what the lesson says, and the board is told", "[memory]") {
  Board board(LessonInfo{.name = "", .sources = {}, .options = {}});
  Options options;
  CHECK(memory_text(board, options, "a dog") == "a dog");
  options.memory = "the cat";
  CHECK(memory_text(board, options, "a dog") == "the cat");
  REQUIRE(board.lesson().options.size() == 1);
  CHECK(board.lesson().options[0].name == "memory");
  CHECK(board.lesson().options[0].value.words() == "the cat");
  options.memory = " \t ";
  CHECK_THROWS_WITH(memory_text(board, options, "a dog"), ContainsSubstring("--memory has no words"));
}

TEST_CASE("what a word gives each way adds up to 1, and a word alone has no other", "[words]") {
  const std::vector<OneHead> all = sentences(options_with(Options::Weights::crafted), {"the cat sat", "cat"});
  const Tensor weights = Tensor::matrix({{0.5F, 0.25F, 0.25F}, {0.125F, 0.75F, 0.125F}, {0.25F, 0.25F, 0.5F}});
  CHECK(what_it_gives_each_way(all[0].world, weights, 0) ==
        "\"the\" sees every word: 0.500 goes to itself and 0.500 to 2 words after it.");
  CHECK(what_it_gives_each_way(all[0].world, weights, 1) ==
        "\"cat\" sees every word: 0.125 goes to 1 word before it, 0.750 to itself and 0.125 to 1 word after it.");
  CHECK(what_it_gives_each_way(all[0].world, weights, 2) ==
        "\"sat\" sees every word: 0.500 goes to 2 words before it and 0.500 to itself.");
  const Tensor small = Tensor::matrix({{1, 0, 0}, {0, 1, 0}, {0.0004F, 0.0004F, 0.9992F}});  // they print as 0.000
  CHECK(what_it_gives_each_way(all[0].world, small, 2) ==
        "\"sat\" sees every word: 0.001 goes to 2 words before it and 0.999 to itself. (Added, then rounded.)");
  CHECK(what_it_gives_each_way(all[1].world, Tensor::matrix({{1}}), 0) == "\"cat\" is alone, and sees itself only.");
}

TEST_CASE("the next word's share is told with the mask and without", "[words]") {
  const World world = sentences(options_with(Options::Weights::crafted), {"the cat sat"})[0].world;
  const Tensor masked = Tensor::matrix({{1, 0, 0}, {0.5F, 0.5F, 0}, {0.25F, 0.25F, 0.5F}});
  const Tensor open = Tensor::matrix({{0.5F, 0.25F, 0.25F}, {0.25F, 0.25F, 0.5F}, {0.25F, 0.25F, 0.5F}});
  CHECK_THAT(what_the_next_word_gets(world, masked, open, 1),
             ContainsSubstring("sees 2 of 3 words") && ContainsSubstring("must produce \"sat\"") &&
                 ContainsSubstring("gets 0 of its attention; without the mask, 0.500"));
  CHECK_THAT(what_the_next_word_gets(world, masked, open, 2), ContainsSubstring("the last word"));
}

TEST_CASE("queries from the memory are told by their shape, and where the texts are equally long by other weights",
          "[words]") {
  CHECK_THAT(swapped("the cat sat", "a dog"), ContainsSubstring("2 here") && ContainsSubstring("has 3 words"));
  CHECK_THAT(swapped("cat sat", "a dog"),
             ContainsSubstring("nobody complains. Yet the weights are others: largest difference 0."));
  CHECK_THAT(swapped("cat", "dog"), ContainsSubstring("even the weights are the same"));
}

TEST_CASE("the decoder's mask on the memory is refused, or hides words, or does nothing", "[words]") {
  CHECK_THAT(told_of("the cat sat", "a dog", what_the_wrong_mask_does),
             ContainsSubstring("refused") && ContainsSubstring("[3, 3]") && ContainsSubstring("[3, 2]"));
  CHECK_THAT(told_of("cat sat on", "a dog barked", what_the_wrong_mask_does),
             ContainsSubstring("hide 2 of 3 words from \"cat\""));
  CHECK_THAT(told_of("cat", "a dog barked", what_the_wrong_mask_does), ContainsSubstring("hides nothing"));
  CHECK_THAT(told_of("the cat sat", "a dog", what_a_causal_mask_hides),
             ContainsSubstring("hide 1 of 6 weights, and leave \"the\" nothing but \"a\""));
  CHECK_THAT(told_of("the cat sat", "dog", what_a_causal_mask_hides), ContainsSubstring("hide nothing"));
}
