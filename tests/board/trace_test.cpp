#include "board/trace.hpp"
#include "board/address.hpp"

#include "catch.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace attn {

namespace {

using Labels = std::vector<std::string>;

/// Three words with two channels, two words with two channels, and a table of 5 rows.
Trace some_steps() {
  Trace trace;
  trace.add("ids", Tensor::vector({4, 0, 4}), tokenize({"the", "cat", "the"}));
  trace.add("table", Tensor({5, 2}), given().with_columns({"noun", "verb"}));
  trace.add("X", Tensor({3, 2}), gather("table", "ids"));
  trace.add("Y", Tensor({2, 2}), given().with_rows({"a", "b"}).with_columns({"noun", "verb"}));
  return trace;
}

}  // namespace

TEST_CASE("labels come from the inputs that give an axis", "[trace]") {
  Trace trace = some_steps();
  CHECK(trace.step("ids").rows == Labels{"the", "cat", "the"});
  CHECK(trace.step("ids").columns.empty());
  CHECK(trace.step("X").rows == Labels{"the", "cat", "the"});
  CHECK(trace.step("X").columns == Labels{"noun", "verb"});

  trace.add("scores", Tensor({3, 2}), matmul_transposed("X", "Y"));
  CHECK(trace.step("scores").rows == Labels{"the", "cat", "the"});
  CHECK(trace.step("scores").columns == Labels{"a", "b"});

  trace.add("weights", Tensor({3, 2}), softmax("scores", -1));
  trace.add("context", Tensor({3, 2}), matmul("weights", "Y"));
  CHECK(trace.step("context").rows == Labels{"the", "cat", "the"});
  CHECK(trace.step("context").columns == Labels{"noun", "verb"});

  trace.add("W", Tensor({2, 2}), given().with_rows({"q1", "q2"}));
  trace.add("Q", Tensor({3, 2}), linear("X", "W"));
  CHECK(trace.step("Q").columns == Labels{"q1", "q2"});
}

TEST_CASE("the labels that an origin gives beat those it would inherit", "[trace]") {
  Trace trace = some_steps();
  trace.add("doubled", Tensor({3, 2}), scale("X", 2.0F).with_rows({"x", "y", "z"}));
  CHECK(trace.step("doubled").rows == Labels{"x", "y", "z"});
  CHECK(trace.step("doubled").columns == Labels{"noun", "verb"});
}

TEST_CASE("where nothing gives labels, places are numbered", "[trace]") {
  Trace trace;
  trace.add("matrix", Tensor({2, 3}), given());
  CHECK(trace.step("matrix").rows == Labels{"0", "1"});
  CHECK(trace.step("matrix").columns == Labels{"0", "1", "2"});
  trace.add("list", Tensor({3}), given());
  CHECK(trace.step("list").rows == Labels{"0", "1", "2"});
  CHECK(trace.step("list").columns.empty());
  trace.add("number", Tensor(), given());
  CHECK(trace.step("number").rows.empty());
  trace.add("no rows", Tensor({0, 2}), given());
  CHECK(trace.step("no rows").rows.empty());
  CHECK(trace.step("no rows").columns == Labels{"0", "1"});
  trace.add("no columns", Tensor({2, 0}), given());
  CHECK(trace.step("no columns").columns.empty());
  trace.add("batch", Tensor({4, 2, 3}), given());
  CHECK(trace.step("batch").rows == Labels{"0", "1"});
  CHECK(trace.step("batch").columns == Labels{"0", "1", "2"});
}

TEST_CASE("a slice and a join carry the labels of what they took", "[trace]") {
  Trace trace = some_steps();
  trace.add("left", Tensor({3, 1}), slice("X", -1, 0, 1));
  CHECK(trace.step("left").rows == Labels{"the", "cat", "the"});
  CHECK(trace.step("left").columns == Labels{"noun"});
  trace.add("last rows", Tensor({2, 2}), slice("X", 0, 1, 3));
  CHECK(trace.step("last rows").rows == Labels{"cat", "the"});
  CHECK(trace.step("last rows").columns == Labels{"noun", "verb"});
  trace.add("nothing", Tensor({3, 0}), slice("X", 1, 2, 2));
  CHECK(trace.step("nothing").columns.empty());
  trace.add("last ids", Tensor({1}), slice("ids", 0, 2, 3));
  CHECK(trace.step("last ids").rows == Labels{"the"});

  trace.add("side by side", Tensor({3, 3}), concat({"X", "left"}, -1));
  CHECK(trace.step("side by side").columns == Labels{"noun", "verb", "noun"});
  CHECK(trace.step("side by side").rows == Labels{"the", "cat", "the"});
  trace.add("one below the other", Tensor({5, 2}), concat({"X", "Y"}, 0));
  CHECK(trace.step("one below the other").rows == Labels{"the", "cat", "the", "a", "b"});
  trace.add("all ids", Tensor({4}), concat({"ids", "last ids"}, 0));
  CHECK(trace.step("all ids").rows == Labels{"the", "cat", "the", "the"});
}

TEST_CASE("a slice in a batch leaves the labels of the matrices alone", "[trace]") {
  Trace trace;
  trace.add("batch", Tensor({4, 2, 2}), given().with_rows({"a", "b"}));
  trace.add("part", Tensor({1, 2, 2}), slice("batch", 0, 3, 4));
  CHECK(trace.step("part").rows == Labels{"a", "b"});
}

TEST_CASE("a slice that reaches beyond its input is refused", "[trace]") {
  Trace trace = some_steps();
  CHECK_THROWS_WITH(trace.add("part", Tensor({3, 3}), slice("X", 1, 0, 3)),
                    ContainsSubstring("part") && ContainsSubstring("from 0 to 3 of X, which has 2"));
  CHECK_THROWS_AS(trace.add("part", Tensor({3, 0}), slice("X", 1, 2, 1)), std::invalid_argument);
}

TEST_CASE("of two numbers of which one is broadcast, the whole one gives the labels", "[trace]") {
  Trace trace = some_steps();
  trace.add("bias", Tensor({2}), given().with_rows({"b1", "b2"}));
  trace.add("before", Tensor({3, 2}), add("bias", "X"));
  CHECK(trace.step("before").rows == Labels{"the", "cat", "the"});
  CHECK(trace.step("before").columns == Labels{"noun", "verb"});
  trace.add("square bias", Tensor({2}), given().with_rows({"b1", "b2"}));
  trace.add("square", Tensor({2, 2}), multiply("square bias", "Y"));
  CHECK(trace.step("square").rows == Labels{"a", "b"});
}

TEST_CASE("where each of two repeats along an axis of the other's, each axis keeps the labels of the whole one",
          "[trace]") {
  Trace trace;
  trace.add("query", Tensor({3, 1, 2}), given().with_columns({"noun", "verb"}));
  trace.add("key", Tensor({1, 4, 2}), given().with_rows({"le", "chat", "dort", "."}));
  trace.add("sums", Tensor({3, 4, 2}), add("query", "key"));
  CHECK(trace.step("sums").rows == Labels{"le", "chat", "dort", "."});
  CHECK(trace.step("sums").columns == Labels{"noun", "verb"});
  trace.add("slopes", Tensor({5, 1, 1}), given());
  trace.add("distances", Tensor({2, 3}), given().with_rows({"a", "b"}).with_columns({"x", "y", "z"}));
  trace.add("bias", Tensor({5, 2, 3}), multiply("slopes", "distances"));
  CHECK(trace.step("bias").rows == Labels{"a", "b"});
  CHECK(trace.step("bias").columns == Labels{"x", "y", "z"});
}

TEST_CASE("of an axis that is folded the labels go, and the others move up", "[trace]") {
  Trace trace;
  trace.add("batch", Tensor({4, 2, 3}), given().with_rows({"a", "b"}).with_columns({"x", "y", "z"}));
  trace.add("of channels", Tensor({4, 2}), mean("batch", -1));
  CHECK(trace.step("of channels").rows == Labels{"0", "1", "2", "3"});
  CHECK(trace.step("of channels").columns == Labels{"a", "b"});
  trace.add("of tokens", Tensor({4, 3}), sum("batch", 1));
  CHECK(trace.step("of tokens").rows == Labels{"0", "1", "2", "3"});
  CHECK(trace.step("of tokens").columns == Labels{"x", "y", "z"});
  trace.add("of sentences", Tensor({2, 3}), max("batch", 0));
  CHECK(trace.step("of sentences").rows == Labels{"a", "b"});
  CHECK(trace.step("of sentences").columns == Labels{"x", "y", "z"});
  trace.add("matrix", Tensor({2, 3}), given().with_rows({"a", "b"}).with_columns({"x", "y", "z"}));
  trace.add("means", Tensor({3}), mean("matrix", 0));
  CHECK(trace.step("means").rows == Labels{"x", "y", "z"});
}

TEST_CASE("norms, turns and dropout keep their input's labels; repeated heads keep those of their rows", "[trace]") {
  Trace trace = some_steps();
  trace.add("scale", Tensor({2}), given());
  trace.add("places", Tensor({3}), given());
  trace.add("normed", Tensor({3, 2}), layer_norm("X", "scale", 1e-5));
  trace.add("turned", Tensor({3, 2}), rotate("X", "places"));
  trace.add("dropped", Tensor({3, 2}), dropout("X", "scale", 0.5));
  for (const char* name : {"normed", "turned", "dropped"}) {
    CHECK(trace.step(name).rows == Labels{"the", "cat", "the"});
    CHECK(trace.step(name).columns == Labels{"noun", "verb"});
  }
  trace.add("heads", Tensor({2, 3, 1}), given().with_rows({"a", "b", "c"}));
  trace.add("repeated", Tensor({4, 3, 1}), repeat_heads("heads", 2));
  CHECK(trace.step("repeated").rows == Labels{"a", "b", "c"});
}

TEST_CASE("a name is used once", "[trace]") {
  Trace trace = some_steps();
  CHECK_THROWS_AS(trace.add("X", Tensor({1}), given()), std::invalid_argument);
  CHECK_THROWS_WITH(trace.add("X", Tensor({1}), given()), ContainsSubstring("the name X is taken"));
}

TEST_CASE("an input is an earlier step, never a later one or the step itself", "[trace]") {
  Trace trace = some_steps();
  CHECK_THROWS_WITH(trace.add("new", Tensor({3, 2}), add("X", "later")), ContainsSubstring("no step later yet"));
  CHECK_THROWS_WITH(trace.add("new", Tensor({3, 2}), add("new", "X")), ContainsSubstring("no step new yet"));
  CHECK_FALSE(trace.has("new"));
  CHECK(trace.steps().size() == 4);
}

TEST_CASE("labels that do not fit are refused with shape and count", "[trace]") {
  Trace trace;
  CHECK_THROWS_WITH(trace.add("m", Tensor({2, 3}), given().with_rows({"a"})),
                    ContainsSubstring("m is [2, 3]") && ContainsSubstring("1 row labels"));
  CHECK_THROWS_WITH(trace.add("m", Tensor({2, 3}), given().with_columns({"a", "b"})),
                    ContainsSubstring("2 column labels"));
  CHECK_THROWS_AS(trace.add("v", Tensor({2}), given().with_columns({"a", "b"})), std::invalid_argument);
  CHECK_THROWS_AS(trace.add("n", Tensor(), given().with_rows({"a"})), std::invalid_argument);
}

TEST_CASE("an address names each place by its label", "[trace]") {
  Trace trace = some_steps();
  CHECK(address(trace.step("X"), {1, 0}) == "X[cat, noun]");
  CHECK(address(trace.step("ids"), {1}) == "ids[cat]");
  trace.add("number", Tensor(), given());
  CHECK(address(trace.step("number"), {}) == "number");
  trace.add("batch", Tensor({4, 2, 3}), given().with_rows({"a", "b"}));
  CHECK(address(trace.step("batch"), {3, 1, 2}) == "batch[3, b, 2]");
}

TEST_CASE("every place of an axis has an address of its own", "[trace]") {
  const Labels labels = GENERATE(Labels{"the", "cat", "the", "the"}, Labels{"0", "1", "2"}, Labels{"1", "1", "2"},
                                 Labels{"2", "0", "0"}, Labels{"a,b", "[x]", "#2", "the cat", "\"", "\\\"", "\"\""},
                                 Labels{"", "", "a"}, Labels{"猫", "👩‍👧", "猫"});
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) CHECK(place(labels, i) != place(labels, k));
  }
}

TEST_CASE("labels that an address could misread are counted, numbered or quoted", "[trace]") {
  CHECK(place({"the", "cat", "the"}, 2) == "the#2");
  CHECK(place({"7", "8"}, 0) == "#0");  // a number that is not its place
  CHECK(place({"0", "1"}, 1) == "1");   // one that is
  CHECK(place({"1", "1"}, 1) == "#1");  // and one that stands elsewhere, too
  CHECK(place({"a,b"}, 0) == "\"a,b\"");
  CHECK(place({"#2", "#2"}, 1) == "\"#2\"#2");
  CHECK(place({"\""}, 0) == "\"\\\"\"");
  CHECK(place({""}, 0) == "#0");
  CHECK(place({"-1"}, 0) == "-1");
}

}  // namespace attn
