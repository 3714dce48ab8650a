#include "board/explanation.hpp"

#include "catch.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/softmax.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace attn {

namespace {

/// Q, K -> scores -> scaled -> weights, small enough to follow by eye.
Trace small_trace() {
  const Tensor Q = Tensor::matrix({{1, 2}, {0, 3}});
  const Tensor K = Tensor::matrix({{2, 1}, {1, 1}, {0, 4}});
  const Tensor scores = matmul_transposed(Q, K);
  const Tensor scaled = scale(scores, 0.5F);
  Trace trace;
  trace.add("Q", Q, given().with_rows({"a", "b"}));
  trace.add("K", K, given().with_rows({"x", "y", "z"}));
  trace.add("scores", scores, matmul_transposed("Q", "K"));
  trace.add("scaled", scaled, scale("scores", 0.5F));
  trace.add("weights", softmax(scaled, -1), softmax("scaled", -1));
  return trace;
}

std::vector<ExplainedNumber> explained(const Trace& trace, const std::string& text, std::size_t depth = 100) {
  std::vector<Cell> seen;
  return explain(trace, find_cell(trace, "", text), depth, seen, {}, 70);
}

bool mentions(const std::vector<ExplainedNumber>& numbers, std::size_t level, const std::string& text) {
  return std::any_of(numbers.begin(), numbers.end(), [&](const ExplainedNumber& number) {
    return number.level == level && std::any_of(number.lines.begin(), number.lines.end(), [&](const std::string& line) {
             return line.find(text) != std::string::npos;
           });
  });
}

}  // namespace

TEST_CASE("a number is explained level by level, down to what was given", "[explanation]") {
  const Trace trace = small_trace();
  const auto numbers = explained(trace, "weights[a,x]");
  CHECK(mentions(numbers, 0, "weights[a, x]"));
  CHECK(mentions(numbers, 1, "scaled[a, x] = scores[a, x] / 2 = 4 / 2 = 2"));
  CHECK(mentions(numbers, 2, "= 1 · 2 + 2 · 1 = 4"));
  CHECK(mentions(numbers, 3, "Q[a, 0] = 1"));
  CHECK(mentions(numbers, 3, "K[x, 1] = 1"));
  for (const ExplainedNumber& number : numbers) CHECK(number.given == (number.level == 3));
}

TEST_CASE("depth says how many levels down", "[explanation]") {
  const Trace trace = small_trace();
  CHECK(explained(trace, "weights[a,x]", 0).size() == 1);
  const auto two = explained(trace, "weights[a,x]", 1);
  CHECK(two.back().level == 1);
}

TEST_CASE("a given number explains itself", "[explanation]") {
  const Trace trace = small_trace();
  const auto numbers = explained(trace, "Q[b,1]");
  REQUIRE(numbers.size() == 1);
  CHECK(numbers[0].lines == std::vector<std::string>{"Q[b, 1] = 3   (given)"});
}

TEST_CASE("no number is worked out twice", "[explanation][law]") {
  const Trace trace = small_trace();
  std::vector<Cell> seen;
  std::vector<std::string> firsts;
  for (const char* text : {"weights[a,x]", "weights[a,y]", "scores[a,x]"}) {
    for (const ExplainedNumber& number : explain(trace, find_cell(trace, "", text), 100, seen, {}, 70)) {
      firsts.push_back(number.lines.back());
    }
  }
  CHECK(firsts.back() == "scores[a, x] is worked out above");
  std::sort(firsts.begin(), firsts.end());
  CHECK(std::adjacent_find(firsts.begin(), firsts.end()) == firsts.end());
}

}  // namespace attn
