#include "support/world/one_head.hpp"

#include "attention/embedding.hpp"
#include "attention/mask.hpp"
#include "attention/positions.hpp"
#include "support/record/record_steps.hpp"
#include "support/words/words.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/rearrange.hpp"

#include <string>
#include <utility>
#include <vector>

namespace attn {

OneHead one_head(const Options& options) {
  return one_head(make_world(options), options);
}

OneHead one_head(World made, const Options& options) {
  OneHead head;
  head.world = std::move(made);
  const World& world = head.world;
  head.head = options.head > 0 ? options.head : world.default_head;
  head.head_dim = world.d_model / world.num_heads;
  head.i = world.followed;
  head.word = name_of(world, head.i);

  head.columns = first_columns_of_head(world, 1);

  const std::size_t begin = (head.head - 1) * head.head_dim;
  const auto rows_of_head = [&](const Tensor& weight) { return slice(weight, 0, begin, begin + head.head_dim); };
  head.W_Q = rows_of_head(world.weights.W_Q);
  head.W_K = rows_of_head(world.weights.W_K);
  head.W_V = rows_of_head(world.weights.W_V);

  const std::size_t seq_len = world.tokens.size();
  head.waves = options.positions == Options::Positions::sinusoidal;
  head.positions = head.waves ? sinusoidal_positions(seq_len, world.d_model) : Tensor({seq_len, world.d_model});
  head.mask = options.mask == Options::MaskKind::causal ? causal_mask(seq_len) : full_mask(seq_len, seq_len);
  compute_steps(head);
  return head;
}

void compute_steps(OneHead& head) {
  const Compute& compute = head.world.compute;
  head.embeddings = gather(head.world.embedding_table, head.world.ids);
  head.X = add(head.embeddings, head.positions);
  head.Q = linear(head.X, head.W_Q, compute);
  head.K = linear(head.X, head.W_K, compute);
  head.V = linear(head.X, head.W_V, compute);
  head.steps = scaled_dot_product_attention(head.Q, head.K, head.V, keep_where(head.mask), compute);
}

std::string another_head(const OneHead& head) {
  const std::size_t num_heads = head.world.num_heads;
  return num_heads == 1 ? "" : "--head " + std::to_string(head.head % num_heads + 1);
}

void record_head_weights(Board& board, const OneHead& head) {
  const World& world = head.world;
  const auto weight = [&](const char* name, const Tensor& value, const std::vector<std::string>& names) {
    board.record(name, value,
                 given().with_rows(names_of_head(world, names, head.head)).with_columns(world.channel_names));
  };
  weight("W_Q", head.W_Q, world.query_names);
  weight("W_K", head.W_K, world.key_names);
  weight("W_V", head.W_V, world.value_names);
}

void record_until(Board& board, const OneHead& head, Until until) {
  const World& world = head.world;
  const std::vector<std::string> words = world.token_texts();
  board.option("head", head.head);

  record_embeddings(board, world, head.embeddings);
  if (until == Until::embeddings) return;
  board.record("positions", head.positions, head.waves ? sinusoid(words.size(), world.d_model) : given());
  board.record("X", head.X, add("embeddings", "positions"));
  if (until == Until::X) return;
  record_head_weights(board, head);
  board.record("Q", head.Q, linear("X", "W_Q"));
  board.record("K", head.K, linear("X", "W_K"));
  board.record("V", head.V, linear("X", "W_V"));
  if (until >= Until::masked) board.record("mask", head.mask, given().with_rows(words).with_columns(words));
  record_attention(board, "", head.steps, until);
}

}  // namespace attn
