#include "support/record/cache_steps.hpp"

#include "attention/kinds/masks.hpp"
#include "attention/mask.hpp"
#include "support/words/pytorch_lines.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"
#include "tensor/softmax.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace attn {

namespace {

constexpr std::size_t most_written = 16;

const Step& step_of(const Board& board, const std::string& name) {
  return board.trace().step(name);
}

const Tensor& value(const Board& board, const std::string& name) {
  return step_of(board, name).value;
}

/// The labels from `begin` on.
std::vector<std::string> from(const std::vector<std::string>& labels, std::size_t begin) {
  return {labels.begin() + static_cast<std::ptrdiff_t>(begin), labels.end()};
}

std::string record_rows(Board& board, const std::string& step, std::size_t begin, std::size_t end,
                        const std::string& name) {
  board.record(name, slice(value(board, step), 0, begin, end), slice(step, 0, begin, end));
  return name;
}

/// The factor of the step `scaled`, 1 / sqrt(head_dim), as the trace has it.
float factor_of(const Board& board) {
  return static_cast<float>(step_of(board, "scaled").origin.attribute("factor"));
}

/// Records the way from queries and keys to scaled scores; the last step's name.
std::string record_scaled(Board& board, const std::string& query, const std::string& key, const std::string& prefix,
                          const Compute& compute) {
  board.record(prefix + "scores", matmul_transposed(value(board, query), value(board, key), compute),
               matmul_transposed(query, key));
  board.record(prefix + "scaled", scale(value(board, prefix + "scores"), factor_of(board)),
               scale(prefix + "scores", factor_of(board)));
  return prefix + "scaled";
}

/// Records softmax of scores as `name`, and what is collected with it as `context`.
void record_attending(Board& board, const std::string& scores, const std::string& values, const std::string& name,
                      const std::string& context, const Compute& compute) {
  board.record(name, softmax(value(board, scores), -1, compute), softmax(scores, -1));
  board.record(context, matmul(value(board, name), value(board, values), compute), matmul(name, values));
}

std::string record_masked(Board& board, const std::string& scores, const std::string& mask, const std::string& name) {
  board.record(name, mask_fill(value(board, scores), value(board, mask)), mask_fill(scores, mask));
  return name;
}

/// Records how far each row moves at most, [1, rows], as prefix + "moved".
void record_moved(Board& board, const std::string& before, const std::string& after, const std::string& prefix) {
  board.record(prefix + "difference", subtract(value(board, after), value(board, before)), subtract(after, before));
  board.record(prefix + "distance", abs(value(board, prefix + "difference")), abs(prefix + "difference"));
  board.record(prefix + "largest", max(value(board, prefix + "distance"), -1), max(prefix + "distance", -1));
  const Tensor& largest = value(board, prefix + "largest");
  board.record(prefix + "moved", reshape(largest, {1, largest.dim(0)}),
               reshape(prefix + "largest").with_columns(step_of(board, before).rows));
}

}  // namespace

std::size_t first_written(std::size_t seq_len) {
  return seq_len > most_written ? seq_len - most_written : 0;
}

std::string step_prefix(std::size_t t) {
  return fmt::format("step{}.", t + 1);
}

void record_start(Board& board, const KeyValueCache& cache) {
  if (cache.seq_len() == 0) return;
  record_rows(board, "K", 0, cache.seq_len(), "start.K");
  record_rows(board, "V", 0, cache.seq_len(), "start.V");
}

void record_step(Board& board, std::size_t t, const KeyValueCache& cache, const FamilySteps& step,
                 const Compute& compute) {
  const std::string own = step_prefix(t);
  const std::size_t begin = first_written(step_of(board, "X").value.dim(0));
  const std::string x = record_rows(board, "X", t, t + 1, own + "x");
  for (const auto& [name, weight] : {std::pair{"query", "W_Q"}, {"key", "W_K"}, {"value", "W_V"}}) {
    board.record(own + name, linear(value(board, x), value(board, weight), compute), linear(x, weight));
  }
  const auto joined = [&](const std::string& kept, const std::string& added) {
    std::vector<std::string> parts;
    if (t > begin) parts.push_back(step_prefix(t - 1) + kept);
    if (t == begin && begin > 0) parts.push_back("start." + kept);
    parts.push_back(own + added);
    return concat(parts, 0);
  };
  board.record(own + "K", cache.key, joined("K", "key"));
  board.record(own + "V", cache.value, joined("V", "value"));
  board.record(own + "scores", step.scores, matmul_transposed(own + "query", own + "K"));
  board.record(own + "scaled", step.scaled, scale(own + "scores", factor_of(board)));
  board.record(own + "weights", step.weights, softmax(own + "scaled", -1));
  board.record(own + "context", step.context, matmul(own + "weights", own + "V"));
}

void record_written(Board& board, std::size_t seq_len) {
  const std::vector<std::string> words = step_of(board, "X").rows;
  const std::size_t begin = first_written(seq_len);
  std::vector<Tensor> rows;
  std::vector<Tensor> contexts;
  std::vector<std::string> names_of_rows;
  std::vector<std::string> names_of_contexts;
  for (std::size_t t = begin; t < seq_len; ++t) {
    const std::string own = step_prefix(t);
    std::string row = own + "weights";
    if (t + 1 < seq_len) {
      const Tensor nothing({1, seq_len - t - 1});
      board.record(own + "not_there", nothing, given().with_columns(from(words, t + 1)));
      board.record(own + "row", concat({value(board, row), nothing}, 1), concat({row, own + "not_there"}, 1));
      row = own + "row";
    }
    names_of_rows.push_back(row);
    rows.push_back(value(board, row));
    names_of_contexts.push_back(own + "context");
    contexts.push_back(value(board, own + "context"));
  }
  board.record("written.weights", concat(rows, 0), concat(names_of_rows, 0));
  board.record("written.context", concat(contexts, 0), concat(names_of_contexts, 0));
  record_rows(board, "weights", begin, seq_len, "weights.last");
  record_rows(board, "context", begin, seq_len, "context.last");
}

void record_old_words(Board& board, std::size_t seq_len, const Compute& compute) {
  const std::size_t before = seq_len - 1;
  for (const char* name : {"Q", "K", "V"}) record_rows(board, name, 0, before, std::string("old.") + name);
  const std::string scaled = record_scaled(board, "old.Q", "old.K", "old.", compute);

  record_attending(board, scaled, "old.V", "open.old", "open.before", compute);
  record_attending(board, "scaled", "V", "open.weights", "open.context", compute);
  record_moved(board, "open.before", record_rows(board, "open.context", 0, before, "open.after"), "open.");

  const Tensor mask = causal_mask(before);
  board.record("old.mask", mask,
               given().with_rows(step_of(board, scaled).rows).with_columns(step_of(board, scaled).columns));
  const std::string masked = record_masked(board, scaled, "old.mask", "old.masked");
  record_attending(board, masked, "old.V", "causal.old", "causal.before", compute);
  record_moved(board, "causal.before", record_rows(board, "context", 0, before, "causal.after"), "causal.");
}

void record_work(Board& board, std::size_t seq_len) {
  const std::vector<std::string> words = step_of(board, "X").rows;
  const auto row_of = [&](const std::string& step) {
    board.record(step + "_row", reshape(value(board, step), {1, seq_len}), reshape(step).with_columns(words));
    return step + "_row";
  };
  board.record("work.one", Tensor({1, seq_len}, 1.0F), given().with_columns(words));
  board.record("work.key_read", sum(value(board, "mask"), 0), sum("mask", 0));
  board.record("work.so_far", sum(value(board, "mask"), -1), sum("mask", -1));
  const std::string so_far = row_of("work.so_far");
  const std::string key_read = row_of("work.key_read");
  board.record("work.squared", multiply(value(board, so_far), value(board, so_far)), multiply(so_far, so_far));
  const std::vector<std::string> steps = {"work.one", key_read, "work.one", so_far, so_far, "work.squared"};
  std::vector<Tensor> rows;
  for (const std::string& step : steps) rows.push_back(value(board, step));
  board.record(
      "work", concat(rows, 0),
      concat(steps, 0).with_rows({"query read", "key read", "rows of K", "rows again", "scores", "scores again"}));
  board.record("work_sum", sum(value(board, "work"), -1), sum("work", -1));
}

void record_corners(Board& board, const Tensor& top_left, const Tensor& bottom_right, const Compute& compute) {
  const std::vector<std::string> words = step_of(board, "X").rows;
  const std::size_t seq_len = words.size();
  const std::size_t chunk = top_left.dim(0);
  record_rows(board, "Q", seq_len - chunk, seq_len, "corner.Q");
  const std::string scaled = record_scaled(board, "corner.Q", "K", "corner.", compute);
  record_attending(board, scaled, "V", "corner.open", "corner.open_context", compute);
  for (const auto& [name, mask] : {std::pair{"left", &top_left}, {"right", &bottom_right}}) {
    const std::string own = std::string("corner.") + name;
    board.record(own + "_mask", *mask, given().with_rows(from(words, seq_len - chunk)).with_columns(words));
    record_attending(board, record_masked(board, scaled, own + "_mask", own + "_masked"), "V", own, own + "_context",
                     compute);
  }
  record_rows(board, "context", seq_len - chunk, seq_len, "corner.want");

  const std::string last = record_rows(board, "scaled", seq_len - 1, seq_len, "alone.scaled");
  for (const auto& [name, corner] : {std::pair{"left", Corner::top_left}, {"right", Corner::bottom_right}}) {
    const std::string own = std::string("alone.") + name;
    const Tensor mask = causal_mask({.seq_len_q = 1, .seq_len_kv = seq_len, .corner = corner});
    board.record(own + "_mask", mask, given().with_rows({words.back()}).with_columns(words));
    record_attending(board, record_masked(board, last, own + "_mask", own + "_masked"), "V", own, own + "_context",
                     compute);
  }
}

std::vector<std::string> pytorch_lines_of_cache(const OneHead& head, const Options& options) {
  std::vector<std::string> lines = pytorch_lines_to_scaled(head.world, options, head.head);
  for (const std::string& line : pytorch_lines_of_values(head.world, head.head)) lines.push_back(line);
  lines.insert(lines.end(),
               {"K_all, V_all, contexts = K[:0], V[:0], []    # an empty cache",
                fmt::format("for t in range({}):", head.world.tokens.size()),
                "    K_all = torch.cat([K_all, K[t:t+1]])", "    V_all = torch.cat([V_all, V[t:t+1]])",
                fmt::format("    w = torch.softmax(Q[t:t+1] @ K_all.T / {} ** 0.5, dim=-1)", head.head_dim),
                "    contexts.append(w @ V_all)", "print(torch.cat(contexts))",
                "s = s.masked_fill(torch.ones_like(s).triu(1) == 1, -torch.inf)",
                "print(torch.softmax(s, dim=-1) @ V)    # all at once"});
  return lines;
}

}  // namespace attn
