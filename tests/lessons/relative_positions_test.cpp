#include "catch.hpp"
#include "support/record/relative_records.hpp"
#include "support/words/relative_words.hpp"
#include "support/world/one_head.hpp"
#include "tensor/tensor.hpp"

#include <string>

using namespace attn;

namespace {

OneHead head_of(const std::string& text, Options::Weights weights = Options::Weights::crafted) {
  Options options;
  options.text = text;
  options.weights = weights;
  options.mask = Options::MaskKind::causal;
  options.positions = Options::Positions::none;
  return one_head(options);
}

const Value none = Value::difference(0.0);
const Value some = Value::difference(0.5);

}  // namespace

TEST_CASE("places and pairs are named for one and for many", "[relative]") {
  CHECK(pairs_in_words(2, 1) == "0 with 1");
  CHECK(pairs_in_words(4, 1) == "0 with 1 and 2 with 3");
  CHECK(pairs_in_words(4, 2) == "0 with 2 and 1 with 3");
  CHECK(pairs_in_words(8, 4) == "0 with 4, 1 with 5 and so on");
}

TEST_CASE("what layouts do is said only where the scores show it", "[relative]") {
  CHECK_THAT(what_layouts_do(4, some, none, some),
             ContainsSubstring("differ from neighbours by up to 0.50") && ContainsSubstring("this row moves by 0.50"));
  const std::string same = what_layouts_do(4, none, none, none);
  CHECK_THAT(same,
             ContainsSubstring("they give what neighbours give") && ContainsSubstring("nothing moves in this row"));
  CHECK_THAT(same, !ContainsSubstring("wrong in the other"));
  CHECK_THAT(what_layouts_do(2, none, none, none), ContainsSubstring("With a single pair both layouts are the same"));
}

TEST_CASE("added places are said to move scores by as much as they do", "[relative]") {
  const World crafted = head_of("cat").world;
  const World torch = head_of("cat", Options::Weights::torch).world;
  CHECK(why_added_places_show(crafted, none) == "In this text no score moves at all.");
  CHECK_THAT(why_added_places_show(crafted, some), ContainsSubstring("by 0.50, though this world's heads"));
  CHECK_THAT(why_added_places_show(crafted, Value::difference(1e-6)),
             ContainsSubstring("by 0.0000010 only: this world's"));
  CHECK_THAT(why_added_places_show(torch, some), ContainsSubstring("nothing makes them drop the place"));
  CHECK(how_far_it_moves(none, 8.0F) == "No score moves at all.");
  CHECK(how_far_it_moves(Value::difference(1.2e-7), 8.0F) ==
        "The score that moves most moves by 0.00000012: rounding.");
  CHECK(how_far_it_moves(some, 8.0F) == "The score that moves most moves by 0.50.");
}

TEST_CASE("slopes are written as fractions, the first of many", "[relative]") {
  CHECK(slopes_in_words(Tensor({2}, std::vector<float>{0.0625F, 0.00390625F})) == "1/16 and 1/256");
  CHECK(slopes_in_words(Tensor({2}, std::vector<float>{0.7F, 0.5F})) == "0.700 and 1/2");
  CHECK(slopes_in_words(Tensor({6}, 0.25F)) == "1/4, 1/4, 1/4 and 1/4 for the first 4 of 6 heads");
}

TEST_CASE("the slopes of six heads are told with what the formula alone would give", "[relative]") {
  CHECK_THAT(what_six_heads_take(), ContainsSubstring("1/4, 1/16, 1/64, 1/256, 1/2 and 1/8, not 0.397 to 0.004"));
}

TEST_CASE("values that turn make contexts depend on where the text stands", "[relative]") {
  const std::string said = what_turned_values_do(head_of("the cat sat on the mat."), 5);
  CHECK_THAT(said, ContainsSubstring("change by 0 with values as they are, by 1.3 if values turn"));
}

TEST_CASE("the row that differs most is found", "[relative]") {
  const Tensor a({3, 2}, std::vector<float>{1, 2, 3, 4, 5, 6});
  Tensor b = a;
  b(1, 1) = 9.0F;
  b(2, 0) = 4.0F;
  CHECK(row_that_differs_most(a, b) == 1);
  CHECK(row_of(a, 2).values() == std::vector<float>{5, 6});
}
