#include "golden/case_file.hpp"

#include "catch.hpp"
#include "check_close.hpp"

#include <limits>
#include <stdexcept>

namespace attn {

namespace {

constexpr Tolerance exact{};
constexpr float infinity = std::numeric_limits<float>::infinity();
const float nan = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("a case has names, attributes, a tolerance, inputs and outputs", "[case_file]") {
  const CaseFile c = parse_case(
      "# a comment with input and end in it\n"
      "case small\nop Softmax\nsource by-hand\nattr axis -2\nattr epsilon 1e-12\nattr note word\ntolerance 1e-06 0.5\n"
      "input x float32 2 2 3\n1 2 3\n4.5 -5 6e2\n"
      "input mask bool 1 2 1 0 output y int64 0 7 output none float32 2 3 0\nend\n",
      "here");
  CHECK(c.name == "small");
  CHECK(c.op == "Softmax");
  CHECK(c.source == "by-hand");
  CHECK(c.integer("axis", 0) == -2);
  CHECK(c.integer("absent", 9) == 9);
  CHECK(c.number("epsilon", 0.0) == 1e-12);
  CHECK(c.number("absent", 0.5) == 0.5);
  CHECK(c.tolerance.atol == 1e-6);
  CHECK(c.tolerance.rtol == 0.5);
  CHECK(!c.has_float64);
  check_close(c.input("x"), Tensor::matrix({{1, 2, 3}, {4.5F, -5, 600}}), exact);
  check_close(c.input("mask"), Tensor::vector({1, 0}), exact);
  check_close(c.output("y"), Tensor(Shape{}, 7.0F), exact);
  CHECK(c.output("none").shape() == Shape{3, 0});
  CHECK(c.has_input("mask"));
  CHECK(!c.has_input("y"));
  CHECK(c.has_output("y"));
}

TEST_CASE("infinities and NaN are read", "[case_file]") {
  const CaseFile c = parse_case("input x float32 1 3 inf -inf nan end", "here");
  check_close(c.input("x"), Tensor::vector({infinity, -infinity, nan}), exact);
}

TEST_CASE("a hashed input follows its formula", "[case_file]") {
  const CaseFile c = parse_case("hashed x float32 2 2 2 1 1 end", "here");
  check_close(c.input("x"), Tensor::matrix({{0.13312304F, 0.49156344F}, {0.9420054F, -0.11128163F}}), exact);
}

TEST_CASE("a case in float64 is held to 1e-5, because a tensor is float", "[case_file]") {
  const CaseFile c = parse_case("tolerance 1e-12 1e-10 output y float64 1 1 0.1 end", "here");
  CHECK(c.has_float64);
  CHECK(c.tolerance.atol == 1e-5);
  CHECK(c.tolerance.rtol == 1e-5);
  CHECK(c.output("y")(0) == 0.1F);
  CHECK(parse_case("tolerance 0.5 0.25 output y float64 0 1 end", "here").tolerance.atol == 0.5);
}

TEST_CASE("what is not there is refused with what is", "[case_file]") {
  const CaseFile c = parse_case("case small attr axis one input Q float32 0 1 input K float32 0 2 end", "here");
  CHECK_THROWS_WITH(c.input("V"), "case small: there is no input V; it has: K Q");
  CHECK_THROWS_AS(c.output("y"), std::invalid_argument);
  CHECK_THROWS_WITH(c.integer("axis", 0), "case small: attribute axis is 'one' and no whole number");
  CHECK_THROWS_WITH(c.number("axis", 0), "case small: attribute axis is 'one' and no number");
}

TEST_CASE("text that does not follow the format is refused with place and word", "[case_file]") {
  CHECK_THROWS_WITH(parse_case("case a", "a.case"),
                    "a.case: expected a keyword or end and found 'the end of the file'");
  CHECK_THROWS_WITH(parse_case("inputs x", "a.case"), "a.case: expected a keyword or end and found 'inputs'");
  CHECK_THROWS_WITH(parse_case("end more", "a.case"), "a.case: expected nothing after end and found 'more'");
  CHECK_THROWS_WITH(parse_case("input x float32 1 2 1 2x end", "a.case"), ContainsSubstring("found '2x'"));
  CHECK_THROWS_WITH(parse_case("input x float32 1 3 1 2 end", "a.case"), ContainsSubstring("found 'end'"));
  CHECK_THROWS_WITH(parse_case("input x text 0 1 end", "a.case"), ContainsSubstring("found 'text'"));
  CHECK_THROWS_WITH(parse_case("input x bool 0 2 end", "a.case"), ContainsSubstring("expected 0 or 1"));
  CHECK_THROWS_WITH(parse_case("input x int64 0 16777217 end", "a.case"), ContainsSubstring("a float holds exactly"));
  CHECK_THROWS_WITH(parse_case("input x float32 1 -2 1 2 end", "a.case"), ContainsSubstring("expected a size"));
  CHECK_THROWS_WITH(parse_case("input x float32 0 1 input x float32 0 1 end", "a.case"),
                    ContainsSubstring("expected each name once"));
  CHECK_THROWS_WITH(parse_case("tolerance 0,5 0 end", "a.case"), ContainsSubstring("found '0,5'"));
  CHECK_THROWS_AS(read_case(golden_path("no/such.case")), std::runtime_error);
}

}  // namespace attn
