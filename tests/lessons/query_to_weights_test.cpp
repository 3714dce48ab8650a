#include "board/board.hpp"
#include "catch.hpp"
#include "support/program/options.hpp"
#include "support/record/spread.hpp"
#include "support/words/query_key_value_words.hpp"
#include "support/words/scaling_words.hpp"
#include "support/words/scores_words.hpp"
#include "support/world/one_head.hpp"
#include "tensor/softmax.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>

// The sentences and numbers that lessons 04 to 06 compute besides what the library gives.

using namespace attn;

TEST_CASE("in a tie a word's own score counts among the largest, and scores below 0 are counted", "[words]") {
  CHECK_THAT(what_scores_are_not(Tensor::matrix({{3, 3}, {5, -2}})),
             ContainsSubstring("In 1 of 2 rows") && ContainsSubstring("Here 1 of 4 scores are below 0") &&
                 ContainsSubstring("from 3.000 to 6.000"));
  CHECK_THAT(what_scores_are_not(Tensor::matrix({{1, 2}, {2, 1}})), ContainsSubstring("In 0 of 2 rows"));
}

TEST_CASE("the best other token is never the one that asks, unless it is alone", "[words]") {
  const Tensor scores = Tensor::matrix({{9, 1, 4}, {2, 3, 1}, {0, 8, 1}});
  CHECK(best_other_token(scores, 0) == 2);
  CHECK(best_other_token(scores, 1) == 0);
  CHECK(best_other_token(scores, 2) == 1);
  CHECK(best_other_token(Tensor::matrix({{7}}), 0) == 0);
}

TEST_CASE("a table of scores that is its own mirror image is not passed off as the usual case", "[words]") {
  const Tensor symmetric = Tensor::matrix({{1, 2}, {2, 5}});
  CHECK_THAT(which_is_symmetric(Tensor::matrix({{1, 4}, {1.5F, 0}}), symmetric),
             ContainsSubstring("by up to 2.5, the right by 0.") && !ContainsSubstring("try others"));
  CHECK_THAT(which_is_symmetric(symmetric, symmetric), ContainsSubstring("try others"));
}

TEST_CASE("who chose the numbers of W_Q is told for each kind of weights", "[words]") {
  Options options;
  const Tensor W_Q = Tensor::matrix({{0, 2}, {0, 1}});
  options.weights = Options::Weights::crafted;
  CHECK_THAT(what_W_Q_holds(options, W_Q), ContainsSubstring("2 of the 4") && ContainsSubstring("by hand"));
  options.weights = Options::Weights::torch;
  CHECK_THAT(what_W_Q_holds(options, Tensor({3, 2}, 0.5F)),
             ContainsSubstring("None of the 6") && ContainsSubstring("random"));
  options.weights = Options::Weights::file;
  CHECK_THAT(what_W_Q_holds(options, W_Q), ContainsSubstring("file") && !ContainsSubstring("random"));
}

TEST_CASE("softmax does not feel a constant on all scores, and is said to feel another change only where it does",
          "[words]") {
  const Tensor scores = Tensor::matrix({{1, 2, 3}});
  const Tensor higher = Tensor::matrix({{2, 3, 4}});
  const Tensor other = Tensor::matrix({{3, 2, 1}});
  CHECK_THAT(what_softmax_feels(scores, higher, other),
             ContainsSubstring("With a bias on Q they change by up to 0.58"));
  CHECK_THAT(what_softmax_feels(scores, higher, higher), ContainsSubstring("does not change them either"));
}

TEST_CASE("a weight moves w (1 - w) times as far as its own score", "[spread]") {
  Board board({.name = "06", .sources = {}, .options = {}});
  const Tensor scores = Tensor::matrix({{0, 1, 2}, {-3, 0, 4}});
  board.record("weights", softmax(scores, -1), given());
  record_slopes(board, "slopes", "weights", "rest");
  const Tensor slopes = board.trace().step("slopes").value;
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      CAPTURE(i, j);
      // The curve bends: over 0.01 by at most 0.01 / 2 times its second derivative, which is below 0.1.
      CHECK_THAT(static_cast<double>(move_of_weight(scores, {i, j}, 0.01F) / 0.01F - slopes(i, j)),
                 WithinAbs(0.0, 5e-4));
    }
  }
}

TEST_CASE("that both roots are the same is said with a single head only", "[words]") {
  Options options;
  options.weights = Options::Weights::torch;
  for (const std::size_t heads : {1U, 4U}) {
    options.num_heads = heads;
    const OneHead head = one_head(options);
    const bool told = what_roots_do(head, Tensor({3, 7}, 0.1F)).find("same") != std::string::npos;
    CHECK(told == (heads == 1));
  }
}
