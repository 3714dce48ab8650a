#include "attention/multi_head.hpp"
#include "catch.hpp"
#include "support/all_heads.hpp"
#include "support/heads_in_words.hpp"
#include "support/places.hpp"
#include "tensor/close.hpp"
#include "tensor/rearrange.hpp"

#include <string>
#include <vector>

using namespace attn;

namespace {

Options options_with(const std::string& text, Options::Weights weights = Options::Weights::crafted) {
  Options options;
  options.text = text;
  options.weights = weights;
  return options;
}

}  // namespace

TEST_CASE("all heads, one at a time, are multi-head attention", "[heads]") {
  for (const Options::Weights weights : {Options::Weights::crafted, Options::Weights::torch}) {
    Options options = options_with("the dog barked very loudly", weights);
    options.mask = Options::MaskKind::causal;
    const AllHeads all = all_heads(options);
    const Tensor& X = all.followed.X;
    const MultiHeadSteps steps =
        multi_head_attention(X, X, X, all.followed.world.weights, all.num_heads, keep_where(all.followed.mask));
    CHECK(largest_difference(concat(all.contexts, -1), steps.concat).largest == 0.0);
    CHECK(
        largest_difference(reshape(concat(all.weights, 0), steps.heads.weights.shape()), steps.heads.weights).largest ==
        0.0);
  }
}

TEST_CASE("the head that single-head lessons follow has its columns among those of all", "[heads]") {
  for (std::size_t head = 1; head <= 4; ++head) {
    Options options = options_with("the cat sat on the mat.");
    options.head = head;
    const AllHeads all = all_heads(options);
    CAPTURE(head);
    CHECK(all.begin(head) == 4 * (head - 1));
    CHECK(all.end(head) == 4 * head);
    CHECK(largest_difference(slice(all.K, -1, all.begin(head), all.end(head)), all.followed.K).largest == 0.0);
    CHECK(largest_difference(all.contexts[head - 1], all.followed.steps.context).largest == 0.0);
  }
}

TEST_CASE("steps of a head carry its number, unless it is the only one", "[heads]") {
  Options options = options_with("the cat", Options::Weights::torch);
  options.num_heads = 2;
  CHECK(all_heads(options).names("context") == std::vector<std::string>{"head1.context", "head2.context"});
  options.num_heads = 1;
  CHECK(all_heads(options).names("context") == std::vector<std::string>{"context"});
}

TEST_CASE("the largest weights of a head are told row by row, the largest first", "[heads][words]") {
  const World world = all_heads(options_with("the cat sat the")).followed.world;
  const Tensor weights =
      Tensor::matrix({{0.25F, 0.25F, 0.5F, 0}, {1, 0, 0, 0}, {0, 0.125F, 0.75F, 0.125F}, {0.4F, 0, 0, 0.6F}});
  CHECK(largest_weights(world, weights) ==
        "\"cat\" gives 1.00 to \"the\", \"sat\" 0.75 to itself and \"the\" (number 2) 0.60 to itself.");
  const World alone = all_heads(options_with("cat")).followed.world;
  CHECK(largest_weights(alone, Tensor::matrix({{1}})) == "\"cat\" gives 1.00 to itself.");
}

TEST_CASE("where a word looks most is told head by head, and not at all where it is alone", "[heads][words]") {
  CHECK(looks_most_at(all_heads(options_with("The quick brown fox jumps over the lazy dog."))) ==
        "at itself in head 1, at \"fox\" in head 2, at \"over\" in head 3 and at \".\" in head 4");
  CHECK(looks_most_at(all_heads(options_with("cat"))) == "at itself, for there is no other word");
}

TEST_CASE("heads, spans of columns and possible counts of heads in words", "[heads][words]") {
  const World crafted = all_heads(options_with("cat")).followed.world;
  const World torch = all_heads(options_with("cat", Options::Weights::torch)).followed.world;
  CHECK(head_in_words(crafted, 2) == "Head 2 (subject – verb)");
  CHECK(head_in_words(torch, 2) == "Head 2");
  CHECK(span("row", 4, 8) == "rows 4 to 7");
  CHECK(span("row", 4, 5) == "row 4");
  CHECK(possible_heads(16) == "1, 2, 4, 8 or 16");
  CHECK(possible_heads(7) == "1 or 7");
  CHECK(possible_heads(1) == "1");
  CHECK(shared_value_names(crafted) == std::vector<std::string>{"noun", "animal", "thing", "own"});
  CHECK(shared_value_names(torch).empty());
}

TEST_CASE("a channel of the output hears the heads whose columns its row of W_O reads", "[heads]") {
  AllHeads all = all_heads(options_with("cat"));
  CHECK(heads_heard(all, 10) == 4);  // noun: each head hands it over
  CHECK(heads_heard(all, 12) == 1);  // verb: only head 2
  CHECK(heads_heard(all, 0) == 0);
  all.followed.world.weights.W_O(0, 15) = -0.5F;
  CHECK(heads_heard(all, 0) == 1);
  CHECK(heads_heard(all_heads(options_with("cat", Options::Weights::torch)), 0) == 4);
}

TEST_CASE("places count from 0 in row-major order, and numbers that moved are counted", "[places]") {
  const Tensor at = places({2, 3});
  CHECK(at.values() == std::vector<float>{0, 1, 2, 3, 4, 5});
  CHECK(places({0}).size() == 0);
  CHECK(count_of_different(at, at) == 0);
  CHECK(count_of_different(transpose(at), reshape(at, {3, 2})) == 4);
  CHECK(count_of_zeros(at) == 1);
  CHECK_THROWS_WITH(count_of_different(at, places({6})),
                    "count_of_different: a is [2, 3] and b is [6]: compare tensors of one shape");
}
