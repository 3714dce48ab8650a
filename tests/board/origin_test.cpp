#include "board/origin.hpp"

#include "catch.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace attn {

TEST_CASE("an op is written as a textbook writes it, with its inputs' names", "[origin]") {
  CHECK(formula_of(gather("embedding_table", "tokens")) == "embedding_table[tokens]");
  CHECK(formula_of(add("a", "b")) == "a + b");
  CHECK(formula_of(subtract("a", "b")) == "a - b");
  CHECK(formula_of(multiply("a", "b")) == "a * b");
  CHECK(formula_of(matmul("weights", "V")) == "weights V");
  CHECK(formula_of(matmul_transposed("Q", "K")) == "Q K^T");
  CHECK(formula_of(linear("X", "W_Q")) == "X W_Q^T");
  CHECK(formula_of(linear("concat", "W_O", "b_O")) == "concat W_O^T + b_O");
  CHECK(formula_of(scale("scores", 0.5F)) == "scores * 0.5");
  CHECK(formula_of(mask_fill("scaled", "mask")) == "scaled where mask is 1, else -inf");
  CHECK(formula_of(softmax("masked", -1)) == "softmax(masked)");
  CHECK(formula_of(slice("Q", 1, 0, 4)) == "slice(Q)");
  CHECK(formula_of(concat({"a", "b", "c"}, 1)) == "concat(a, b, c)");
  CHECK(formula_of(sinusoid(7, 16)) == "sin, cos(pos / 10000^(2i / d_model))");
}

TEST_CASE("what comes from nowhere has no formula", "[origin]") {
  CHECK(formula_of(given()).empty());
  CHECK(formula_of(tokenize({"the", "cat"})).empty());
}

TEST_CASE("an origin keeps what its op needs beside its inputs", "[origin]") {
  const Origin part = slice("Q", -1, 4, 8);
  CHECK(part.attribute("axis") == -1.0);
  CHECK(part.attribute("start") == 4.0);
  CHECK(part.attribute("stop") == 8.0);
  CHECK(sinusoid(7, 16).attribute("positions") == 7.0);
  CHECK(sinusoid(7, 16).attribute_or("base", 10000.0) == 10000.0);
  CHECK(sinusoid(7, 16, 500.0).attribute_or("base", 10000.0) == 500.0);
  CHECK(formula_of(sinusoid(7, 16, 500.0)) == "sin, cos(pos / 500^(2i / d_model))");
  CHECK(scale("a", 0.1F).attribute("factor") == static_cast<double>(0.1F));
}

TEST_CASE("an attribute that is missing is asked for by op and name", "[origin]") {
  CHECK_THROWS_AS(add("a", "b").attribute("axis"), std::invalid_argument);
  CHECK_THROWS_WITH(add("a", "b").attribute("axis"), ContainsSubstring("add") && ContainsSubstring("attribute axis"));
}

TEST_CASE("labels are added to a copy; the origin they were added to stays as it was", "[origin]") {
  const Origin plain = given();
  const Origin labelled = plain.with_rows({"a", "b"}).with_columns({"c"});
  CHECK(labelled.rows == std::vector<std::string>{"a", "b"});
  CHECK(labelled.columns == std::vector<std::string>{"c"});
  CHECK(plain.rows.empty());
  CHECK(plain.columns.empty());
}

}  // namespace attn
