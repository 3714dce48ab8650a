#include "support/world/all_heads.hpp"

#include "support/record/record_head.hpp"
#include "support/record/record_steps.hpp"
#include "support/words/heads_in_words.hpp"
#include "support/words/words.hpp"
#include "tensor/matmul.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"

#include <algorithm>

namespace attn {

std::string AllHeads::prefix(std::size_t head) const {
  return head_prefix(followed.world, head);
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
  all.Q = linear(X, world.weights.W_Q, world.compute);
  all.K = linear(X, world.weights.W_K, world.compute);
  all.V = linear(X, world.weights.W_V, world.compute);
  for (std::size_t head = 1; head <= all.num_heads; ++head) {
    const auto columns = [&](const Tensor& of_all) { return slice(of_all, -1, all.begin(head), all.end(head)); };
    all.heads.push_back(scaled_dot_product_attention(columns(all.Q), columns(all.K), columns(all.V),
                                                     keep_where(all.followed.mask), world.compute));
    all.weights.push_back(all.heads.back().weights);
    all.contexts.push_back(all.heads.back().context);
  }
  return all;
}

Tensor stack(const std::vector<Tensor>& of_each_head) {
  const Tensor& first = of_each_head.front();
  return reshape(concat(of_each_head, 0), {of_each_head.size(), first.dim(0), first.dim(1)});
}

void record_Q_K_V(Board& board, const AllHeads& all) {
  record_until(board, all.followed, Until::X);
  record_Q_K_V(board, all.followed.world, all.Q, all.K, all.V);
}

void record_heads(Board& board, const AllHeads& all) {
  record_heads(board, all.followed.world, all.followed.mask, all.heads);
}

std::vector<TableEntry> of_first_heads(const AllHeads& all, const std::string& step, std::size_t columns,
                                       std::size_t most) {
  std::vector<TableEntry> entries;
  for (std::size_t h = 1; h <= std::min(all.num_heads, most); ++h) {
    entries.push_back(
        {all.prefix(h) + step, "head " + std::to_string(h), first_columns(std::min(columns, all.head_dim))});
  }
  return entries;
}

void record_concat(Board& board, const AllHeads& all) {
  board.record("concat", concat(all.contexts, -1), concat(all.names("context"), 1));
}

namespace {

Tensor record_found(Board& board, const AllHeads& all) {
  const std::size_t i = all.followed.i;
  const Tensor row = slice(board.trace().step("concat").value, 0, i, i + 1);
  const Tensor found = reshape(row, {all.num_heads, all.head_dim});
  board.record("found_row", row, slice("concat", 0, i, i + 1));
  board.record("found", found, reshape("found_row").with_rows(head_labels(all.followed.world)));
  return found;
}

/// What a column called "own" holds, head by head.
void say_what_is_own(Board& board, const World& world) {
  const std::vector<std::string> names = shared_value_names(world);
  const auto own = std::find(names.begin(), names.end(), "own");
  if (own == names.end()) return;
  std::vector<std::string> values;
  for (std::size_t h = 1; h <= world.num_heads; ++h) {
    values.push_back(names_of_head(world, world.value_names, h)[static_cast<std::size_t>(own - names.begin())]);
  }
  board.aside("(own: {values}, each found by one head alone.)", {{"values", listed(values)}});
}

}  // namespace

void show_found(Board& board, const AllHeads& all) {
  record_found(board, all);
  board.table({{"found"}}, {.names = shared_value_names(all.followed.world)});
  say_what_is_own(board, all.followed.world);
}

void show_found_and_average(Board& board, const AllHeads& all, const Tensor& average) {
  const World& world = all.followed.world;
  const std::size_t i = all.followed.i;
  const Tensor found = record_found(board, all);
  const Tensor average_row = slice(average, 0, i, i + 1);
  board.record("total", sum(board.trace().step("stacked").value, 0), sum("stacked", 0).with_rows(world.token_texts()));
  board.record("average", average, scale("total", 1.0F / static_cast<float>(all.num_heads)));
  board.record("average_row", average_row, slice("average", 0, i, i + 1).with_rows({"average"}));
  board.show("heads", concat(std::vector<Tensor>{found, average_row}, 0),
             concat(std::vector<std::string>{"found", "average_row"}, 0), {.names = shared_value_names(world)});
  say_what_is_own(board, world);
}

void record_sum_of_parts(Board& board, const AllHeads& all, const std::vector<Tensor>& parts, const Tensor& added_up) {
  const World& world = all.followed.world;
  const Tensor stacked = stack(parts);
  const auto labelled = [&](const Origin& origin) {
    return origin.with_rows(world.token_texts()).with_columns(world.channel_names);
  };
  board.record("stacked", concat(parts, 0), concat(all.names("part"), 0));
  board.record("parts", stacked, labelled(reshape("stacked")));
  board.record("sum_of_parts", sum(stacked, 0), labelled(sum("parts", 0)));
  board.record("added_up", added_up, add("sum_of_parts", "b_O"));
}

void show_account(Board& board, const AllHeads& all, const std::vector<std::size_t>& channels) {
  std::vector<std::string> steps = all.names("part");
  std::vector<std::string> labels = head_labels(all.followed.world);
  steps.insert(steps.end(), {"b_O_row", "output"});
  labels.insert(labels.end(), {"b_O", "output"});
  const Tensor& b_O = all.followed.world.weights.b_O;
  board.record("b_O_row", reshape(b_O, {1, b_O.size()}), reshape("b_O"));
  show_rows(board, "account", steps, labels, all.followed.i, {.columns = channels});
}

void show_weights_of_heads(Board& board, const AllHeads& all) {
  const std::vector<TableEntry> pictures = of_first_heads(all, "weights", 0);
  board.panels(pictures, {.cell = 1, .top = 1.0});
  for (std::size_t h = 1; h <= pictures.size(); ++h) {
    board.notice("{head}: {largest}", {{"head", head_in_words(all.followed.world, h)},
                                       {"largest", largest_weights(all.followed.world, all.weights[h - 1])}});
  }
}

}  // namespace attn
