#include "support/record/record_head.hpp"

#include "support/words/words.hpp"
#include "tensor/rearrange.hpp"

#include <cmath>

namespace attn {

std::vector<std::string> names_of_head(const World& world, const std::vector<std::string>& names, std::size_t head) {
  if (names.empty()) return {};
  const std::size_t head_dim = world.d_model / world.num_heads;
  const auto begin = names.begin() + static_cast<std::ptrdiff_t>((head - 1) * head_dim);
  return {begin, begin + static_cast<std::ptrdiff_t>(head_dim)};
}

void record_attention(Board& board, const std::string& prefix, const AttentionSteps& steps, Until until) {
  if (until < Until::scores) return;
  board.record(prefix + "scores", steps.scores, matmul_transposed(prefix + "Q", prefix + "K"));
  if (until < Until::scaled) return;
  const std::size_t head_dim = board.trace().step(prefix + "Q").value.dim(-1);
  board.record(prefix + "scaled", steps.scaled,
               scale(prefix + "scores", 1.0F / std::sqrt(static_cast<float>(head_dim))));
  if (until < Until::masked) return;
  board.record(prefix + "masked", steps.masked, mask_fill(prefix + "scaled", "mask"));
  if (until < Until::weights) return;
  board.record(prefix + "weights", steps.weights, softmax(prefix + "masked", -1));
  if (until < Until::context) return;
  board.record(prefix + "context", steps.context, matmul(prefix + "weights", prefix + "V"));
}

void record_head(Board& board, const World& world, const std::string& prefix, std::size_t head,
                 const AttentionSteps& steps) {
  if (!prefix.empty()) {
    const std::size_t head_dim = world.d_model / world.num_heads;
    const std::size_t begin = (head - 1) * head_dim;
    const auto columns = [&](const char* name, const std::vector<std::string>& names) {
      const Tensor part = slice(board.trace().step(name).value, -1, begin, begin + head_dim);
      board.record(prefix + name, part,
                   slice(name, 1, begin, begin + head_dim).with_columns(names_of_head(world, names, head)));
    };
    columns("Q", world.query_names);
    columns("K", world.key_names);
    columns("V", world.value_names);
  }
  record_attention(board, prefix, steps, Until::context);
}

void record_looks(Board& board, const World& world, const std::vector<AttentionSteps>& heads, std::size_t i) {
  std::vector<Tensor> looks;
  std::vector<std::string> names;
  for (std::size_t h = 1; h <= heads.size(); ++h) {
    const std::string prefix = heads.size() == 1 ? "" : "head" + std::to_string(h) + ".";
    names.push_back(prefix + "look");
    looks.push_back(slice(heads[h - 1].weights, 0, i, i + 1));
    board.record(names.back(), looks.back(), slice(prefix + "weights", 0, i, i + 1));
  }
  board.record("looks", concat(looks, 0), concat(names, 0).with_rows(head_labels(world)));
}

void show_looks(Board& board, const World& world, const std::vector<AttentionSteps>& heads, std::size_t i) {
  record_looks(board, world, heads, i);
  board.table({{"looks"}}, {.shaded = true, .top = 1.0});
}

void show_rows(Board& board, const std::string& name, const std::vector<std::string>& steps,
               const std::vector<std::string>& labels, std::size_t i, const Look& look) {
  std::vector<Tensor> rows;
  std::vector<std::string> parts;
  for (const std::string& step : steps) {
    const Tensor matrix = board.trace().step(step).value;
    const bool whole = matrix.dim(0) == 1;
    parts.push_back(whole ? step : name + "." + step);
    rows.push_back(whole ? matrix : slice(matrix, 0, i, i + 1));
    if (!whole) board.record(parts.back(), rows.back(), slice(step, 0, i, i + 1));
  }
  board.show(name, concat(rows, 0), concat(parts, 0).with_rows(labels), look);
}

}  // namespace attn
