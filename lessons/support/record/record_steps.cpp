#include "support/record/record_steps.hpp"

#include "support/record/record_head.hpp"
#include "text/vocabulary.hpp"

namespace attn {

std::string head_prefix(const World& world, std::size_t head) {
  return world.num_heads == 1 ? "" : "head" + std::to_string(head) + ".";
}

void record_embeddings(Board& board, const World& world, const Tensor& embeddings) {
  board.record("tokens", world.ids, tokenize(world.token_texts()));
  board.record("embedding_table", world.embedding_table,
               given().with_rows(row_labels(world.encoding)).with_columns(world.channel_names));
  board.record("embeddings", embeddings, gather("embedding_table", "tokens"));
}

void record_X(Board& board, const Options& options, const Tensor& positions, const Tensor& X) {
  const bool waves = options.positions == Options::Positions::sinusoidal;
  board.record("positions", positions, waves ? sinusoid(positions.dim(0), positions.dim(1)) : given());
  board.record("X", X, add("embeddings", "positions"));
}

void record_Q_K_V(Board& board, const World& world, const Tensor& Q, const Tensor& K, const Tensor& V) {
  board.record("W_Q", world.weights.W_Q, given().with_columns(world.channel_names));
  board.record("W_K", world.weights.W_K, given().with_columns(world.channel_names));
  board.record("W_V", world.weights.W_V, given().with_columns(world.channel_names));
  board.record("Q", Q, linear("X", "W_Q"));
  board.record("K", K, linear("X", "W_K"));
  board.record("V", V, linear("X", "W_V"));
}

void record_heads(Board& board, const World& world, const Tensor& mask, const std::vector<AttentionSteps>& heads) {
  board.record("mask", mask, given().with_rows(world.token_texts()).with_columns(world.token_texts()));
  for (std::size_t head = 1; head <= heads.size(); ++head) {
    record_head(board, world, head_prefix(world, head), head, heads[head - 1]);
  }
}

void record_output(Board& board, const World& world, const Tensor& all_contexts, const Tensor& output) {
  std::vector<std::string> contexts;
  for (std::size_t head = 1; head <= world.num_heads; ++head) contexts.push_back(head_prefix(world, head) + "context");
  board.record("W_O", world.weights.W_O, given().with_rows(world.channel_names));
  board.record("b_O", world.weights.b_O, given().with_rows(world.channel_names));
  board.record("concat", all_contexts, concat(contexts, 1));
  board.record("output", output, linear("concat", "W_O", "b_O"));
}

}  // namespace attn
