#include "support/record/additive_records.hpp"

#include "board/digits.hpp"
#include "support/record/record_head.hpp"
#include "support/world/sentences.hpp"
#include "tensor/close.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/rearrange.hpp"

#include <fmt/core.h>

namespace attn {

namespace {

/// A copy, for later steps move the earlier ones.
Tensor value_of(const Board& board, const char* step) {
  return board.trace().step(step).value;
}

}  // namespace

void record_two_texts(Board& board, const Options& options, const std::vector<OneHead>& all) {
  const OneHead& text = all[0];
  board.option("text", options.text);
  board.option("mask", "none");  // all of the source is there to be seen, whatever --mask says
  record_weights_of(board, all);
  record_sentence(board, text, "");
  record_sentence(board, all[1], "memory.");
  board.record("state", slice(text.X, 0, text.i, text.i + 1), slice("X", 0, text.i, text.i + 1));
}

void record_scores(Board& board, const Tensor& scores, const Compute& compute) {
  const Tensor q = linear(value_of(board, "state"), value_of(board, "W"), compute);
  const Tensor k = linear(value_of(board, "memory.X"), value_of(board, "U"), compute);
  board.record("q", q, linear("state", "W"));
  board.record("k", k, linear("memory.X", "U"));
  board.record("sums", add(k, q), add("k", "q"));
  board.record("hidden", tanh(add(k, q)), tanh("sums"));
  board.record("scores", scores, matmul_transposed("v", "hidden").with_rows(board.trace().step("state").rows));
}

void show_beside_fixed(Board& board, const Tensor& context, const std::vector<std::size_t>& channels) {
  const Tensor fixed = reshape(value_of(board, "fixed"), context.shape());
  const std::vector<std::string> names = board.trace().step("context").columns;
  board.record("fixed_row", fixed, reshape("fixed").with_columns(names));
  show_rows(board, "row", {"fixed_row", "context"}, {"fixed", "context"}, 0, {.columns = channels});
}

void show_without_tanh(Board& board, const Tensor& straight, const Tensor& k_alone, const Tensor& unasked,
                       const Compute& compute) {
  const Tensor v = value_of(board, "v");
  const Tensor k = value_of(board, "k");
  board.record("straight_scores", matmul_transposed(v, value_of(board, "sums"), compute),
               matmul_transposed("v", "sums"));
  board.record("straight", straight, softmax("straight_scores", -1));
  board.record("k_alone_scores", matmul_transposed(v, k, compute), matmul_transposed("v", "k"));
  board.record("k_alone", k_alone, softmax("k_alone_scores", -1));
  board.record("unasked_hidden", tanh(k), tanh("k"));
  board.record("unasked_scores", matmul_transposed(v, tanh(k), compute), matmul_transposed("v", "unasked_hidden"));
  board.record("unasked", unasked, softmax("unasked_scores", -1));
  show_rows(board, "shares", {"straight", "k_alone", "weights", "unasked"},
            {"q + k", "k alone", "tanh(q+k)", "tanh(k)"});
}

void record_all_pairs(Board& board, const std::vector<OneHead>& all, const AdditiveSteps& additive,
                      const MultiplicativeSteps& dot, const MultiplicativeSteps& general) {
  const std::vector<std::string> asking = all[0].world.token_texts();
  const std::vector<std::string> asked = all[1].world.token_texts();
  const Tensor& queries = additive.projected_query;
  board.record("all.q", queries, linear("X", "W"));
  board.record("all.queries", reshape(queries, {asking.size(), 1, queries.dim(1)}), reshape("all.q"));
  board.record("all.sums", additive.sums, add("all.queries", "k").with_rows(asked));
  board.record("all.hidden", additive.hidden, tanh("all.sums"));
  board.record("all.products", reshape(additive.scores, {asking.size(), asked.size(), 1}), linear("all.hidden", "v"));
  board.record("all.scores", additive.scores, reshape("all.products").with_rows(asking).with_columns(asked));
  board.record("all.weights", additive.weights, softmax("all.scores", -1));

  board.record("dot.scores", dot.scores, matmul_transposed("X", "memory.X"));
  board.record("dot.weights", dot.weights, softmax("dot.scores", -1));

  board.record("asked", general.projected_query, matmul("Q", "W_K"));
  board.record("general.scores", general.scores, matmul_transposed("asked", "memory.X"));
  board.record("general.weights", general.weights, softmax("general.scores", -1));
}

void show_work(Board& board, const SizesOfWork& sizes) {
  const auto units = static_cast<float>(sizes.units);
  const auto factor = static_cast<float>(sizes.pairs);
  const Tensor per_pair = Tensor({2, 3}, {units, units, units, static_cast<float>(sizes.d_model), 0.0F, 1.0F});
  board.record("per_pair", per_pair, given().with_rows({"additive", "dot"}).with_columns({"times", "tanh", "kept"}));
  board.record("work", scale(per_pair, factor), scale("per_pair", factor));
  board.say(
      "A pair of q and k: a product and a tanh for each unit, all kept. A pair of rows: a product for each channel, "
      "its score kept.");
  board.table({{"per_pair", "one pair"}, {"work", fmt::format("{} pair{}", sizes.pairs, sizes.pairs == 1 ? "" : "s")}});
}

std::string how_counts_compare(const Board& board, const WorkOfBoth& counted) {
  std::vector<float> counts;
  for (const CountedWork* work : {&counted.additive, &counted.dot}) {
    for (const std::size_t count : {work->multiplications, work->tanhs, work->kept})
      counts.push_back(static_cast<float>(count));
  }
  const double difference = largest_difference(Tensor({2, 3}, counts), value_of(board, "work")).largest;
  return fmt::format(
      "Counted one by one, additive took {} products and {} tanh and kept {}; dot {}, {} and {}: largest difference "
      "{}.",
      counted.additive.multiplications, counted.additive.tanhs, counted.additive.kept, counted.dot.multiplications,
      counted.dot.tanhs, counted.dot.kept, difference_text(difference));
}

}  // namespace attn
