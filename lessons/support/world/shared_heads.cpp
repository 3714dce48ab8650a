#include "support/world/shared_heads.hpp"

#include "attention/kinds/grouped_heads.hpp"
#include "attention/multi_head.hpp"
#include "support/words/pytorch_lines.hpp"
#include "support/words/words.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace attn {

namespace {

/// The rows of W_K or W_V by groups of heads: [num_kv_heads, group, head_dim, d_model].
Tensor by_groups(const Tensor& W, const AllHeads& all, std::size_t num_kv_heads) {
  return reshape(W, {num_kv_heads, all.num_heads / num_kv_heads, all.head_dim, W.dim(1)});
}

/// One head for each group, with the mean of its rows: [num_kv_heads * head_dim, d_model].
Tensor mean_of_groups(const Tensor& W, const AllHeads& all, std::size_t num_kv_heads) {
  return reshape(mean(by_groups(W, all, num_kv_heads), 1), {num_kv_heads * all.head_dim, W.dim(1)});
}

/// K or V (`letter`), from the weights of all heads to one head for each query head.
void record_keys_or_values(Board& board, const AllHeads& all, const SharedHeads& shared, const std::string& prefix,
                           const std::string& letter) {
  const std::size_t group = all.num_heads / shared.num_kv_heads;
  const Tensor& by_heads = letter == "K" ? shared.K : shared.V;
  if (group == 1 && all.num_heads > 1) {  // nothing is shared
    board.record(prefix + letter, by_heads, split_heads(letter, all.num_heads));
    return;
  }
  const World& world = all.followed.world;
  const std::string W = "W_" + letter;
  const Tensor& all_rows = letter == "K" ? world.weights.W_K : world.weights.W_V;
  const Tensor& rows = letter == "K" ? shared.W_K : shared.W_V;
  const Tensor groups = by_groups(all_rows, all, shared.num_kv_heads);
  board.record(prefix + W + "_groups", groups, reshape(W).with_columns(world.channel_names));
  board.record(prefix + W + "_mean", mean(groups, 1), mean(prefix + W + "_groups", 1));
  board.record(prefix + W, rows, reshape(prefix + W + "_mean").with_columns(world.channel_names));
  board.record(prefix + letter + "_side_by_side", linear(all.followed.X, rows, world.compute), linear("X", prefix + W));
  board.record(prefix + letter, by_heads, split_heads(prefix + letter + "_side_by_side", shared.num_kv_heads));
  board.record(prefix + letter + "_repeated", repeat_heads(by_heads, all.num_heads),
               repeat_heads(prefix + letter, group));
}

/// From Q_heads and the step `key`, [num_heads, seq_len, head_dim] each, to the weights, and those of the followed
/// head.
void record_weights(Board& board, const AllHeads& all, const Tensor& weights, const std::string& prefix,
                    const std::string& key) {
  const float factor = 1.0F / std::sqrt(static_cast<float>(all.head_dim));
  const Tensor scores =
      matmul_transposed(board.trace().step("Q_heads").value, board.trace().step(key).value, all.followed.world.compute);
  const Tensor scaled = scale(scores, factor);
  board.record(prefix + "scores", scores, matmul_transposed("Q_heads", key));
  board.record(prefix + "scaled", scaled, scale(prefix + "scores", factor));
  board.record(prefix + "masked", apply_mask(scaled, keep_where(all.followed.mask)),
               mask_fill(prefix + "scaled", "mask"));
  board.record(prefix + "weights", weights, softmax(prefix + "masked", -1));

  const std::size_t head = all.followed.head;  // from 1
  const std::vector<std::string> words = all.followed.world.token_texts();
  const Tensor of_head = slice(weights, 0, head - 1, head);
  board.record(prefix + "head", of_head, slice(prefix + "weights", 0, head - 1, head));
  board.record(prefix + "looks", reshape(of_head, {words.size(), words.size()}),
               reshape(prefix + "head").with_rows(words).with_columns(words));
}

std::vector<std::string> numbers_to(std::size_t count) {
  std::vector<std::string> numbers;
  for (std::size_t k = 1; k <= count; ++k) numbers.push_back(fmt::format("{}", k));
  return numbers;
}

}  // namespace

SharedHeads shared_heads(const AllHeads& all, std::size_t num_kv_heads) {
  if (num_kv_heads == 0 || all.num_heads % num_kv_heads != 0) {
    throw std::invalid_argument(
        fmt::format("shared heads: num_kv_heads ({}) must divide num_heads ({})", num_kv_heads, all.num_heads));
  }
  const OneHead& followed = all.followed;
  const Compute& compute = followed.world.compute;
  SharedHeads shared;
  shared.num_kv_heads = num_kv_heads;
  shared.W_K = mean_of_groups(followed.world.weights.W_K, all, num_kv_heads);
  shared.W_V = mean_of_groups(followed.world.weights.W_V, all, num_kv_heads);
  shared.K = split_heads(linear(followed.X, shared.W_K, compute), num_kv_heads);
  shared.V = split_heads(linear(followed.X, shared.W_V, compute), num_kv_heads);
  shared.steps = grouped_attention(split_heads(all.Q, all.num_heads), shared.K, shared.V,
                                   {.mask = keep_where(followed.mask), .compute = compute});
  return shared;
}

std::size_t smallest_group(std::size_t num_heads) {
  for (std::size_t group = 2; group <= num_heads; ++group) {
    if (num_heads % group == 0) return group;
  }
  return 1;
}

Tensor tile_heads(const Tensor& x, std::size_t num_heads) {
  return concat(std::vector<Tensor>(num_heads / x.dim(0), x), 0);
}

void record_queries(Board& board, const AllHeads& all) {
  const std::vector<std::string> words = all.followed.world.token_texts();
  board.record("mask", all.followed.mask, given().with_rows(words).with_columns(words));
  board.record("Q_heads", split_heads(all.Q, all.num_heads), split_heads("Q", all.num_heads));
}

void record_shared_heads(Board& board, const AllHeads& all, const SharedHeads& shared, const std::string& prefix) {
  record_keys_or_values(board, all, shared, prefix, "K");
  record_keys_or_values(board, all, shared, prefix, "V");
  const std::string repeated = board.trace().has(prefix + "K_repeated") ? "_repeated" : "";
  record_weights(board, all, shared.steps.weights, prefix, prefix + "K" + repeated);
  board.record(prefix + "context", shared.steps.context, matmul(prefix + "weights", prefix + "V" + repeated));
}

void record_ways_to_share(Board& board, const AllHeads& all, const WaysToShare& ways) {
  record_queries(board, all);
  record_shared_heads(board, all, ways.mha, "mha.");
  record_shared_heads(board, all, ways.gqa, "gqa.");
  record_shared_heads(board, all, ways.mqa, "mqa.");
}

void record_tiled(Board& board, const AllHeads& all, const SharedHeads& gqa, const Tensor& K_tiled,
                  const Tensor& weights) {
  board.record("tiled.K", K_tiled, concat(std::vector<std::string>(all.num_heads / gqa.num_kv_heads, "gqa.K"), 0));
  record_weights(board, all, weights, "tiled.", "tiled.K");
}

void record_copies(Board& board, const AllHeads& all, const Tensor& W_K_copies, const Tensor& weights) {
  const std::size_t group = all.num_heads / board.trace().step("gqa.K").value.dim(0);
  const Tensor K = linear(all.followed.X, W_K_copies, all.followed.world.compute);
  board.record("copies.W_K_heads", reshape(W_K_copies, {all.num_heads, all.head_dim, W_K_copies.dim(1)}),
               repeat_heads("gqa.W_K_mean", group));
  board.record("copies.W_K", W_K_copies, reshape("copies.W_K_heads"));
  board.record("copies.K_side_by_side", K, linear("X", "copies.W_K"));
  board.record("copies.K", split_heads(K, all.num_heads), split_heads("copies.K_side_by_side", all.num_heads));
  record_weights(board, all, weights, "copies.", "copies.K");
}

void show_bytes(Board& board, const AllHeads& all, std::size_t num_kv_heads) {
  const auto number = [](std::size_t n) { return static_cast<float>(n); };
  const Tensor heads({3, 1}, {number(all.num_heads), number(num_kv_heads), 1.0F});
  const float per_head = number(2 * all.head_dim * sizeof(float));  // a row of K and one of V
  const float seq_len = number(all.followed.X.dim(0));
  const Tensor of_token = scale(heads, per_head);
  board.record("heads", heads, given().with_rows({"MHA", "GQA", "MQA"}).with_columns({"heads"}));
  board.record("bytes", of_token, scale("heads", per_head).with_columns({"bytes"}));
  board.record("text_bytes", scale(of_token, seq_len), scale("bytes", seq_len).with_columns({"bytes"}));
  board.table({{"heads", "K and V"}, {"bytes", "one token"}, {"text_bytes", "the text"}});
}

void by_hand_of_mean(Board& board, const AllHeads& all, const SharedHeads& gqa) {
  const std::size_t g = (all.followed.head - 1) / (all.num_heads / gqa.num_kv_heads);
  Index largest = {g * all.head_dim, 0};
  for (std::size_t row = g * all.head_dim; row < (g + 1) * all.head_dim; ++row) {
    const std::size_t d = largest_of(gqa.W_K, row, first_columns(gqa.W_K.dim(1)));
    if (std::abs(gqa.W_K(row, d)) > std::abs(gqa.W_K(largest[0], largest[1]))) largest = {row, d};
  }
  board.by_hand("gqa.W_K_mean", {g, largest[0] - g * all.head_dim, largest[1]});
}

void show_whose_keys(Board& board, std::size_t num_heads, std::size_t num_kv_heads) {
  Tensor numbers({num_kv_heads, 1, 1});
  for (std::size_t h = 0; h < num_kv_heads; ++h) numbers(h, 0, 0) = static_cast<float>(h + 1);
  const Tensor repeated = repeat_heads(numbers, num_heads);
  const Tensor tiled = tile_heads(numbers, num_heads);
  const std::size_t group = num_heads / num_kv_heads;
  const auto as_row = [&](const Tensor& x) { return reshape(x, {1, num_heads}); };
  board.record("key_heads", numbers, given());
  board.record("repeated", repeated, repeat_heads("key_heads", group));
  board.record("tiled", tiled, concat(std::vector<std::string>(group, "key_heads"), 0));
  board.record("repeated_row", as_row(repeated), reshape("repeated"));
  board.record("tiled_row", as_row(tiled), reshape("tiled"));
  board.show("asks", concat(std::vector<Tensor>{as_row(repeated), as_row(tiled)}, 0),
             concat(std::vector<std::string>{"repeated_row", "tiled_row"}, 0)
                 .with_rows({"repeat", "tile"})
                 .with_columns(numbers_to(num_heads)));
}

std::vector<std::string> pytorch_lines_of_shared_heads(const AllHeads& all, const Options& options,
                                                       std::size_t num_kv_heads) {
  const World& world = all.followed.world;
  const std::size_t seq_len = all.followed.X.dim(0);
  const std::size_t group = all.num_heads / num_kv_heads;
  std::vector<std::string> lines = pytorch_lines_to_concat(world, options, {});
  const auto heads =
      std::find_if(lines.begin(), lines.end(), [](const std::string& line) { return line.starts_with("Q, K, V = "); });
  lines.erase(heads, lines.end());  // up to X, W_Q, W_K and W_V
  lines.push_back(fmt::format("W_K, W_V = [W.view({}, {}, {}, {}).mean(1).flatten(0, 1)", num_kv_heads, group,
                              all.head_dim, world.d_model));
  lines.emplace_back("    for W in (W_K, W_V)]    # a mean for each group");
  lines.push_back(fmt::format("Q, K, V = [(X @ W.T).view({}, -1, {}).transpose(0, 1)", seq_len, all.head_dim));
  lines.emplace_back("    for W in (W_Q, W_K, W_V)]");
  lines.push_back(fmt::format("K, V = [x.repeat_interleave({}, 0) for x in (K, V)]    # not x.repeat", group));
  lines.push_back(fmt::format("s = Q @ K.transpose(1, 2) / {} ** 0.5", all.head_dim));
  for (const std::string& line : pytorch_lines_of_mask(world, options)) lines.push_back(line);
  lines.emplace_back("w = torch.softmax(s, dim=-1); print(w, w @ V)");
  return lines;
}

}  // namespace attn
