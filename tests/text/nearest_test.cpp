#include "text/nearest.hpp"

#include "catch.hpp"

#include <string>

namespace attn {

TEST_CASE("the edit distance counts letters added, dropped and changed", "[nearest]") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("cat", "cat") == 0);
  CHECK(edit_distance("cat", "cart") == 1);
  CHECK(edit_distance("cat", "at") == 1);
  CHECK(edit_distance("cat", "cut") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("", "abc") == edit_distance("abc", ""));
}

TEST_CASE("the nearest word is the one with the fewest edits, or the one that begins so", "[nearest]") {
  CHECK(nearest("scroes", {"weights", "scores", "scaled"}) == "scores");
  CHECK(nearest("SCORES", {"weights", "scores"}) == "scores");
  CHECK(nearest("embed", {"bed", "embedding_table"}) == "embedding_table");
  CHECK(nearest("x", {}).empty());
  CHECK(nearest(std::string(100000, 'x'), {"scores", "xx"}) == "xx");
}

}  // namespace attn
