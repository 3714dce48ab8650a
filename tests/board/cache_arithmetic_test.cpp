#include "board/arithmetic.hpp"
#include "board/by_hand.hpp"
#include "board/page.hpp"
#include "catch.hpp"

#include <string>
#include <vector>

using namespace attn;

namespace {

using Lines = std::vector<std::string>;

/// Lines of two numbers, in two sets of one: lines 0, 0, 2 (which pushes 0 out), 1, 0, 1.
Trace small_trace() {
  Trace trace;
  trace.add("addresses", Tensor::vector({0, 1, 4, 2, 0, 3}), given());
  trace.add("misses", Tensor::vector({1, 0, 1, 1, 1, 0}),
            cache_misses("addresses", {.line = 2, .sets = 2, .places = 1}));
  return trace;
}

Lines lines_of(const Trace& trace, std::size_t k) {
  return by_hand_lines(work_out(trace, trace.step("misses"), {k}), Page(), {}, 100);
}

}  // namespace

TEST_CASE("a miss says whether its line is new, or which others of its set came since", "[by_hand][cache]") {
  const Trace trace = small_trace();
  CHECK(lines_of(trace, 0) == Lines{"misses[0] = 1, because line 0 (addresses 0 to 1) is used for the first time"});
  CHECK(lines_of(trace, 1) ==
        Lines{"misses[1] = 0, because line 0 (addresses 0 to 1) was used at 0, then 0 other lines "
              "of its set, which holds 1"});
  CHECK(lines_of(trace, 4) == Lines{"misses[4] = 1, because line 0 (addresses 0 to 1) was used at 1, then 1 other line "
                                    "of its set, which holds 1"});
  // Line 0 came between, but lies in the other set.
  CHECK(lines_of(trace, 5) ==
        Lines{"misses[5] = 0, because line 1 (addresses 2 to 3) was used at 3, then 0 other lines "
              "of its set, which holds 1"});
}

TEST_CASE("a miss is made of its address and of the last use of its line", "[arithmetic][cache]") {
  const Trace trace = small_trace();
  const OnPaper paper = by_hand(work_out(trace, trace.step("misses"), {5}), Page(), {}, 100);
  REQUIRE(paper.operands.size() == 2);
  CHECK(paper.operands[0].index == Index{5});
  CHECK(paper.operands[1].index == Index{3});
  CHECK(paper.operands[1].step == &trace.step("addresses"));
}

TEST_CASE("a cache that does something else than its sizes say is told so", "[arithmetic][cache]") {
  Trace trace;
  trace.add("addresses", Tensor::vector({0, 0}), given());
  trace.add("misses", Tensor::vector({1, 1}), cache_misses("addresses", {.line = 2, .sets = 2, .places = 1}));
  CHECK_FALSE(is_something_else(work_out(trace, trace.step("misses"), {0})));
  CHECK(is_something_else(work_out(trace, trace.step("misses"), {1})));
  CHECK(lines_of(trace, 1).back() == "but the source made it 1: it does something else");
}
