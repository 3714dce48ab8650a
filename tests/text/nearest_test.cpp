#include "text/nearest.hpp"

#include "catch.hpp"

#include <string>

namespace attn {

TEST_CASE("the edit distance counts letters added, dropped, changed and exchanged with a neighbour", "[nearest]") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("cat", "cat") == 0);
  CHECK(edit_distance("cat", "cart") == 1);
  CHECK(edit_distance("cat", "at") == 1);
  CHECK(edit_distance("cat", "cut") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("sta", "sat") == 1);
  CHECK(edit_distance("abcd", "badc") == 2);
  CHECK(edit_distance("ca", "abc") == 3);
  CHECK(edit_distance("", "abc") == edit_distance("abc", ""));
}

TEST_CASE("the nearest word is the one with the fewest edits, or the one that begins so", "[nearest]") {
  CHECK(nearest("scroes", {"weights", "scores", "scaled"}) == "scores");
  CHECK(nearest("SCORES", {"weights", "scores"}) == "scores");
  CHECK(nearest("embed", {"bed", "embedding_table"}) == "embedding_table");
  CHECK(nearest("x", {}).empty());
  CHECK(nearest(std::string(100000, 'x'), {"scores", "xx"}) == "xx");
}

TEST_CASE("a word is near another that begins so or differs in a third of its letters, and in no more", "[nearest]") {
  CHECK(near_one("scroes", {"weights", "scores", "scaled"}) == "scores");
  CHECK(near_one("sta", {"the", "sat"}) == "sat");
  CHECK(near_one("cats", {"the", "Cat"}) == "Cat");
  CHECK(near_one("embed", {"bed", "embedding_table"}) == "embedding_table");
  CHECK_FALSE(near_one("dog", {"the", "cat", "on"}));
  CHECK_FALSE(near_one("dog", {"cog wheels"}));
  CHECK_FALSE(near_one("x", {"."}));
  CHECK_FALSE(near_one("dog", {}));
}

}  // namespace attn
