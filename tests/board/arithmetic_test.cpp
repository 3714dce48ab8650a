#include "board/arithmetic.hpp"

#include "catch.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/random.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"
#include "tensor/softmax.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace attn {

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

double sum_of(const Working& working) {
  double sum = 0.0;
  for (const Term& term : working.terms) sum += term.value();
  return sum;
}

Index place_of(const Shape& shape, std::size_t k) {
  Index index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = k % shape[axis];
    k /= shape[axis];
  }
  return index;
}

/// Every number of a step is the sum, or the copy, of what is said to make it up.
void check_sums(const Trace& trace, const std::string& name) {
  CAPTURE(name);
  const Step& step = trace.step(name);
  for (std::size_t k = 0; k < step.value.size(); ++k) {
    const Working working = work_out(trace, step, place_of(step.value.shape(), k));
    CAPTURE(k);
    CHECK_THAT(sum_of(working), WithinAbs(working.value, 1e-5));
  }
}

}  // namespace

TEST_CASE("the operands of each op make up its numbers, also in batches and where one is broadcast", "[arithmetic]") {
  Random random(3);
  Trace trace;
  const Tensor a = random.normal({2, 3, 5});
  const Tensor b = random.normal({2, 5, 4});
  const Tensor c = random.normal({7, 5});
  const Tensor bias = random.normal({7});
  const Tensor row = random.normal({1, 5});
  trace.add("a", a, given());
  trace.add("b", b, given());
  trace.add("c", c, given());
  trace.add("bias", bias, given());
  trace.add("row", row, given());
  trace.add("ids", Tensor::vector({6, 0, 6}), tokenize({"x", "y", "z"}));

  trace.add("matmul", matmul(a, b), matmul("a", "b"));
  trace.add("matmul_transposed", matmul_transposed(a, c), matmul_transposed("a", "c"));
  trace.add("linear", linear(a, c), linear("a", "c"));
  trace.add("linear with bias", linear(a, c, bias), linear("a", "c", "bias"));
  trace.add("list", Tensor({5}, 2.0F), given());
  trace.add("list through linear", linear(Tensor({5}, 2.0F), c, bias), linear("list", "c", "bias"));
  trace.add("add", add(a, row), add("a", "row"));
  trace.add("subtract", subtract(a, row), subtract("a", "row"));
  trace.add("multiply", multiply(a, row), multiply("a", "row"));
  trace.add("scale", scale(a, 0.3F), scale("a", 0.3F));
  const Tensor rows_6_0_6 = concat({slice(c, 0, 6, 7), slice(c, 0, 0, 1), slice(c, 0, 6, 7)}, 0);
  trace.add("gather", rows_6_0_6, gather("c", "ids"));
  trace.add("slice", slice(a, -1, 1, 4), slice("a", -1, 1, 4));
  trace.add("slice of rows", slice(a, 1, 2, 3), slice("a", 1, 2, 3));
  trace.add("concat", concat({a, a}, -1), concat(std::vector<std::string>{"a", "a"}, -1));
  trace.add("concat of the batch", concat({a, a}, 0), concat(std::vector<std::string>{"a", "a"}, 0));
  for (const char* name :
       {"matmul", "matmul_transposed", "linear", "linear with bias", "list through linear", "add", "subtract",
        "multiply", "scale", "gather", "slice", "slice of rows", "concat", "concat of the batch"}) {
    check_sums(trace, name);
  }
}

TEST_CASE("a dot product names what it runs over, and whose numbers meet", "[arithmetic]") {
  Trace trace;
  trace.add("Q", Tensor::matrix({{1, 2}, {3, 4}, {5, 6}}), given().with_columns({"noun", "verb"}));
  trace.add("K", Tensor::matrix({{1, 1}, {0, 2}}), given());
  trace.add("scores", matmul_transposed(trace.step("Q").value, trace.step("K").value), matmul_transposed("Q", "K"));
  const Working working = work_out(trace, trace.step("scores"), {2, 1});
  REQUIRE(working.terms.size() == 2);
  CHECK(working.form == Working::Form::sum);
  CHECK(working.terms[1].label == "verb");
  CHECK(working.terms[1].factors[0].index == Index{2, 1});
  CHECK(working.terms[1].factors[1].index == Index{1, 1});
  CHECK(working.terms[1].value() == 12.0);
  CHECK(working.value == 12.0);
}

TEST_CASE("a softmax knows the row it is a share of, over any axis", "[arithmetic]") {
  Trace trace;
  const Tensor scores = Tensor::matrix({{1, 2, -inf}, {0, 1, 2}});
  trace.add("scores", scores, given().with_rows({"a", "b"}).with_columns({"x", "y", "z"}));
  trace.add("rows", softmax(scores, -1), softmax("scores", -1));
  const Working along_row = work_out(trace, trace.step("rows"), {0, 2});
  CHECK(along_row.form == Working::Form::softmax);
  CHECK(along_row.terms.size() == 3);
  CHECK(along_row.chosen == 2);
  CHECK(along_row.terms[1].label == "y");
  CHECK(along_row.terms[2].value() == -static_cast<double>(inf));
  trace.add("columns", softmax(scores, 0), softmax("scores", 0));
  const Working along_column = work_out(trace, trace.step("columns"), {1, 1});
  CHECK(along_column.terms.size() == 2);
  CHECK(along_column.chosen == 1);
  CHECK(along_column.terms[0].label == "a");
}

TEST_CASE("a mask hides with the 0 that hides, and otherwise lets the number through", "[arithmetic]") {
  Trace trace;
  trace.add("scaled", Tensor::matrix({{1, 2}, {3, 4}}), given());
  trace.add("mask", Tensor::matrix({{1, 0}}), given());  // one row for all
  trace.add("masked", Tensor::matrix({{1, -inf}, {3, -inf}}), mask_fill("scaled", "mask"));
  const Working hidden = work_out(trace, trace.step("masked"), {1, 1});
  CHECK(hidden.form == Working::Form::hidden);
  CHECK(hidden.terms[0].factors[0].step->name == "mask");
  CHECK(hidden.terms[0].factors[0].index == Index{0, 1});
  const Working kept = work_out(trace, trace.step("masked"), {1, 0});
  CHECK(kept.form == Working::Form::copy);
  CHECK(kept.terms[0].value() == 3.0);
}

TEST_CASE("what has no past says so", "[arithmetic]") {
  Trace trace;
  trace.add("number", Tensor({}, 3.5F), given());
  const Working working = work_out(trace, trace.step("number"), {});
  CHECK(working.form == Working::Form::given);
  CHECK(working.value == 3.5);
  CHECK(working.terms.empty());
}

TEST_CASE("a sum over nothing has no terms", "[arithmetic]") {
  Trace trace;
  trace.add("a", Tensor({2, 0}), given());
  trace.add("b", Tensor({0, 3}), given());
  trace.add("product", Tensor({2, 3}), matmul("a", "b"));
  CHECK(work_out(trace, trace.step("product"), {1, 2}).terms.empty());
}

TEST_CASE("an index outside the step, and an op that nobody knows, are refused", "[arithmetic]") {
  Trace trace;
  trace.add("a", Tensor({2, 3}), given());
  CHECK_THROWS_AS(work_out(trace, trace.step("a"), {2, 0}), std::out_of_range);
  trace.add("odd", Tensor({2, 3}), Origin{.op = "guess", .inputs = {"a"}});
  CHECK_THROWS_WITH(work_out(trace, trace.step("odd"), {0, 0}), ContainsSubstring("op guess of step odd"));
}

TEST_CASE("a sum that no float can hold is inf, as the step has it", "[arithmetic]") {
  const float lowest = std::numeric_limits<float>::lowest();
  Trace trace;
  trace.add("a", Tensor::vector({lowest, lowest}), given());
  trace.add("twice", add(trace.step("a").value, trace.step("a").value), add("a", "a"));
  trace.add("sum", sum(trace.step("a").value, 0), sum("a", 0));
  for (const auto& [step, index] : {std::pair<const char*, Index>{"twice", {1}}, {"sum", {}}}) {
    const Working working = work_out(trace, trace.step(step), index);
    CHECK(working.value == -inf);
    CHECK_FALSE(is_something_else(working));
  }
}

TEST_CASE("exponentials are shifted only where they could not be written", "[arithmetic]") {
  const auto shift_of = [](const Tensor& row) {
    Trace trace;
    trace.add("row", row, given());
    trace.add("softmax", softmax(row, -1), softmax("row", -1));
    return softmax_shift(work_out(trace, trace.step("softmax"), {0}));
  };
  CHECK(shift_of(Tensor::vector({1, 8.5F, -30})) == 0.0);
  CHECK(shift_of(Tensor::vector({1, 9, 2})) == 9.0);
  CHECK(shift_of(Tensor::vector({-40, -50})) == -40.0);
  CHECK(shift_of(Tensor::vector({-3.5F, -inf})) == 0.0);
  CHECK(shift_of(Tensor::vector({-inf, -inf})) == 0.0);
  CHECK(shift_of(Tensor::vector({1e30F, 0})) == static_cast<double>(1e30F));
}

}  // namespace attn
