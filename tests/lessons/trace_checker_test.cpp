#include "lessons/trace_checker.hpp"

#include "catch.hpp"
#include "lessons/run_lesson.hpp"
#include "lessons/texts.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

using Json = nlohmann::json;

/// A step with row and column labels that fit.
Json step_of(const std::string& name, const std::string& op, const std::vector<std::string>& inputs,
             const Json& attributes, const std::vector<std::size_t>& shape, const Json& values) {
  const std::size_t rows = shape.empty() ? 0 : shape[shape.size() < 2 ? 0 : shape.size() - 2];
  const std::size_t columns = shape.size() < 2 ? 0 : shape.back();
  return {{"name", name},
          {"op", op},
          {"inputs", inputs},
          {"attributes", attributes},
          {"formula", op == "given" || op == "tokenize" ? "" : op},
          {"rows", std::vector<std::string>(rows, "row")},
          {"columns", std::vector<std::string>(columns, "column")},
          {"shape", shape},
          {"values", values}};
}

Json given(const std::string& name, const std::vector<std::size_t>& shape, const Json& values) {
  return step_of(name, "given", {}, Json::object(), shape, values);
}

std::string trace_of(const std::vector<Json>& steps) {
  return Json{{"format", "attention-steps/1"}, {"lesson", "by_hand"}, {"options", {{"text", "a b"}}}, {"steps", steps}}
      .dump();
}

std::string problems_in(const std::string& trace) {
  std::string all;
  for (const std::string& problem : problems_of_trace(trace)) all += problem + "\n";
  return all;
}

/// The op's result as worked by hand is accepted, and the same with any one number off by a thousandth is not.
void check_op(std::vector<Json> inputs, const Json& result) {
  std::vector<Json> steps = std::move(inputs);
  steps.push_back(result);
  CAPTURE(result["op"]);
  CHECK(problems_in(trace_of(steps)) == "");
  for (std::size_t k = 0; k < result["values"].size(); ++k) {
    Json wrong = result;
    const Json& value = result["values"][k];
    wrong["values"][k] =
        value.is_number() ? Json(value.get<double>() + 0.001 + 0.001 * std::abs(value.get<double>())) : Json(0);
    steps.back() = wrong;
    CAPTURE(k);
    CHECK_THAT(problems_in(trace_of(steps)), ContainsSubstring(fmt::format("value {} is", k)));
  }
}

std::string tour_trace() {
  const Ran ran = run_lesson("00_tour", {"--face", "json", "--mask", "causal"});
  REQUIRE(ran.status == 0);
  return ran.output;
}

Json& step_named(Json& trace, const std::string& name) {
  for (Json& step : trace["steps"]) {
    if (step["name"] == name) return step;
  }
  throw std::invalid_argument("no step " + name);
}

}  // namespace

TEST_CASE("the checker knows each op's result, worked by hand", "[trace]") {
  const Json a = given("a", {2, 3}, {1, 2, 3, 4, 5, 6});
  const Json none = Json::object();

  SECTION("gather picks rows 2 and 0 of a table") {
    const Json ids = step_of("ids", "tokenize", {}, none, {2}, {2, 0});
    check_op({given("t", {3, 2}, {1, 2, 3, 4, 5, 6}), ids},
             step_of("g", "gather", {"t", "ids"}, none, {2, 2}, {5, 6, 1, 2}));
  }
  SECTION("sinusoid of width 3: sin p, cos p, sin(p / 10000^(2/3))") {
    check_op({}, step_of("s", "sinusoid", {}, {{"positions", 2}, {"d_model", 3}}, {2, 3},
                         {0, 1, 0, 0.84147098, 0.54030231, 0.00215443}));
  }
  SECTION("sinusoid of width 3 and base 8: the last wave is sin(p / 8^(2/3)) = sin(p / 4)") {
    check_op({}, step_of("s", "sinusoid", {}, {{"positions", 2}, {"d_model", 3}, {"base", 8}}, {2, 3},
                         {0, 1, 0, 0.84147098, 0.54030231, 0.24740396}));
  }
  SECTION("add, subtract and multiply, b repeated over the rows") {
    const Json b = given("b", {3}, {10, 20, 30});
    check_op({a, b}, step_of("r", "add", {"a", "b"}, none, {2, 3}, {11, 22, 33, 14, 25, 36}));
    check_op({a, b}, step_of("r", "subtract", {"a", "b"}, none, {2, 3}, {-9, -18, -27, -6, -15, -24}));
    check_op({a, b}, step_of("r", "multiply", {"a", "b"}, none, {2, 3}, {10, 40, 90, 40, 100, 180}));
    const Json column = given("c", {2, 1}, {10, 20});
    check_op({a, column}, step_of("r", "add", {"a", "c"}, none, {2, 3}, {11, 12, 13, 24, 25, 26}));
  }
  SECTION("matmul of [2, 3] and [3, 2]; in a batch each matrix by itself") {
    const Json b = given("b", {3, 2}, {1, 0, 0, 1, 2, 3});
    check_op({a, b}, step_of("r", "matmul", {"a", "b"}, none, {2, 2}, {7, 11, 16, 23}));
    const Json two = given("two", {2, 1, 2}, {1, 2, 3, 4});
    const Json other = given("other", {2, 2, 1}, {1, 1, 2, 0});
    check_op({two, other}, step_of("r", "matmul", {"two", "other"}, none, {2, 1, 1}, {3, 6}));
  }
  SECTION("two factors that each repeat along an axis of the other's; a batch that meets one matrix") {
    const Json slopes = given("slopes", {2, 1, 1}, {1, 2});
    const Json distances = given("distances", {1, 3}, {-2, -1, 0});
    check_op({slopes, distances},
             step_of("r", "multiply", {"slopes", "distances"}, none, {2, 1, 3}, {-2, -1, 0, -4, -2, 0}));
    const Json batch = given("batch", {2, 1, 2}, {1, 2, 3, 4});
    const Json one = given("one", {2, 1}, {1, 10});
    check_op({batch, one}, step_of("r", "matmul", {"batch", "one"}, none, {2, 1, 1}, {21, 43}));
    const Json heads = given("heads", {1, 1, 1, 2}, {5, 6});
    check_op({batch, heads}, step_of("r", "matmul_transposed", {"batch", "heads"}, none, {1, 2, 1, 1}, {17, 39}));
  }
  SECTION("mean folds an axis away") {
    check_op({a}, step_of("r", "mean", {"a"}, {{"axis", -1}}, {2}, {2, 5}));
    check_op({a}, step_of("r", "mean", {"a"}, {{"axis", 0}}, {3}, {2.5, 3.5, 4.5}));
  }
  SECTION("gelu of 1 is Phi(1) = 0.84134475, of -2 it is -2 * 0.02275013; by tanh nearly so") {
    const Json x = given("x", {2}, {1, -2});
    check_op({x}, step_of("r", "gelu", {"x"}, none, {2}, {0.84134475, -0.04550026}));
    check_op({x}, step_of("r", "gelu_tanh", {"x"}, none, {2}, {0.84119199, -0.04540231}));
  }
  SECTION("layer_norm of 1, 3, 5, 7: mean 4, variance 5; with epsilon 4 the spread is 3") {
    const Json x = given("x", {1, 4}, {1, 3, 5, 7});
    const Json scale = given("scale", {4}, {3, 3, 6, 6});
    const Json bias = given("bias", {4}, {0, 10, 0, 10});
    const Json attributes = {{"axis", -1}, {"epsilon", 4}};
    check_op({x}, step_of("r", "layer_norm", {"x"}, attributes, {1, 4}, {-1, -0.33333333, 0.33333333, 1}));
    check_op({x, scale}, step_of("r", "layer_norm", {"x", "scale"}, attributes, {1, 4}, {-3, -1, 2, 6}));
    check_op({x, scale, bias}, step_of("r", "layer_norm", {"x", "scale", "bias"}, attributes, {1, 4}, {-3, 9, 2, 16}));
    // From axis 0 on, both rows are one: mean 4, variance 5 again.
    const Json square = given("square", {2, 2}, {1, 3, 5, 7});
    const Json one = given("one", {1}, {3});
    check_op({square, one},
             step_of("r", "layer_norm", {"square", "one"}, {{"axis", 0}, {"epsilon", 4}}, {2, 2}, {-3, -1, 1, 3}));
  }
  SECTION("rms_norm of 3, 5: mean square 17; with epsilon 8 divided by 5") {
    const Json x = given("x", {1, 2}, {3, 5});
    const Json scale = given("scale", {2}, {5, 10});
    check_op({x}, step_of("r", "rms_norm", {"x"}, {{"axis", 1}, {"epsilon", 8}}, {1, 2}, {0.6, 1}));
    check_op({x, scale}, step_of("r", "rms_norm", {"x", "scale"}, {{"axis", 1}, {"epsilon", 8}}, {1, 2}, {3, 10}));
  }
  SECTION("dropout at a rate of 0.75 makes what is kept four times as large") {
    const Json kept = given("kept", {3}, {1, 0, 1});
    check_op({a, kept}, step_of("r", "dropout", {"a", "kept"}, {{"rate", 0.75}}, {2, 3}, {4, 0, 12, 16, 0, 24}));
  }
  SECTION("rotate by a radian: (1, 0) becomes (cos 1, sin 1); neighbours, halves, and some channels that stay") {
    const Json x = given("x", {1, 5}, {1, 0, 0, 2, 7});
    const Json places = given("places", {1}, {1});
    // rotary_dim 4 and base 100: the second pair turns by 1 / 100^(2/4) = 0.1.
    check_op({x, places},
             step_of("r", "rotate", {"x", "places"}, {{"base", 100}, {"rotary_dim", 4}, {"interleaved", 1}}, {1, 5},
                     {0.54030231, 0.84147098, -0.19966683, 1.99000833, 7}));
    check_op({x, places},
             step_of("r", "rotate", {"x", "places"}, {{"base", 100}, {"rotary_dim", 4}, {"interleaved", 0}}, {1, 5},
                     {0.54030231, -0.19966683, 0.84147098, 1.99000833, 7}));
    const Json two = given("two", {2, 1, 2}, {1, 0, 1, 0});
    const Json of_each = given("of_each", {2, 1}, {0, 1});
    check_op({two, of_each}, step_of("r", "rotate", {"two", "of_each"}, {{"base", 10000}, {"interleaved", 1}},
                                     {2, 1, 2}, {1, 0, 0.54030231, 0.84147098}));
  }
  SECTION("cache_misses: lines of two, one set of two; then two sets of one, which have no more room in all") {
    const auto addresses = given("addresses", {8}, {0, 1, 2, 4, 0, 3, 6, 3});
    check_op({addresses}, step_of("r", "cache_misses", {"addresses"}, {{"line", 2}, {"sets", 1}, {"places", 2}}, {8},
                                  {1, 0, 1, 1, 1, 1, 1, 0}));
    check_op({addresses}, step_of("r", "cache_misses", {"addresses"}, {{"line", 2}, {"sets", 2}, {"places", 1}}, {8},
                                  {1, 0, 1, 1, 1, 0, 1, 1}));
  }
  SECTION("repeat_heads says each head twice before the next") {
    const Json heads = given("heads", {2, 1, 2}, {1, 2, 3, 4});
    check_op({heads}, step_of("r", "repeat_heads", {"heads"}, {{"repeats", 2}}, {4, 1, 2}, {1, 2, 1, 2, 3, 4, 3, 4}));
  }
  SECTION("matmul_transposed of [2, 3] and [2, 3]") {
    const Json b = given("b", {2, 3}, {1, 0, 2, 0, 1, 3});
    check_op({a, b}, step_of("r", "matmul_transposed", {"a", "b"}, none, {2, 2}, {7, 11, 16, 23}));
  }
  SECTION("linear with and without a bias") {
    const Json w = given("w", {2, 3}, {1, 0, 2, 0, 1, 3});
    check_op({a, w}, step_of("r", "linear", {"a", "w"}, none, {2, 2}, {7, 11, 16, 23}));
    const Json bias = given("bias", {2}, {100, 200});
    check_op({a, w, bias}, step_of("r", "linear", {"a", "w", "bias"}, none, {2, 2}, {107, 211, 116, 223}));
  }
  SECTION("scale by a half") {
    check_op({a}, step_of("r", "scale", {"a"}, {{"factor", 0.5}}, {2, 3}, {0.5, 1, 1.5, 2, 2.5, 3}));
  }
  SECTION("mask_fill hides where the mask is 0") {
    const Json mask = given("mask", {2, 3}, {1, 0, 0, 1, 1, 0});
    check_op({a, mask}, step_of("r", "mask_fill", {"a", "mask"}, none, {2, 3}, {1, "-inf", "-inf", 4, 5, "-inf"}));
  }
  SECTION("softmax of ln 1, ln 2, ln 3 is 1/6, 2/6, 3/6; a hidden row is nan") {
    const Json logs = given("logs", {2, 3}, {0, 0.69314718, 1.09861229, "-inf", "-inf", "-inf"});
    check_op({logs}, step_of("r", "softmax", {"logs"}, {{"axis", -1}}, {2, 3},
                             {0.16666667, 0.33333333, 0.5, "nan", "nan", "nan"}));
    const Json columns = given("columns", {2, 1}, {0, 1.09861229});
    check_op({columns}, step_of("r", "softmax", {"columns"}, {{"axis", 0}}, {2, 1}, {0.25, 0.75}));
  }
  SECTION("split_heads and merge_heads undo each other") {
    const Json x = given("x", {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
    check_op({x}, step_of("r", "split_heads", {"x"}, {{"num_heads", 2}}, {2, 2, 2}, {1, 2, 5, 6, 3, 4, 7, 8}));
    const Json heads = given("heads", {2, 2, 2}, {1, 2, 5, 6, 3, 4, 7, 8});
    check_op({heads}, step_of("r", "merge_heads", {"heads"}, {{"num_heads", 2}}, {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}));
  }
  SECTION("slice of rows and of columns") {
    check_op({a}, step_of("r", "slice", {"a"}, {{"axis", 1}, {"start", 1}, {"stop", 3}}, {2, 2}, {2, 3, 5, 6}));
    check_op({a}, step_of("r", "slice", {"a"}, {{"axis", 0}, {"start", 1}, {"stop", 2}}, {1, 3}, {4, 5, 6}));
  }
  SECTION("concat below each other and side by side") {
    const Json b = given("b", {1, 3}, {7, 8, 9});
    check_op({a, b}, step_of("r", "concat", {"a", "b"}, {{"axis", 0}}, {3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}));
    const Json c = given("c", {2, 1}, {7, 8});
    check_op({a, c}, step_of("r", "concat", {"a", "c"}, {{"axis", -1}}, {2, 4}, {1, 2, 3, 7, 4, 5, 6, 8}));
  }
  SECTION("exp, log, tanh and relu, number by number") {
    const Json x = given("x", {2}, {1, 2});
    check_op({x}, step_of("r", "exp", {"x"}, none, {2}, {2.71828183, 7.3890561}));
    check_op({x}, step_of("r", "log", {"x"}, none, {2}, {0, 0.69314718}));
    check_op({x}, step_of("r", "tanh", {"x"}, none, {2}, {0.76159416, 0.96402758}));
    check_op({given("y", {2}, {-3, 2})}, step_of("r", "relu", {"y"}, none, {2}, {0, 2}));
    check_op({given("y", {2}, {-3, 2})}, step_of("r", "abs", {"y"}, none, {2}, {3, 2}));
  }
  SECTION("e^89 is too large for a float, and is inf") {
    check_op({given("x", {2}, {88, 89})}, step_of("r", "exp", {"x"}, none, {2}, {1.6516363e38, "inf"}));
  }
  SECTION("divide, b repeated over the columns; inf / inf is nan") {
    const Json b = given("b", {2, 1}, {2, 4});
    check_op({a, b}, step_of("r", "divide", {"a", "b"}, none, {2, 3}, {0.5, 1, 1.5, 1, 1.25, 1.5}));
    const Json infinities = given("i", {2}, {"inf", 1});
    check_op({infinities, given("c", {1}, {"inf"})}, step_of("r", "divide", {"i", "c"}, none, {2}, {"nan", 0}));
  }
  SECTION("sum and max fold an axis away") {
    check_op({a}, step_of("r", "sum", {"a"}, {{"axis", -1}}, {2}, {6, 15}));
    check_op({a}, step_of("r", "sum", {"a"}, {{"axis", 0}}, {3}, {5, 7, 9}));
    check_op({a}, step_of("r", "max", {"a"}, {{"axis", 1}}, {2}, {3, 6}));
    check_op({a}, step_of("r", "max", {"a"}, {{"axis", 0}}, {3}, {4, 5, 6}));
    check_op({given("n", {1, 2}, {1, "nan"})}, step_of("r", "max", {"n"}, {{"axis", 1}}, {1}, {"nan"}));
  }
  SECTION("transpose turns each matrix on its side, reshape moves nothing") {
    check_op({a}, step_of("r", "transpose", {"a"}, none, {3, 2}, {1, 4, 2, 5, 3, 6}));
    check_op({given("two", {2, 1, 2}, {1, 2, 3, 4})},
             step_of("r", "transpose", {"two"}, none, {2, 2, 1}, {1, 2, 3, 4}));
    check_op({a}, step_of("r", "reshape", {"a"}, none, {3, 2}, {1, 2, 3, 4, 5, 6}));
  }
}

TEST_CASE("a softmax may say what a row of nothing but -inf gets, and in how many digits it was computed", "[trace]") {
  const Json hidden = given("a", {2, 2}, {"-inf", "-inf", 0, 0});
  const auto shares = [](const Json& attributes, const Json& values) {
    return step_of("w", "softmax", {"a"}, attributes, {2, 2}, values);
  };
  check_op({hidden}, shares({{"axis", -1}, {"empty", 0}}, {0, 0, 0.5, 0.5}));
  check_op({hidden}, shares({{"axis", -1}, {"empty", 0.5}}, {0.5, 0.5, 0.5, 0.5}));
  check_op({hidden}, shares({{"axis", -1}}, {"nan", "nan", 0.5, 0.5}));
  // A row with a nan in it is not empty.
  const Json with_nan = given("a", {1, 2}, {"-inf", "nan"});
  CHECK(problems_in(trace_of(
            {with_nan, step_of("w", "softmax", {"a"}, {{"axis", -1}, {"empty", 0}}, {1, 2}, {"nan", "nan"})})) == "");

  // e / (1 + e) = 0.731059. In 11 binary digits e^-1 is 0.3679, the sum 1.368 and the share 0.7310; in 8 digits they
  // are 0.367, 1.367 and 0.7305. Close enough there, and not in a float.
  const Json ones = given("a", {1, 2}, {0, 1});
  const auto rounded = [](int digits, double share) {
    const Json attributes = digits == 0 ? Json{{"axis", -1}} : Json{{"axis", -1}, {"digits", digits}};
    return step_of("w", "softmax", {"a"}, attributes, {1, 2}, {1.0 - share, share});
  };
  CHECK(problems_in(trace_of({ones, rounded(11, 0.7310)})) == "");
  CHECK(problems_in(trace_of({ones, rounded(8, 0.7305)})) == "");
  CHECK(problems_in(trace_of({ones, rounded(0, 0.7310)})) != "");
  CHECK(problems_in(trace_of({ones, rounded(11, 0.75)})) != "");
}

TEST_CASE("ops of layers refuse inputs that do not fit, and say why", "[trace]") {
  const Json a = given("a", {2, 3}, {1, 2, 3, 4, 5, 6});
  const auto problem = [&](const std::string& op, const Json& other, const Json& attributes) {
    return problems_in(trace_of({a, other, step_of("r", op, {"a", "other"}, attributes, {2, 3}, {1, 2, 3, 4, 5, 6})}));
  };
  CHECK_THAT(problem("mask_fill", given("other", {2, 2, 3}, std::vector<int>(12, 1)), Json::object()),
             ContainsSubstring("[2, 2, 3] cannot be spread over [2, 3]"));
  CHECK_THAT(problem("add", given("other", {2}, {1, 1}), Json::object()),
             ContainsSubstring("[2, 3] and [2] cannot be spread over each other"));
  CHECK_THAT(problem("dropout", given("other", {3}, {1, 0.5, 1}), {{"rate", 0.5}}),
             ContainsSubstring("the kept mask holds 0 and 1, not 0.5"));
  CHECK_THAT(problem("dropout", given("other", {3}, {1, 1, 1}), {{"rate", 1}}),
             ContainsSubstring("less than 1, not 1"));
  CHECK_THAT(problem("rotate", given("other", {2}, {0, 1}), {{"base", 100}, {"interleaved", 1}}),
             ContainsSubstring("3 channels of [2, 3] cannot turn in pairs"));
  CHECK_THAT(problem("rotate", given("other", {3}, {0, 1, 2}), {{"base", 100}, {"interleaved", 1}, {"rotary_dim", 2}}),
             ContainsSubstring("[2] and [3] cannot be spread"));
  CHECK_THAT(problem("rms_norm", given("other", {2, 1, 3}, std::vector<int>(6, 1)), {{"axis", -1}, {"epsilon", 0}}),
             ContainsSubstring("[2, 1, 3] cannot be spread over [2, 3]"));
}

namespace {

std::string read_source(const std::string& file) {
  std::ifstream stream(LESSON_SOURCES_DIR "/../" + file);
  CAPTURE(file);
  REQUIRE(stream.good());
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// All first groups of what a pattern finds.
std::set<std::string> found_in(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), regex); it != std::sregex_iterator(); ++it) {
    found.insert((*it)[1].str());
  }
  return found;
}

}  // namespace

TEST_CASE("each op that a lesson can state is one that the checker computes, the board explains and its README tells",
          "[trace]") {
  const std::set<std::string> makers =
      found_in(read_source("src/board/origin.hpp"), R"(\[\[nodiscard\]\] Origin ([a-z_]+)\()");
  REQUIRE(makers.size() > 25);
  const std::set<std::string> explained =
      found_in(read_source("src/board/arithmetic.cpp"), R"re(\{"([a-z_]+)", [a-z_]+\})re");
  std::set<std::string> told;
  for (const std::string& row : found_in(read_source("src/board/README.md"), R"(\n(\| `[^|]*)\|)")) {
    for (const std::string& op : found_in(row, "`([a-z_]+)`")) told.insert(op);
  }
  const std::set<std::string> checked = ops_of_traces();
  for (const std::string& op : makers) {
    if (op.starts_with("with_")) continue;  // labels, not an op
    CAPTURE(op);
    CHECK(checked.count(op) == 1);
    CHECK(explained.count(op) == 1);
    CHECK(told.count(op) == 1);
  }
}

TEST_CASE("a sum may be off by a share of what was added up, not of what is left", "[trace]") {
  // 1000 - 1000 + 0: the sum is 0, but 2000 went into it, so 2000 * 1e-5 is allowed.
  const Json a = given("a", {1, 2}, {1000, -1000});
  const Json b = given("b", {2, 1}, {1, 1});
  const auto with = [&](double sum) {
    return problems_in(trace_of({a, b, step_of("r", "matmul", {"a", "b"}, Json::object(), {1, 1}, {sum})}));
  };
  CHECK(with(0.019) == "");
  CHECK_THAT(with(0.021), ContainsSubstring("may be off by 0.02)"));
}

TEST_CASE("a trace that is not what it says is caught", "[trace]") {
  const std::string good = tour_trace();
  REQUIRE(problems_in(good) == "");

  struct Mutation {
    const char* what;
    std::function<void(Json&)> change;
    const char* caught;
  };
  const std::vector<Mutation> mutations = {
      {"a value", [](Json& t) { step_named(t, "Q")["values"][5] = 0.123; }, "\"Q\": value 5 is 0.123"},
      {"a copied value, by very little",
       [](Json& t) {
         Json& value = step_named(t, "head2.K")["values"][4];
         value = value.get<double>() * 1.000001 + 1e-6;
       },
       "\"head2.K\": value 4"},
      {"a nan", [](Json& t) { step_named(t, "output")["values"][0] = "nan"; }, "\"output\": value 0 is nan"},
      {"a hidden score seen", [](Json& t) { step_named(t, "head1.masked")["values"][1] = 0.5; }, "value 1 is 0.5"},
      {"a row label too few", [](Json& t) { step_named(t, "X")["rows"].erase(0); }, "6 row labels"},
      {"a column label too many", [](Json& t) { step_named(t, "X")["columns"].push_back("x"); }, "17 column labels"},
      {"a shape",
       [](Json& t) {
         step_named(t, "head1.scores")["shape"] = {49, 1};
       },
       "[49, 1]"},
      {"a value missing", [](Json& t) { step_named(t, "V")["values"].erase(0); }, "111 values"},
      {"an input's name", [](Json& t) { step_named(t, "head3.scores")["inputs"][1] = "head2.K"; }, "\"head3.scores\""},
      {"an input not yet made", [](Json& t) { step_named(t, "X")["inputs"][0] = "Q"; }, "\"Q\" is no earlier step"},
      {"an input missing", [](Json& t) { step_named(t, "X")["inputs"].erase(0); }, "op add has 1 inputs"},
      {"inputs changed round",
       [](Json& t) {
         Json& inputs = step_named(t, "head2.scores")["inputs"];
         std::swap(inputs[0], inputs[1]);
       },
       "\"head2.scores\": value"},
      {"an attribute", [](Json& t) { step_named(t, "head4.Q")["attributes"]["start"] = 11; }, "\"head4.Q\""},
      {"a factor", [](Json& t) { step_named(t, "head4.scaled")["attributes"]["factor"] = 0.51; }, "\"head4.scaled\""},
      {"an attribute missing", [](Json& t) { step_named(t, "head4.weights")["attributes"] = Json::object(); },
       "needs the attribute axis"},
      {"an op", [](Json& t) { step_named(t, "X")["op"] = "subtract"; }, "\"X\": value"},
      {"an op that nobody knows", [](Json& t) { step_named(t, "X")["op"] = "magic"; }, "op \"magic\" is not known"},
      {"a name twice", [](Json& t) { step_named(t, "V")["name"] = "K"; }, "empty or taken"},
      {"given, with inputs", [](Json& t) { step_named(t, "X")["op"] = "given"; }, "op given has 2 inputs"},
      {"a word for a number", [](Json& t) { step_named(t, "X")["values"][0] = "one"; }, "is no number"},
      {"a null", [](Json& t) { step_named(t, "X")["values"][0] = nullptr; }, "null is no number"},
      {"a step gone", [](Json& t) { t["steps"].erase(1); }, "\"embedding_table\" is no earlier step"},
      {"the format", [](Json& t) { t["format"] = "attention-steps/2"; }, "the format is"},
      {"d_model in the options", [](Json& t) { t["options"]["d_model"] = 8; }, "options says d_model 8"},
  };
  for (const Mutation& mutation : mutations) {
    CAPTURE(mutation.what);
    Json trace = Json::parse(good);
    mutation.change(trace);
    CHECK_THAT(problems_in(trace.dump()), ContainsSubstring(mutation.caught));
  }
}

TEST_CASE("a trace that is cut off or not UTF-8 is caught", "[trace]") {
  const std::string good = tour_trace();
  CHECK_THAT(problems_in(good.substr(0, good.size() / 2)), ContainsSubstring("not the form of a trace"));
  std::string bad_label = good;
  bad_label.replace(bad_label.find("\"cat\""), 5, "\"c\xff\"");
  CHECK_THAT(problems_in(bad_label), ContainsSubstring("UTF-8"));
  CHECK_THAT(problems_in(""), ContainsSubstring("not the form of a trace"));
}

namespace {

void check_tour(std::vector<std::string> options) {
  CAPTURE(written(options));
  options.insert(options.end(), {"--face", "json"});
  const Ran ran = run_lesson("00_tour", options);
  REQUIRE(ran.status == 0);
  CHECK(problems_in(ran.output) == "");

  // What is given is what a reader could have typed in, and nothing that attention computes.
  const std::set<std::string> may_be_given = {"embedding_table", "W_Q", "W_K", "W_V", "W_O", "b_O", "mask",
                                              "positions"};
  const bool no_positions = written(options).find("'--positions' 'none'") != std::string::npos;
  Json trace = Json::parse(ran.output);
  for (const Json& step : trace["steps"]) {
    const auto name = step["name"].get<std::string>();
    if (step["op"] == "given") CHECK(may_be_given.count(name) == 1);
    if (name == "positions") CHECK(step["op"] == (no_positions ? "given" : "sinusoid"));
  }
  for (const char* name : {"tokens", "embeddings", "X", "Q", "K", "V", "mask", "concat", "output"}) {
    CHECK_NOTHROW(step_named(trace, name));
  }
}

}  // namespace

TEST_CASE("every number of the tour follows from earlier ones, whatever the text", "[trace][tour]") {
  for (const std::string& text : proving_texts()) {
    check_tour({"--text", text});
    check_tour({"--text", text, "--weights", "torch"});
    check_tour({"--text", text, "--mask", "causal", "--head", "3"});
    check_tour({"--text", text, "--weights", "torch", "--mask", "causal", "--positions", "none", "--seed", "7"});
  }
}

TEST_CASE("every number of the tour follows from earlier ones, whatever the sizes and seeds", "[trace][tour]") {
  const std::vector<std::pair<int, int>> sizes = {{1, 1},  {2, 1},  {3, 1},  {3, 3},  {4, 2},  {5, 1},
                                                  {6, 3},  {7, 1},  {8, 8},  {15, 5}, {16, 1}, {24, 8},
                                                  {32, 4}, {40, 5}, {48, 6}, {63, 7}, {64, 8}};
  for (const auto& [d_model, heads] : sizes) {
    for (const char* seed : {"0", "1", "18446744073709551615"}) {
      check_tour({"--weights", "torch", "--d-model", std::to_string(d_model), "--heads", std::to_string(heads),
                  "--seed", seed, "--head", std::to_string(heads)});
    }
    check_tour({"--weights", "torch", "--d-model", std::to_string(d_model), "--heads", std::to_string(heads), "--mask",
                "causal", "--positions", "none"});
  }
  check_tour({"--weights", "torch", "--d-model", "512", "--heads", "8"});
}

TEST_CASE("each head of the crafted world is followed by the same arithmetic", "[trace][tour]") {
  for (const char* head : {"1", "2", "3", "4"}) {
    for (const char* positions : {"none", "sinusoidal"}) {
      for (const char* mask : {"none", "causal"}) {
        check_tour({"--head", head, "--positions", positions, "--mask", mask});
      }
    }
  }
}

TEST_CASE("escapes of --ascii change no number and no label of the trace", "[trace][tour]") {
  const std::vector<std::string> options = {"--text", "naïve 猫 👩‍👩‍👧 sat", "--face", "json"};
  std::vector<std::string> ascii = options;
  ascii.emplace_back("--ascii");
  const std::string plain = run_lesson("00_tour", options).output;
  const std::string escaped = run_lesson("00_tour", ascii).output;
  CHECK(escaped != plain);
  CHECK(std::all_of(escaped.begin(), escaped.end(),
                    [](char letter) { return static_cast<unsigned char>(letter) < 128; }));
  CHECK(Json::parse(escaped) == Json::parse(plain));
}
