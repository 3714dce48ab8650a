#include "board/long_lines.hpp"

#include "catch.hpp"

#include <string>
#include <vector>

using namespace attn;

namespace {

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a line of Python that fits stays as it is", "[long_lines]") {
  CHECK(broken_python("a = 1; b = 2    # two", 40) == Lines{"a = 1; b = 2    # two"});
}

TEST_CASE("a long line of Python gives up its remark, then goes on after a statement, else inside brackets",
          "[long_lines]") {
  CHECK(broken_python("a = 1; b = 2    # two", 14) == Lines{"a = 1; b = 2"});
  CHECK(broken_python("seed(1); layer = Linear(16, 64); print(layer)", 32) ==
        Lines{"seed(1); layer = Linear(16, 64)", "print(layer)"});
  CHECK(broken_python("layer = Linear(16, 64)", 20) == Lines{"layer = Linear(16,", "    64)"});
}

TEST_CASE("what a colon holds together, a string or a bracket is not cut at a semicolon", "[long_lines]") {
  CHECK(broken_python("for x in y: print(x, x); print(x)", 24) == Lines{"for x in y: print(x,", "    x); print(x)"});
  CHECK(broken_python("print(\"a; b; c; d\", e)", 20) == Lines{"print(\"a; b; c; d\",", "    e)"});
}

TEST_CASE("a line of Python that cannot be broken stays whole", "[long_lines]") {
  CHECK(broken_python("a_long_name = another_long_name", 10) == Lines{"a_long_name = another_long_name"});
}
