#include "support/all_heads.hpp"

#include "support/heads_in_words.hpp"
#include "support/record_head.hpp"
#include "tensor/matmul.hpp"
#include "tensor/rearrange.hpp"

#include <algorithm>

namespace attn {

std::string AllHeads::prefix(std::size_t head) const {
  return num_heads == 1 ? "" : "head" + std::to_string(head) + ".";
}

std::vector<std::string> AllHeads::names(const std::string& step) const {
  std::vector<std::string> names;
  for (std::size_t head = 1; head <= num_heads; ++head) names.push_back(prefix(head) + step);
  return names;
}

AllHeads all_heads(const Options& options) {
  AllHeads all{.followed = one_head(options), .Q = {}, .K = {}, .V = {}, .heads = {}, .weights = {}, .contexts = {}};
  const World& world = all.followed.world;
  const Tensor& X = all.followed.X;
  all.num_heads = world.num_heads;
  all.head_dim = all.followed.head_dim;
  all.Q = linear(X, world.weights.W_Q);
  all.K = linear(X, world.weights.W_K);
  all.V = linear(X, world.weights.W_V);
  for (std::size_t head = 1; head <= all.num_heads; ++head) {
    const auto columns = [&](const Tensor& of_all) { return slice(of_all, -1, all.begin(head), all.end(head)); };
    all.heads.push_back(
        scaled_dot_product_attention(columns(all.Q), columns(all.K), columns(all.V), keep_where(all.followed.mask)));
    all.weights.push_back(all.heads.back().weights);
    all.contexts.push_back(all.heads.back().context);
  }
  return all;
}

void record_Q_K_V(Board& board, const AllHeads& all) {
  const World& world = all.followed.world;
  record_until(board, all.followed, Until::X);
  board.record("W_Q", world.weights.W_Q, given().with_columns(world.channel_names));
  board.record("W_K", world.weights.W_K, given().with_columns(world.channel_names));
  board.record("W_V", world.weights.W_V, given().with_columns(world.channel_names));
  board.record("Q", all.Q, linear("X", "W_Q"));
  board.record("K", all.K, linear("X", "W_K"));
  board.record("V", all.V, linear("X", "W_V"));
}

void record_heads(Board& board, const AllHeads& all) {
  const World& world = all.followed.world;
  board.record("mask", all.followed.mask, given().with_rows(world.token_texts()).with_columns(world.token_texts()));
  for (std::size_t head = 1; head <= all.num_heads; ++head) {
    record_head(board, world, all.prefix(head), head, all.heads[head - 1]);
  }
}

void show_weights_of_heads(Board& board, const AllHeads& all) {
  const std::size_t shown = std::min(all.num_heads, pictured_heads);
  std::vector<TableEntry> pictures;
  for (std::size_t h = 1; h <= shown; ++h) {
    pictures.push_back({all.prefix(h) + "weights", "head " + std::to_string(h), {}});
  }
  board.panels(pictures, {.cell = 1, .top = 1.0});
  for (std::size_t h = 1; h <= shown; ++h) {
    board.notice("{head}: {largest}", {{"head", head_in_words(all.followed.world, h)},
                                       {"largest", largest_weights(all.followed.world, all.weights[h - 1])}});
  }
}

}  // namespace attn
