#include "attention/multi_head.hpp"
#include "catch.hpp"
#include "support/record/places.hpp"
#include "support/record/record_head.hpp"
#include "support/words/heads_in_words.hpp"
#include "support/world/all_heads.hpp"
#include "tensor/close.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"

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

TEST_CASE("what each head has is stacked, the first head first", "[heads]") {
  const Tensor both = stack({Tensor::matrix({{1, 2, 3}, {4, 5, 6}}), Tensor::matrix({{7, 8, 9}, {10, 11, 12}})});
  CHECK(both.shape() == Shape{2, 2, 3});
  CHECK(both.values() == std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
}

TEST_CASE("a page says where a head lies in concat, and how many heads and columns it shows", "[heads][words]") {
  Options options = options_with("the cat");
  CHECK(where_a_head_lies(all_heads(options)) ==
        "Head 2 has columns 4 to 7 of concat. noun#2 is the second column called noun.");
  options.head = 1;
  CHECK(where_a_head_lies(all_heads(options)) == "Head 1 has columns 0 to 3 of concat.");
  options.head = 4;
  CHECK(where_a_head_lies(all_heads(options)) ==
        "Head 4 has columns 12 to 15 of concat. noun#4 is the fourth column called noun.");
  CHECK(what_of_heads_is_shown(all_heads(options), 4) == "");
  CHECK(what_of_heads_is_shown(all_heads(options), 2) == " Shown are the first 2 of 4 heads.");
  options = options_with("the cat", Options::Weights::torch);
  options.d_model = 40;
  options.num_heads = 5;
  CHECK(what_of_heads_is_shown(all_heads(options), 4) ==
        " Shown are the first 4 of 5 heads and the first 4 of 8 columns of each.");
}

TEST_CASE("merged, dye stays with its word; reshaped alone, it spreads to earlier ones", "[heads][words]") {
  const Tensor dye = dyed_last_word(2, 3, 2);
  CHECK(dye.values() == std::vector<float>{0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1});
  const auto rows = [&](const Tensor& merged) { return sum(merged, -1); };
  CHECK(who_takes_colour(rows(merge_heads(dye)), rows(reshape(dye, {3, 4}))) ==
        "Merged, all 4 stay with their word. Wrong, 1 of the 2 rows before it take colour. A causal mask would be in "
        "vain: these words would know of the last one.");
  const Tensor one_head = rows(merge_heads(dyed_last_word(1, 3, 2)));
  CHECK(who_takes_colour(one_head, one_head) ==
        "Merged, all 2 stay with their word. Wrong as well, for there is only one head.");
}

TEST_CASE("an average of heads does not tell them apart, and concat does", "[heads][words]") {
  CHECK_THAT(what_an_average_forgets(all_heads(options_with("the cat sat on the mat."))),
             ContainsSubstring("largest difference of the average 0, of concat 0.73."));
  CHECK_THAT(what_an_average_forgets(all_heads(options_with("cat"))),
             ContainsSubstring("of concat 0. (Here they found the same.)"));
}

TEST_CASE("names of a head's columns are its share of all names", "[heads][words]") {
  const World crafted = all_heads(options_with("cat")).followed.world;
  CHECK(names_of_head(crafted, crafted.value_names, 2) == std::vector<std::string>{"noun", "animal", "thing", "verb"});
  CHECK(names_of_head(crafted, {}, 2).empty());
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
