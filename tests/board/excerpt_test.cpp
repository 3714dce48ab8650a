#include "board/excerpt.hpp"

#include "catch.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace attn {

namespace {

using Lines = std::vector<std::string>;

const SourceFile source{"src/attention/heads.cpp", R"(// scores = a comment is no statement
Steps attend() {
  const Tensor all_contexts = concat(contexts, -1);      // [seq_len, d_model]
  const Tensor contexts = concat(parts,
                                 /*axis=*/-1);
  //> scores
  Tensor scores = matmul_transposed(query, key);

  if (many) {
    scores = scale(scores, 2);
  }
  //< scores
  steps.weights = softmax(scores);  // rows sum to 1
  const Tensor V = linear(X, W_V);  // first; then more
  const Tensor joined = add(first,   // one; and
                            second);  // two
  const auto both = [&](const Tensor& x) {
    const Tensor y = scale(x, 2);
    return add(x, y);
  };
  const Tensor text = named("a; b",
                            ";");
  AttentionSteps heads =
      attend(Q_heads, K_heads, V_heads);
  return {.output = std::move(output),
          .concat = std::move(concat)};
  //> open
}
)"};

}  // namespace

TEST_CASE("what stands between markers is cut out, without its common indentation", "[excerpt]") {
  CHECK(excerpt(source, "scores") == Lines{"Tensor scores = matmul_transposed(query, key);", "", "if (many) {",
                                           "  scores = scale(scores, 2);", "}"});
}

TEST_CASE("without markers, the statement that gives the value is cut out, to its semicolon", "[excerpt]") {
  CHECK(excerpt(source, "weights") == Lines{"steps.weights = softmax(scores);  // rows sum to 1"});
  CHECK(excerpt(source, "contexts") ==
        Lines{"const Tensor contexts = concat(parts,", "                               /*axis=*/-1);"});
}

TEST_CASE("a statement that breaks after its equals sign is put together, and a member named in a list begins none",
          "[excerpt]") {
  CHECK(excerpt(source, "heads") == Lines{"AttentionSteps heads = attend(Q_heads, K_heads, V_heads);"});
  CHECK_THROWS_WITH(excerpt(source, "output"), ContainsSubstring("has no statement that gives output its value"));
}

TEST_CASE("a name that ends like another is not taken for it", "[excerpt]") {
  CHECK(excerpt(source, "all_contexts").front().starts_with("const Tensor all_contexts"));
  CHECK(excerpt(source, "contexts").front().starts_with("const Tensor contexts"));
  CHECK_THROWS_AS(excerpt(source, "texts"), std::invalid_argument);
}

TEST_CASE("a semicolon in a comment, in a string or within brackets does not end a statement", "[excerpt]") {
  CHECK(excerpt(source, "V").size() == 1);
  CHECK(excerpt(source, "joined").size() == 2);
  CHECK(excerpt(source, "both").size() == 4);
  CHECK(excerpt(source, "text").size() == 2);
}

TEST_CASE("what the file does not have is an error that names file and excerpt", "[excerpt]") {
  CHECK_THROWS_AS(excerpt(source, "output"), std::invalid_argument);
  CHECK_THROWS_WITH(excerpt(source, "output"),
                    ContainsSubstring("src/attention/heads.cpp") && ContainsSubstring("//> output"));
  CHECK_THROWS_AS(excerpt({"empty.cpp", ""}, "output"), std::invalid_argument);
}

TEST_CASE("a marker that only opens, only closes or closes first is an error", "[excerpt]") {
  CHECK_THROWS_WITH(excerpt(source, "open"), ContainsSubstring("//> open and //< open"));
  CHECK_THROWS_AS(excerpt({"a.cpp", "//< a\nint a = 1;\n//> a\n"}, "a"), std::invalid_argument);
  CHECK_THROWS_AS(excerpt({"a.cpp", "int a = 1;\n//< a\n"}, "a"), std::invalid_argument);
}

TEST_CASE("a statement that never ends is an error", "[excerpt]") {
  CHECK_THROWS_AS(excerpt({"a.cpp", "const Tensor a = add(b,\n"}, "a"), std::invalid_argument);
}

TEST_CASE("the last line needs no line end", "[excerpt]") {
  CHECK(excerpt({"a.cpp", "int a = 1;"}, "a") == Lines{"int a = 1;"});
}

}  // namespace attn
