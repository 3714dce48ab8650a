#include "attention/embedding.hpp"

#include "catch.hpp"
#include "check_close.hpp"

#include <cmath>
#include <stdexcept>

using namespace attn;

namespace {

const Tensor table = Tensor::matrix({{0, 1}, {10, 11}, {20, 21}, {30, 31}, {40, 41}});  // [5, 2]

}  // namespace

TEST_CASE("an id picks its row of the table", "[embedding]") {
  check_close(gather(table, {3, 0, 4}), Tensor::matrix({{30, 31}, {0, 1}, {40, 41}}), {});
}

TEST_CASE("the same id gives the same row wherever it stands", "[embedding]") {
  check_close(gather(table, {2, 1, 2}), Tensor::matrix({{20, 21}, {10, 11}, {20, 21}}), {});
}

TEST_CASE("no ids give no rows, still d_model wide", "[embedding]") {
  CHECK(gather(table, std::vector<std::size_t>{}).shape() == Shape{0, 2});
  CHECK(gather(table, Tensor(Shape{3, 0})).shape() == Shape{3, 0, 2});
}

TEST_CASE("a batch of ids gives a batch of rows", "[embedding]") {
  const Tensor ids = Tensor::matrix({{4, 0, 1}, {2, 2, 3}});
  const Tensor embeddings = gather(table, ids);
  CHECK(embeddings.shape() == Shape{2, 3, 2});
  CHECK(embeddings(0, 0, 1) == 41.0F);
  CHECK(embeddings(1, 2, 0) == 30.0F);
}

TEST_CASE("an id without a row is refused, with the id, its place and the table's shape", "[embedding]") {
  CHECK_THROWS_AS(gather(table, {1, 5}), std::invalid_argument);
  CHECK_THROWS_WITH(gather(table, {1, 5}), ContainsSubstring("token 1 has the id 5") && ContainsSubstring("[5, 2]"));
}

TEST_CASE("a number that is no id is refused", "[embedding]") {
  const float id = GENERATE(1.5F, -1.0F, NAN, INFINITY);
  CAPTURE(id);
  CHECK_THROWS_WITH(gather(table, Tensor::vector({0.0F, id})), ContainsSubstring("ids are whole numbers"));
}

TEST_CASE("a table that is no matrix is refused with its shape", "[embedding]") {
  CHECK_THROWS_WITH(gather(Tensor({4}), {0}), ContainsSubstring("[vocabulary_size, d_model], not [4]"));
}
