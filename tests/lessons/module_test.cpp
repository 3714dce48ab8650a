#include "attention/mask.hpp"
#include "attention/multi_head.hpp"
#include "catch.hpp"
#include "support/words/module_words.hpp"
#include "support/world/batch.hpp"
#include "tensor/close.hpp"
#include "tensor/random.hpp"
#include "tensor/rearrange.hpp"

#include <cmath>
#include <string>
#include <vector>

using namespace attn;

namespace {

Batch batch_of(const std::string& text, Options::Weights weights = Options::Weights::crafted) {
  Options options;
  options.text = text;
  options.weights = weights;
  return make_batch(options);
}

using Lengths = std::vector<std::size_t>;

}  // namespace

TEST_CASE("a text is cut where a sentence ends", "[batch]") {
  CHECK(batch_of("the cat sat. a dog barked").lengths == Lengths{4, 3});
  CHECK(batch_of("why?! because. yes").lengths == Lengths{3, 2, 1});
  CHECK(batch_of("wait ... the cat").lengths == Lengths{4, 2});
  CHECK(batch_of("3.14 is a number, no end").lengths == Lengths{7});
  CHECK(batch_of(".").lengths == Lengths{1});
}

TEST_CASE("sentences are filled up to the longest, or by two where none is longer", "[batch]") {
  const Batch unequal = batch_of("the cat sat. a dog");
  CHECK(unequal.seq_len == 4);
  CHECK(unequal.b == 1);
  CHECK(unequal.padding() == 2);
  CHECK_FALSE(unequal.filled_up());
  CHECK(unequal.words[1] == std::vector<std::string>{"a", "dog", "<pad>", "<pad>"});
  CHECK(unequal.ids(1, 3) == 0.0F);
  CHECK(unequal.ids(0, 3) == unequal.world.ids(3));

  const Batch equal = batch_of("a cat. a dog.");
  CHECK(equal.seq_len == 5);
  CHECK(equal.filled_up());
  CHECK(batch_of("cat").words[0] == std::vector<std::string>{"cat", "<pad>", "<pad>"});
}

TEST_CASE("a sentence in a batch gets the output that it gets alone, where padding is hidden as columns",
          "[batch][mask]") {
  for (const Options::Weights weights : {Options::Weights::crafted, Options::Weights::torch}) {
    const Batch batch = batch_of("the cat sat on the mat. the dog barked. it", weights);
    const MultiHeadAttention module(batch.world.num_heads, batch.world.weights);
    const Tensor mask = reshape(padding_mask(batch.lengths, batch.seq_len), {batch.size(), 1, 1, batch.seq_len});
    const Tensor alone_X = slice(slice(batch.X, 0, batch.b, batch.b + 1), 1, 0, batch.length());
    const Tensor alone = module.forward(alone_X, alone_X, alone_X).output;
    const auto output = [&](const Mask& of) {
      return reshape(output_of_words(batch, module.forward(batch.X, batch.X, batch.X, of).output), alone.shape());
    };
    CHECK(largest_difference(output(keep_where(mask)), alone).largest == 0.0);
    const Tensor by_rows = reshape(mask, {batch.size(), 1, batch.seq_len, 1});
    CHECK(largest_difference(output(keep_where(by_rows)), alone).largest > 0.01);
    CHECK(largest_difference(output(keep_where(by_rows)), output(no_mask())).largest == 0.0);
  }
}

TEST_CASE("a mask without an axis for the heads is refused, or hides what it should not", "[batch][words]") {
  const auto told = [](const std::string& text) {
    const Batch batch = batch_of(text);
    const Tensor scaled({batch.size(), 4, batch.seq_len, batch.seq_len});
    return what_a_mask_without_heads_does(batch, scaled, padding_mask(batch.lengths, batch.seq_len));
  };
  CHECK_THAT(told("a cat. dog."), ContainsSubstring("mask_fill (lesson 08) refuses it") &&
                                      ContainsSubstring("[2, 1, 3]") && ContainsSubstring("[2, 4, 3, 3]"));
  // Lengths 2, 2, 2, 1: in three sentences head 4 loses a key, in the fourth heads 1 to 3 see one: 6 keys of 2 rows.
  CHECK_THAT(told("a. b. c. d"), ContainsSubstring("12 of 64 scores"));
  CHECK_THAT(told("a. b. c. d."), ContainsSubstring("equally long"));
  CHECK_THAT(told("a cat"), ContainsSubstring("no harm"));
}

TEST_CASE("what a word gives to padding is added up over the padding alone", "[batch][words]") {
  const Batch batch = batch_of("a cat sat. it is");  // lengths 4 and 2
  Tensor weights({2, 4, 4, 4});
  weights(1, 2, 0, 2) = 0.25F;
  weights(1, 2, 0, 3) = 0.125F;
  weights(1, 2, 1, 1) = 0.5F;
  weights(1, 2, 1, 3) = 0.5F;
  weights(1, 2, 3, 3) = 1.0F;  // a row of padding: not a word
  CHECK(given_to_padding(batch, weights, 3, 0) == 0.375);
  CHECK(given_to_padding(batch, weights, 3, 1) == 0.5);
  CHECK(looks_most_at_padding(batch, weights, 3) == 1);
  CHECK(rows_of_words(batch, weights).shape() == Shape{4 * 4 + 4 * 2, 4});
}

TEST_CASE("a row after dropout adds up to 1 on average, and seldom in one draw", "[batch][dropout]") {
  Random random(3);
  const Tensor row({1, 3}, {0.5F, 0.25F, 0.25F});
  // Sums of a draw are 0, 0.5, 1, 1.5 or 2, and spread by 0.61; the mean of 20,000 spreads by 0.0043.
  CHECK(std::abs(mean_sum_of_draws(row, 20000, random, 0.5F) - 1.0) < 0.02);
  CHECK(mean_sum_of_draws(row, 10, random, 0.0F) == 1.0);
  CHECK(spread_of_row_sums(Tensor::matrix({{1, 0}, {0, 0.5F}, {2, 1}})) == "from 0.500 to 3.000");
}

TEST_CASE("sizes that do not go together are refused with what to do", "[batch][words]") {
  CHECK(refusal(10, 4) == "d_model (10) must be divisible by num_heads (4): try 2 or 5");
  CHECK(refusal(10, 5).empty());
}

TEST_CASE("a shape read aloud counts as one does", "[batch][words]") {
  CHECK(read_aloud(batch_of("a cat. it"), 4) ==
        "2 sentences, 4 heads in each, 3 tokens in each head, 4 channels for each");
  CHECK(read_aloud(batch_of("it"), 1) == "1 sentence, 4 heads in each, 3 tokens in each head, 1 channel for each");
  const Batch twice = batch_of("the cat saw the dog");
  CHECK(name_in(twice, 0) == "\"the\"");
  CHECK(name_in(twice, 3) == "\"the\" (number 2)");
  CHECK_THAT(what_padding_holds(twice),
             ContainsSubstring("Sentence 1, \"the cat saw the dog\", has 2 tokens of padding"));
}
