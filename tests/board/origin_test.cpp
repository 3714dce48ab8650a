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

TEST_CASE("the ops of layers have formulas and attributes", "[origin]") {
  CHECK(formula_of(log("a")) == "log(a)");
  CHECK(formula_of(mean("X", -1)) == "mean(X)");
  CHECK(formula_of(gelu("hidden")) == "gelu(hidden)");
  CHECK(formula_of(gelu_tanh("hidden")) == "gelu_tanh(hidden)");
  CHECK(formula_of(dropout("weights", "kept", 0.25)) == "weights * kept / 0.75");
  CHECK(formula_of(layer_norm("x", "scale", 1e-5)) == "layer_norm(x, scale)");
  CHECK(formula_of(layer_norm("x", "scale", "bias", 1e-5)) == "layer_norm(x, scale, bias)");
  CHECK(formula_of(layer_norm("x", 1e-5)) == "layer_norm(x)");
  CHECK(formula_of(rms_norm("x", 1e-5)) == "rms_norm(x)");
  CHECK(formula_of(rms_norm("x", "scale", 1e-5)) == "rms_norm(x, scale)");
  CHECK(formula_of(rotate("Q", "places")) == "rotate(Q, places)");
  CHECK(formula_of(repeat_heads("K", 2)) == "repeat_heads(K)");
  CHECK(formula_of(cache_misses("addresses", {.line = 4, .sets = 2, .places = 3})) == "cache_misses(addresses)");
  CHECK(cache_misses("addresses", {.line = 4, .sets = 2, .places = 3}).attribute("sets") == 2.0);

  CHECK(layer_norm("x", "scale", "bias", 1e-12, 1).attribute("epsilon") == 1e-12);
  CHECK(layer_norm("x", "scale", "bias", 1e-12, 1).attribute("axis") == 1.0);
  CHECK(rms_norm("x", "scale", 0.5).attribute("axis") == -1.0);
  const Origin all = rotate("Q", "places");
  CHECK(all.attribute("base") == 10000.0);
  CHECK(all.attribute("interleaved") == 1.0);
  CHECK(all.attribute_or("rotary_dim", -1.0) == -1.0);
  const Origin some = rotate("Q", "places", {.base = 500.0, .rotary_dim = 4, .interleaved = false});
  CHECK(some.attribute("base") == 500.0);
  CHECK(some.attribute("interleaved") == 0.0);
  CHECK(some.attribute("rotary_dim") == 4.0);
  CHECK(repeat_heads("K", 2).attribute("repeats") == 2.0);
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
