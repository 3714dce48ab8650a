#include "board/address.hpp"

#include "catch.hpp"

#include <string>
#include <vector>

namespace attn {

namespace {

/// scores over words with all that makes addresses hard: repeats, case, numbers, brackets, quotes.
Trace hard_labels() {
  const std::vector<std::string> words = {"the", "Cat", "the", "7", "a,b", "say \"hi\"", "cat"};
  Trace trace;
  trace.add("scores", Tensor({7, 7}), given().with_rows(words).with_columns(words));
  trace.add("head2.weights", Tensor({7, 7}), given().with_rows(words).with_columns(words));
  trace.add("b_O", Tensor({3}), given().with_rows({"x", "y", "3"}));
  trace.add("one", Tensor(), given());
  trace.add("batch", Tensor({2, 3, 4}), given());
  trace.add("empty", Tensor({0, 4}), given());
  return trace;
}

Index index_of(const std::string& text) {
  const Trace trace = hard_labels();
  return find_cell(trace, "head2.", text).index;
}

std::string refusal(const std::string& text) {
  const Trace trace = hard_labels();
  try {
    static_cast<void>(find_cell(trace, "head2.", text));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("an address names a number by labels, by places, or by both", "[address]") {
  CHECK(index_of("scores[Cat,the]") == Index{1, 0});
  CHECK(index_of("scores[ Cat , 2 ]") == Index{1, 2});
  CHECK(index_of("scores[1,#2]") == Index{1, 2});
  CHECK(index_of("b_O[y]") == Index{1});
  CHECK(index_of("one") == Index{});
  CHECK(index_of("batch[1,2,3]") == Index{1, 2, 3});
}

TEST_CASE("exact spelling comes first, then any case", "[address]") {
  CHECK(index_of("scores[cat,Cat]") == Index{6, 1});
  CHECK(index_of("scores[CAT,THE]") == Index{1, 0});
  CHECK(index_of("SCORES[0,0]") == Index{0, 0});
}

TEST_CASE("the#2 is the second match", "[address]") {
  CHECK(index_of("scores[the#1,the#2]") == Index{0, 2});
  CHECK(refusal("scores[the#3,the]") == "scores has 2 \"the\", counted from 1: there is no the#3");
  CHECK(refusal("scores[the#0,the]") == "scores has 2 \"the\", counted from 1: there is no the#0");
}

TEST_CASE("a label that is a number wins over the place; # asks for the place", "[address]") {
  CHECK(index_of("scores[7,0]") == Index{3, 0});
  CHECK(index_of("scores[#3,6]") == Index{3, 6});
  CHECK(index_of("b_O[3]") == Index{2});
}

TEST_CASE("labels with signs of an address stand in quotes", "[address]") {
  CHECK(index_of("scores[\"a,b\",0]") == Index{4, 0});
  CHECK(index_of("scores[\"say \\\"hi\\\"\",\"the\"#2]") == Index{5, 2});
}

TEST_CASE("the step of the head that the page follows needs no prefix", "[address]") {
  const Trace trace = hard_labels();
  CHECK(find_cell(trace, "head2.", "weights[0,1]").step->name == "head2.weights");
  CHECK(find_cell(trace, "head2.", "head2.weights[0,1]").step->name == "head2.weights");
}

TEST_CASE("what an address writes, an address finds", "[address][law]") {
  const Trace trace = hard_labels();
  for (const Step& step : trace.steps()) {
    if (step.value.rank() != 2 || step.value.size() == 0) continue;
    for (std::size_t i = 0; i < step.value.dim(0); ++i) {
      for (std::size_t j = 0; j < step.value.dim(1); ++j) {
        const std::string text = address(step, {i, j});
        CAPTURE(text);
        const Cell cell = find_cell(trace, "", text);
        CHECK(cell.step == &step);
        CHECK(cell.index == Index{i, j});
      }
    }
  }
}

TEST_CASE("a wrong address is refused with what was probably meant", "[address][errors]") {
  CHECK(refusal("scroes[Cat,the]") == "there is no step \"scroes\" on this page: did you mean scores?");
  CHECK(refusal("wieghts[Cat,the]") == "there is no step \"wieghts\" on this page: did you mean weights?");
  CHECK(refusal("scores[cta,the]") == "scores has no label \"cta\": did you mean Cat?");
  CHECK(refusal("scores[dog,the]") ==
        "scores has no label \"dog\"; it has: the, Cat, the#2, #3, \"a,b\", \"say \\\"hi\\\"\", cat");
  CHECK(refusal("scores[Cat]") == "scores is [7, 7], so its numbers have 2 places: scores[the, the]");
  CHECK(refusal("scores") == "scores is [7, 7], so its numbers have 2 places: scores[the, the]");
  CHECK(refusal("one[0]") == "one is [], so its numbers have 0 places: one");
  CHECK(refusal("scores[0,99]") == "there is no place 99 in scores, which is [7, 7]: places are counted from 0");
  CHECK_THAT(refusal("empty[0,0]"), ContainsSubstring("it has no numbers"));
}

TEST_CASE("numbers as labels are told from first to last, and of many labels the first", "[address][errors]") {
  Trace trace;
  std::vector<std::string> words;
  for (std::size_t i = 0; i < 20; ++i) words.push_back(std::string(1 + i, 'w'));
  trace.add("x", Tensor({20, 16}), given().with_rows(words));
  CHECK_THROWS_WITH(find_cell(trace, "", "x[w,verb]"), "x has no label \"verb\"; it has: 0 to 15");
  CHECK_THROWS_WITH(find_cell(trace, "", "x[dog,0]"),
                    ContainsSubstring("; it has: w, ww, www, ") && ContainsSubstring("wwwwwwwwwwww and 8 more"));
}

TEST_CASE("a refused address is shown so that no terminal obeys it, and cut where it is long", "[address][errors]") {
  CHECK(refusal("sc\x1b[31m") == "\"sc␛[31m\" is no address: it must end with ], as in scores[sat,cat]");
  CHECK(refusal("scores[\x1b,the]") ==
        "scores has no label \"␛\"; it has: the, Cat, the#2, #3, \"a,b\", \"say \\\"hi\\\"\", cat");
  CHECK(refusal("scores[\u202Ecat,the]") ==
        "scores has no label \"\\u{202e}cat\"; it has: the, Cat, the#2, #3, \"a,b\", \"say \\\"hi\\\"\", cat");
  CHECK(refusal("scores[" + std::string(3000, 'x') + ",the]").size() < 100);
}

TEST_CASE("a label is found as the page shows it, escapes and all", "[address]") {
  Trace trace;
  trace.add("x", Tensor({2}), given().with_rows({"cat", "cat\u3164"}));
  CHECK(find_cell(trace, "", "x[cat\\u{3164}]").index == Index{1});
  CHECK(find_cell(trace, "", "x[cat\u3164]").index == Index{1});
  CHECK(find_cell(trace, "", "x[cat]").index == Index{0});
}

TEST_CASE("what is no address is refused in one line", "[address][errors]") {
  for (const char* text : {"", "[0,0]", "scores[", "scores[0", "scores[0,", "scores[0,0", "scores[0,0]x", "scores[,]",
                           "scores[\"a,b,0]", "scores[\"a\"b,0]", "scores[#,0]", "scores[#x,0]", "scores[the#,0]",
                           "scores[0,0]]", "scores[99999999999999999999999,0]", "scores[-1,0]"}) {
    CAPTURE(text);
    const std::string message = refusal(text);
    CHECK_FALSE(message.empty());
    CHECK(message.find('\n') == std::string::npos);
  }
  CHECK_THAT(refusal("scores[\xff,0]"), ContainsSubstring("0xFF"));
}

}  // namespace attn
