#include "attention/kinds/encoder_layer.hpp"
#include "catch.hpp"
#include "support/words/layer_words.hpp"
#include "support/world/layer_world.hpp"
#include "support/world/sentences.hpp"
#include "tensor/close.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/random.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using namespace attn;

namespace {

std::vector<OneHead> two_sentences(const Options& options) {
  return sentences(options, {"the cat sat", "a dog"});
}

}  // namespace

TEST_CASE("a layer's network is what PyTorch draws with the next seed, in every world", "[layer]") {
  for (const Options::Weights weights : {Options::Weights::crafted, Options::Weights::torch}) {
    Options options;
    options.weights = weights;
    options.seed = 6;
    const LayerWorld layer = layer_world(two_sentences(options), options);
    Random random(7);
    CHECK(layer.network.W_1.values() == linear_weight(random, 16, 64).values());
    CHECK(layer.network.b_1->values() == linear_bias(random, 16, 64).values());
    CHECK(layer.network.W_2.values() == linear_weight(random, 64, 16).values());
    CHECK(layer.network.b_2->values() == linear_bias(random, 64, 16).values());
  }
}

TEST_CASE("after the last seed comes 0", "[layer]") {
  Options options;
  options.seed = std::numeric_limits<std::uint64_t>::max();
  CHECK(layer_world(two_sentences(options), options).seed == 0);
}

TEST_CASE("what a word is counts as lost where a float has no room for it beside attention", "[layer]") {
  const OneHead text = two_sentences({})[0];
  const auto said_beside = [&](float attention) {
    Board board({.name = "20_layer", .sources = {}, .options = {}, .timing = false});
    const Tensor X({text.world.tokens.size(), 16}, 0.5F);
    const Tensor brought(X.shape(), attention);
    board.record("embeddings", X, given());
    board.record("X", X, given());
    board.record("attention", brought, given());
    board.record("after_attention", add(X, brought), add("X", "attention"));
    return what_the_sum_keeps(board, text, {0, 1});
  };
  CHECK_THAT(said_beside(1.0F), ContainsSubstring("is not lost"));
  CHECK_THAT(said_beside(1e9F), ContainsSubstring("In 16 of 16 channels") && ContainsSubstring("is lost"));
}

TEST_CASE("a norm is said to reach mean 0 and variance 1, and a row of one number to become 0", "[layer]") {
  const Tensor normed({2, 2}, std::vector<float>{-1, 1, 1.5F, -1});
  CHECK_THAT(what_the_norm_reaches(normed),
             ContainsSubstring("mean farther from 0 than 0.25") && ContainsSubstring("from 1 than 0.56"));
  CHECK_THAT(what_the_norm_reaches(Tensor({3, 1})), ContainsSubstring("the norm makes it 0"));
}

TEST_CASE("a layer whose parts write nothing gives X back, with the norm before", "[layer]") {
  Options options;
  const std::vector<OneHead> two = two_sentences(options);
  CHECK_THAT(what_silent_parts_leave(two[0], layer_world(two, options)),
             ContainsSubstring("X comes out, largest difference 0. Post-norm, X comes out normed"));
}

TEST_CASE("the network is said to give a word alone what it gives it among others", "[layer]") {
  Options options;
  const std::vector<OneHead> two = two_sentences(options);
  const LayerWorld layer = layer_world(two, options);
  const FeedForwardSteps steps = feed_forward(two[0].X, layer.network, Activation::relu);
  const std::string said = what_the_network_does(two[0], layer, steps.activated, two[0].X, steps.output);
  CHECK_THAT(said, ContainsSubstring("Of 64 hidden numbers") && ContainsSubstring("the same: difference 0."));
  // The sentence is measured: another output would be told.
  CHECK_THAT(what_the_network_does(two[0], layer, steps.activated, two[0].X, two[0].X),
             !ContainsSubstring("the same: difference 0."));
}
