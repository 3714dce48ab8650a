#include "golden/golden_cases.hpp"

#include "catch.hpp"
#include "check_close.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

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

/// A case with these lines in it.
CaseFile with(const std::string& lines) {
  return parse_case("case small\nop Softmax\n" + lines + "\nend\n", "a.case");
}

std::string refusal(const std::string& text) {
  try {
    static_cast<void>(parse_case(text, "a.case"));
    return "nothing is refused";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

std::string refusal_of(const std::string& lines) {
  return refusal("case small\nop Softmax\n" + lines + "\nend\n");
}

TEST_CASE("infinities and NaN are read", "[case_file]") {
  check_close(with("input x float32 1 3 inf -inf nan").input("x"), Tensor::vector({infinity, -infinity, nan}), exact);
}

TEST_CASE("a hashed input follows its formula", "[case_file]") {
  const CaseFile c = with("hashed x float32 2 2 2 1 1");
  check_close(c.input("x"), Tensor::matrix({{0.13312304F, 0.49156344F}, {0.9420054F, -0.11128163F}}), exact);
  REQUIRE(c.declared[0].formula);
  CHECK(c.declared[0].formula->seed == 1);
}

TEST_CASE("a case in float64 is held to 1e-5, because a tensor is float", "[case_file]") {
  const CaseFile c = with("tolerance 1e-12 1e-10 output y float64 1 1 0.1");
  CHECK(c.has_float64);
  CHECK(c.tolerance.atol == 1e-5);
  CHECK(c.tolerance.rtol == 1e-5);
  CHECK(c.stated_tolerance.atol == 1e-12);
  CHECK(c.output("y")(0) == 0.1F);
  CHECK(with("tolerance 0.5 0.25 output y float64 0 1").tolerance.atol == 0.5);
}

TEST_CASE("without a tolerance a case is held to 1e-5", "[case_file]") {
  CHECK(with("input x float32 0 1").tolerance.atol == 1e-5);
  CHECK(with("input x float32 0 1").tolerance.rtol == 1e-5);
  CHECK(with("tolerance 0 0").tolerance.atol == 0.0);
}

TEST_CASE("every type is read, to the nearest number that it has", "[case_file]") {
  const CaseFile c = with(
      "input a float64 1 3 0.1 1e-300 -3e38 input b float16 1 4 0.1 65504 65519.9 6e-8 input c int64 1 2 16777216 "
      "-16777216 input d int32 0 -7 input e uint8 1 2 0 255 input f bool 1 2 0 1 output g float64 1 2 1e300 -1e39");
  check_close(c.input("a"), Tensor::vector({0.1F, 0.0F, -3e38F}), exact);
  // 0.1 in binary16 is 1638 / 16384; 65519.9 is nearer to 65504 than to the next step, 65536; 6e-8 is one step, 2^-24.
  check_close(c.input("b"), Tensor::vector({1638.0F / 16384.0F, 65504.0F, 65504.0F, 0x1p-24F}), exact);
  check_close(c.input("c"), Tensor::vector({16777216.0F, -16777216.0F}), exact);
  CHECK(c.input("d")() == -7.0F);
  check_close(c.input("e"), Tensor::vector({0.0F, 255.0F}), exact);
  check_close(c.input("f"), Tensor::vector({0.0F, 1.0F}), exact);
  // An output too large for a float is met by an infinite one.
  check_close(c.output("g"), Tensor::vector({infinity, -infinity}), exact);
}

TEST_CASE("a float32 is rounded once, not by way of a double", "[case_file]") {
  // Just above the middle between 1 and the next float, by less than a double can tell.
  CHECK(with("input x float32 0 1.00000005960464477539062500001").input("x")() == 1.00000011920928955078125F);
}

TEST_CASE("no dimensions, none of a size, comments, CRLF and a byte order mark are read", "[case_file]") {
  const CaseFile c = parse_case(
      "\xEF\xBB\xBF# first\r\ncase a\r\nop B\r\n# second\r\ninput x float32 0\r\n 5\r\n"
      "input none float32 3 2 0 3\r\nend\r\n# last",
      "a.case");
  CHECK(c.input("x").shape() == Shape{});
  CHECK(c.input("x")() == 5.0F);
  CHECK(c.input("none").shape() == Shape{2, 0, 3});
  CHECK(c.comments == std::vector<std::string>{" first", " second", " last"});
}

TEST_CASE("an input and an output may have the same name", "[case_file]") {
  const CaseFile c = with("input x float32 0 1 output x float32 0 2");
  CHECK(c.input("x")() == 1.0F);
  CHECK(c.output("x")() == 2.0F);
}

TEST_CASE("what is not there is refused with what is", "[case_file]") {
  const CaseFile c = with("attr axis one input Q float32 0 1 input K float32 0 2");
  CHECK_THROWS_WITH(c.input("V"), "case small: there is no input V; it has: K Q");
  CHECK_THROWS_WITH(c.output("y"), "case small: there is no output y; it has: none");
  CHECK_THROWS_WITH(c.integer("axis", 0), "case small: attribute axis is 'one', and must be a whole number such as 3");
  const CaseFile far =
      parse_case("case far\nop X\nattr n 99999999999999999999\nattr big 1e39\nattr tiny 1e-320\nend\n", "f");
  CHECK_THROWS_WITH(far.integer("n", 0), ContainsSubstring("'99999999999999999999', and must be a whole number of 64"));
  CHECK(far.number("big", 0.0) == 1e39);
  CHECK_THROWS_WITH(far.float_number("big", 0.0F), ContainsSubstring("big is '1e39'") && ContainsSubstring("float"));
  CHECK_THROWS_WITH(far.float_number("tiny", 0.0F), ContainsSubstring("tiny is '1e-320'"));
  CHECK(far.float_number("missing", 0.5F) == 0.5F);
  CHECK_THROWS_WITH(c.number("axis", 0), "case small: attribute axis is 'one', and must be a number such as 0.5");
}

TEST_CASE("text that does not follow the format is refused with line, word and what was expected", "[case_file]") {
  const std::string end = ": the file ends too soon: found the end of the file, expected ";
  CHECK(refusal("") == "a.case:1" + end + "a keyword such as input, or end");
  CHECK(refusal("case a\nop b\n") == "a.case:3" + end + "a keyword such as input, or end");
  CHECK(refusal("case") == "a.case:1" + end + "the name of the case");
  CHECK(refusal("op b end") == "a.case:1: the case has no name: expected a line such as: case mine");
  CHECK(refusal("case a\nend") ==
        "a.case:2: the case names no operator: expected a line such as: op ScaledDotProductAttention");
  CHECK(refusal_of("inputs x") ==
        "a.case:3: the keyword is not known: found \"inputs\", expected case, op, source, attr, tolerance, input, "
        "hashed, output or end");
  CHECK(refusal("case a op b end\nmore") ==
        "a.case:2: there is more after end: found \"more\", expected end to come last");
  CHECK(refusal_of("case b") ==
        "a.case:3: there is a second one: found \"case\", expected each of case, op and source once");
  CHECK(refusal_of("attr a 1\nattr a 2") ==
        "a.case:4: the attribute is there twice: found \"a\", expected each name once");
  CHECK(refusal_of("tolerance 0 0\ntolerance 0 0") ==
        "a.case:4: there is a second one: found \"tolerance\", expected one tolerance");
  CHECK(refusal_of("tolerance -1 0") ==
        "a.case:3: the tolerance is no size: found \"-1\", expected a finite number of 0 or more");
  CHECK_THAT(refusal_of("tolerance nan 0"), ContainsSubstring("the tolerance is no size: found \"nan\""));
  CHECK_THAT(refusal_of("tolerance inf 0"), ContainsSubstring("the tolerance is no size: found \"inf\""));
  CHECK_THAT(refusal_of("tolerance 0,5 0"), ContainsSubstring("found \"0,5\""));
}

TEST_CASE("tensors that cannot be are refused with line, word and what was expected", "[case_file]") {
  CHECK(refusal_of("input x float32 1 2 1 2x") ==
        "a.case:3: no float32: found \"2x\", expected a number such as 0.5, -3, 1e-6, inf, -inf or nan");
  CHECK_THAT(refusal_of("input x float32 1 3\n1 2"), ContainsSubstring("a.case:5: the input x has 2 of its 3 values"));
  CHECK(refusal_of("input x text 0 1") ==
        "a.case:3: the type is not known: found \"text\", expected float32, float64, float16, int64, int32, uint8 or "
        "bool");
  CHECK(refusal_of("input x bool 0 2") == "a.case:3: no bool: found \"2\", expected a whole number from 0 to 1");
  CHECK(refusal_of("input x uint8 0 256") ==
        "a.case:3: no uint8: found \"256\", expected a whole number from 0 to 255");
  CHECK(refusal_of("input x int64 0 16777217") ==
        "a.case:3: no whole number that a float holds exactly: found \"16777217\", expected a whole number from "
        "-16777216 to 16777216");
  CHECK(refusal_of("input x float32 0 1e39") ==
        "a.case:3: no float32: found \"1e39\", expected a number that its type can hold");
  CHECK(refusal_of("input x float64 0 1e39") ==
        "a.case:3: the input is too large for a float: found \"1e39\", expected a number from -3.4e38 to 3.4e38");
  CHECK(refusal_of("input x float16 0 65520") ==
        "a.case:3: no float16: found \"65520\", expected a number from -65504 to 65504");
  for (const char* word : {"Infinity", "NaN", "nan(1)", "-nan", "0x1p3", "1_000", "+1", "1.5.2"}) {
    CHECK_THAT(refusal_of("input x float32 0 " + std::string(word)), ContainsSubstring(word));
  }
  CHECK(refusal_of("input x float32 0 1\ninput x float32 0 1") ==
        "a.case:4: the name is there twice: found \"x\", expected each name once");
  CHECK(refusal_of("hashed x int64 1 2 1 1") ==
        "a.case:3: a formula gives fractions: found \"int64\", expected float32");
  CHECK_THAT(refusal_of("hashed x float32 0 -1 1"), ContainsSubstring("no seed: found \"-1\""));
  CHECK_THAT(refusal_of("hashed x float32 0 1 inf"), ContainsSubstring("no amplitude: found \"inf\""));
}

TEST_CASE("a tensor with too many or too few values is named, with how many it has", "[case_file]") {
  const std::string keyword = ", expected a keyword such as input, or end";
  CHECK(refusal_of("input x float32 2 2 3\n1 2 3 4 5 6 7") ==
        "a.case:4: the input x has all its 6 values already: found \"7\"" + keyword);
  CHECK(refusal_of("output y bool 0 1 nan") ==
        "a.case:3: the output y has its one value already: found \"nan\"" + keyword);
  CHECK(refusal_of("input x float32 1 0 1e999") ==
        "a.case:3: the input x has all its 0 values already: found \"1e999\"" + keyword);
  CHECK(refusal_of("input K float32 2 3 3\n1 2 3 4 5 6\ninput V float32 0 1") ==
        "a.case:5: the input K has 6 of its 9 values: found \"input\", expected a number");
  CHECK(refusal("case a op b output y int64 1 2 1") ==
        "a.case:1: the output y has 1 of its 2 values: found the end of the file, expected a number");
  // What comes after an entry of another kind is no value too many.
  CHECK_THAT(refusal_of("input x float32 0 1\nattr a 1 7"), ContainsSubstring("the keyword is not known: found \"7\""));
  CHECK_THAT(refusal_of("input x float32 0 1 2x"), ContainsSubstring("the keyword is not known: found \"2x\""));
}

TEST_CASE("sizes that no memory could hold are refused before any is taken", "[case_file]") {
  CHECK(refusal_of("input x float32 1 -3 1 2 3") ==
        "a.case:3: the size is not one that is read: found \"-3\", expected a whole number from 0 to 16777216");
  CHECK_THAT(refusal_of("input x float32 1 1099511627776 1"), ContainsSubstring("found \"1099511627776\""));
  CHECK_THAT(refusal_of("hashed x float32 1 1099511627776 1 1"), ContainsSubstring("found \"1099511627776\""));
  CHECK_THAT(refusal_of("input x float32 9 1 1 1 1 1 1 1 1 1 1"),
             ContainsSubstring("the rank is not one that is read: found \"9\", expected a whole number from 0 to 8"));
  // The product of these is 0 in 64 bits.
  CHECK_THAT(refusal_of("input x float32 4 65536 65536 65536 65536 1"),
             ContainsSubstring("the case is too large: found \"[65536, 65536, 65536, 65536]\""));
  // Each fits alone.
  CHECK_THAT(refusal_of("hashed x float32 1 9000000 1 1\nhashed y float32 1 9000000 1 1"),
             ContainsSubstring("a.case:4: the case is too large"));
}

TEST_CASE("an axis without numbers does not hide axes that no memory could hold", "[case_file]") {
  CHECK(refusal_of("input x float32 3 16777216 0 2") ==
        "a.case:3: the axes are too long: found \"[16777216, 0, 2]\", expected at most 16777216 places along the axes "
        "that are not empty");
  CHECK(with("input x float32 3 8388608 0 2").input("x").size() == 0);
}

TEST_CASE("a file of lines that hold nothing is refused before they fill the memory", "[case_file]") {
  std::string attributes;
  for (int k = 0; k < 1001; ++k) attributes += "attr a" + std::to_string(k) + " 1\n";
  CHECK(refusal_of(attributes) ==
        "a.case:1001: the case is too long: found \"attr\", expected at most 1000 tensors and attributes");
  std::string comments;
  for (int k = 0; k < 65536; ++k) comments += "#\n";
  CHECK(with(comments).comments.size() == 65536);
  CHECK(refusal_of(comments + "# one more") ==
        "a.case:65540: there are too many comments: found \"#\", expected at most 65536 lines of them");
}

TEST_CASE("names that a page cannot show are refused", "[case_file]") {
  CHECK_THAT(refusal("case a\x1b[31m\nop b end"), ContainsSubstring("there are characters that cannot be seen"));
  CHECK_THAT(refusal("case a\xff\nop b end"), ContainsSubstring("the word is no readable UTF-8: found \"a\\xFF\""));
  CHECK_THAT(refusal("case " + std::string(201, 'a') + " end"), ContainsSubstring("the word is too long"));
  CHECK(parse_case("case örnek op b end", "a.case").name == "örnek");
}

TEST_CASE("a file that cannot be read is refused with its name", "[case_file]") {
  CHECK_THROWS_WITH(read_case("no/such.case"), "no/such.case: cannot be opened: No such file or directory");
  CHECK_THROWS_AS(read_case("/"), std::invalid_argument);
}

TEST_CASE("a case that is written reads back as it was", "[case_file]") {
  const CaseFile first = with(
      "# a remark\nsource me attr b 2 attr a word tolerance 1e-07 0\n"
      "input x float32 2 2 3 1 -0 0.1 3.4028235e38 1e-45 nan\ninput h float16 1 2 0.1 inf\ninput m bool 2 1 2 0 1\n"
      "hashed w float32 1 2 18446744073709551615 0.35355338\noutput z float64 1 2 0.1 -inf\noutput y int64 0 7\n"
      "input none float32 1 0");
  const std::string text = case_text(first);
  const CaseFile second = parse_case(text, "written");
  CHECK(case_text(second) == text);
  CHECK_THAT(text, ContainsSubstring("hashed w float32 1 2 18446744073709551615 0.35355338\n"));
  CHECK_THAT(text, ContainsSubstring("# a remark\n"));
  CHECK(text.find("attr b") < text.find("attr a"));
  CHECK(text.find("output z") < text.find("output y"));
  for (const auto& [name, value] : first.inputs) check_close(second.input(name), value, exact);
  for (const auto& [name, value] : first.outputs) check_close(second.output(name), value, exact);
  CHECK(std::signbit(second.input("x")(0, 1)));
}

TEST_CASE("every reference case is written and read back as it was", "[case_file]") {
  for (const std::string& path : all_golden_cases()) {
    CAPTURE(path);
    const CaseFile first = read_case(path);
    const CaseFile second = parse_case(case_text(first), path);
    CHECK(second.declared.size() == first.declared.size());
    for (const auto& [name, value] : first.inputs) check_close(second.input(name), value, exact);
    for (const auto& [name, value] : first.outputs) check_close(second.output(name), value, exact);
  }
}

}  // namespace attn
