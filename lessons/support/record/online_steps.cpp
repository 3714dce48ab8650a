#include "support/record/online_steps.hpp"

#include "support/record/record_head.hpp"
#include "support/words/pytorch_lines.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace attn {

namespace {

constexpr std::size_t most_blocks = 8;

const Tensor& value(const Board& board, const std::string& name) {
  return board.trace().step(name).value;
}

std::string block_prefix(std::size_t number) {
  return number == 0 ? "start." : fmt::format("block{}.", number);
}

/// How many blocks are recorded so far.
std::size_t blocks_of(const Trace& trace) {
  std::size_t count = 0;
  while (trace.has(block_prefix(count + 1) + "collected")) ++count;
  return count;
}

/// A list of one number as a table of one, so that it lies beside others.
std::string record_column(Board& board, const std::string& name, const std::string& list) {
  board.record(name, reshape(value(board, list), {1, 1}), reshape(list).with_rows(board.trace().step("row").rows));
  return name;
}

}  // namespace

std::size_t keys_of_block(std::size_t seq_len) {
  return std::max<std::size_t>(3, (seq_len + most_blocks - 1) / most_blocks);
}

void record_start(Board& board, std::size_t i, const OnlineSoftmax& start) {
  board.record("row", slice(value(board, "masked"), 0, i, i + 1), slice("masked", 0, i, i + 1));
  const std::vector<std::string> word = board.trace().step("row").rows;
  board.record("start.largest", start.largest, given().with_rows(word));
  board.record("start.total", start.total, given().with_rows(word));
  board.record("start.collected", start.collected,
               given().with_rows(word).with_columns(board.trace().step("V").columns));
}

void record_block(Board& board, std::size_t begin, std::size_t end, const OnlineBlock& block) {
  const std::size_t number = blocks_of(board.trace()) + 1;
  const std::string own = block_prefix(number);
  const std::string last = block_prefix(number - 1);
  const auto& [largest, total, collected] = block.after;

  board.record(own + "scores", slice(value(board, "row"), 1, begin, end), slice("row", 1, begin, end));
  board.record(own + "values", slice(value(board, "V"), 0, begin, end), slice("V", 0, begin, end));
  board.record(own + "own", max(value(board, own + "scores"), -1), max(own + "scores", -1));

  board.record(own + "seen", concat({value(board, last + "largest"), value(board, own + "scores")}, -1),
               concat({last + "largest", own + "scores"}, -1));
  board.record(own + "most", max(value(board, own + "seen"), -1), max(own + "seen", -1));
  record_column(board, own + "largest", own + "most");

  board.record(own + "fall", subtract(value(board, last + "largest"), largest),
               subtract(last + "largest", own + "largest"));
  board.record(own + "factor", block.factor, exp(own + "fall"));
  board.record(own + "lowered", subtract(value(board, own + "scores"), largest),
               subtract(own + "scores", own + "largest"));
  board.record(own + "powers", block.powers, exp(own + "lowered"));

  board.record(own + "kept", multiply(value(board, last + "total"), block.factor),
               multiply(last + "total", own + "factor"));
  board.record(own + "sum", sum(block.powers, -1), sum(own + "powers", -1));
  record_column(board, own + "new", own + "sum");
  board.record(own + "total", total, add(own + "kept", own + "new"));

  board.record(own + "kept_values", multiply(value(board, last + "collected"), block.factor),
               multiply(last + "collected", own + "factor"));
  board.record(own + "new_values", matmul(block.powers, value(board, own + "values")),
               matmul(own + "powers", own + "values"));
  board.record(own + "collected", collected, add(own + "kept_values", own + "new_values"));
}

void record_result(Board& board, std::size_t i, const Tensor& online) {
  const std::size_t count = blocks_of(board.trace());
  std::vector<Tensor> rows;
  std::vector<std::string> names;
  std::vector<std::string> labels;
  std::vector<std::string> columns = {"own", "max", "factor", "total"};
  for (const std::string& name : board.trace().step("V").columns) columns.push_back(name);
  if (columns.size() == 4) {  // no names: the channels' numbers
    for (std::size_t d = 0; d < online.dim(1); ++d) columns.push_back(std::to_string(d));
  }
  for (std::size_t number = 1; number <= count; ++number) {
    const std::string own = block_prefix(number);
    const std::vector<std::string> parts = {record_column(board, own + "own_largest", own + "own"), own + "largest",
                                            own + "factor", own + "total", own + "collected"};
    std::vector<Tensor> values;
    for (const std::string& part : parts) values.push_back(value(board, part));
    rows.push_back(concat(values, -1));
    names.push_back(own + "state");
    labels.push_back(fmt::format("block{}", number));
    board.record(names.back(), rows.back(), concat(parts, -1).with_columns(columns));
  }
  board.record("state", concat(rows, 0), concat(names, 0).with_rows(labels).with_columns(columns));

  const std::string last = block_prefix(count);
  board.record("online", online, divide(last + "collected", last + "total"));
  board.record("whole", slice(value(board, "context"), 0, i, i + 1), slice("context", 0, i, i + 1));
}

void by_hand_of_blocks(Board& board) {
  const Tensor& state = value(board, "state");
  std::size_t number = std::min<std::size_t>(2, state.dim(0));
  for (std::size_t b = state.dim(0); b > 1; --b) {
    if (state(b - 1, 1) > state(b - 2, 1)) number = b;
  }
  const std::string own = block_prefix(number);
  board.by_hand(own + "factor", {0, 0});
  board.by_hand(own + "kept", {0, 0});
  board.by_hand(own + "total", {0, 0});
}

std::vector<std::size_t> columns_of_state(const OneHead& head) {
  std::vector<std::size_t> columns = {0, 1, 2, 3};
  for (const std::size_t column : head.columns) columns.push_back(4 + column);
  return columns;
}

Tensor context_from(float start, const Tensor& scores, const Tensor& V, std::size_t keys) {
  OnlineSoftmax seen = nothing_seen(1, V.dim(1));
  seen.largest = Tensor({1, 1}, start);
  for (std::size_t j = 0; j < scores.dim(1); j += keys) {
    const std::size_t end = std::min(j + keys, scores.dim(1));
    seen = take_block(seen, slice(scores, 1, j, end), slice(V, 0, j, end)).after;
  }
  return divide(seen.collected, seen.total);
}

std::vector<std::string> pytorch_lines_of_blocks(const OneHead& head, const Options& options) {
  std::vector<std::string> lines = pytorch_lines_to_masked(head.world, options, head.head);
  for (const std::string& line : pytorch_lines_of_values(head.world, head.head)) lines.push_back(line);
  const std::size_t seq_len = head.world.tokens.size();
  const std::size_t keys = keys_of_block(seq_len);
  const std::vector<std::string> loop = {
      fmt::format("row = s[{0}:{1}]", head.i, head.i + 1),
      "m, l, o = torch.tensor(-torch.inf), 0, 0    # largest, total, collected",
      fmt::format("for j in range(0, {}, {}):", seq_len, keys),
      fmt::format("    s_j, V_j = row[:, j:j+{0}], V[j:j+{0}]", keys),
      "    new = torch.maximum(m, s_j.max())",
      "    f, p = (m - new).exp(), (s_j - new).exp()",
      "    l, o = l * f + p.sum(), o * f + p @ V_j",
      "    m = new",
      "print(o / l)",
      "print(torch.softmax(row, dim=-1) @ V)    # all at once",
  };
  lines.insert(lines.end(), loop.begin(), loop.end());
  return lines;
}

}  // namespace attn
