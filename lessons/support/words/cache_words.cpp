#include "support/words/cache_words.hpp"

#include "board/digits.hpp"
#include "support/record/cache_steps.hpp"
#include "support/words/words.hpp"

#include <fmt/core.h>

#include <string>

namespace attn {

namespace {

std::string number_of(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string difference(const Trace& trace, const char* got, const char* want) {
  return difference_in_words(trace.step(got).value, trace.step(want).value);
}

/// A sum of counts that the trace has as a float.
std::size_t total_of(const Trace& trace, std::size_t row) {
  return static_cast<std::size_t>(trace.step("work_sum").value(row));
}

}  // namespace

std::string what_is_there_at_first(std::size_t seq_len, std::size_t begin) {
  if (begin == 0) return "The cache is empty at first.";
  return fmt::format("The first {} of these {} words were given and read at once; the last {} are written.", begin,
                     seq_len, seq_len - begin);
}

std::string what_one_step_takes(const World& world, const Trace& trace) {
  const std::size_t last = world.tokens.size() - 1;
  const Tensor& scores = trace.step(step_prefix(last) + "scores").value;
  if (last == 0) return "The first word finds an empty cache, and looks at itself alone.";
  return fmt::format(
      "Each row is a step of its own, and is never computed again. The last, {}, made one query, one key and one "
      "value, found {} stored, and computed {} scores.",
      name_of(world, last), number_of(last, "key and its value", "keys and their values"), scores.size());
}

std::string what_moves(const Trace& trace) {
  // `moved` holds how far each row moves, so that it differs from 0 by that.
  const auto moves = [&](const char* step) {
    const Tensor& moved = trace.step(step).value;
    return difference_of(moved, Tensor(moved.shape()));
  };
  const Value open = moves("open.moved");
  const Value causal = moves("causal.moved");
  const std::string counts = fmt::format("Without a mask they move by up to {}, with the causal mask by {}.",
                                         in_words(open), in_words(causal));
  if (!is_none(causal)) return counts;
  if (is_none(open)) return counts + " Here nothing shows: the last word gets no attention, or brings nothing new.";
  return counts +
         " A layer above (lesson 20) makes keys of contexts; without the mask stored ones are outdated. So writing "
         "needs the mask, too.";
}

std::string what_is_saved(const Trace& trace) {
  const std::size_t n = trace.step("work").value.dim(1);
  if (n == 1) return "The first word has no past: there is nothing to compute again yet.";
  std::size_t computed = 0;
  for (std::size_t t = first_written(n); t < n; ++t) computed += trace.step(step_prefix(t) + "scores").value.size();
  const std::string counted = first_written(n) == 0 ? fmt::format("the steps of part 1 computed {} scores", computed)
                                                    : fmt::format("the {} steps of part 1 computed {} of these scores",
                                                                  n - first_written(n), computed);
  return fmt::format(
      "Rows of K: {}, not {}. Scores: {} ({}), not {}. It is the same with V. A query is read in its own step only, so "
      "nobody keeps it.",
      total_of(trace, 2), total_of(trace, 3), total_of(trace, 4), counted, total_of(trace, 5));
}

std::string what_is_stored(std::size_t seq_len, std::size_t head_dim, std::size_t num_heads) {
  const std::size_t numbers = 2 * seq_len * head_dim;
  return fmt::format(
      "Stored are K and V: 2 · {} · {} = {} numbers; of {}, at 4 bytes each, {} bytes, {} a word. A "
      "model of 32 layers, d_model 4096, 2 bytes a number, stores 32 · 2 · 4096 · 2 = {} bytes a word.",
      seq_len, head_dim, numbers, number_of(num_heads, "head", "heads"), 4 * numbers * num_heads,
      8 * head_dim * num_heads, 32 * 2 * 4096 * 2);
}

std::string what_corners_do(const World& world, const Trace& trace) {
  const std::size_t chunk = trace.step("corner.want").value.dim(0);
  const std::size_t last = world.tokens.size() - 1;
  const std::string off = fmt::format(
      "Contexts differ from all at once by up to {} top left, {} without a mask, {} bottom right.",
      difference(trace, "corner.left_context", "corner.want"), difference(trace, "corner.open_context", "corner.want"),
      difference(trace, "corner.right_context", "corner.want"));
  if (last == 0) return "One query, one key: both corners are the same. " + off;
  return fmt::format(
      "From the top left, the last word alone gets the mask's first row, and sees {} only. {} Without a mask one word "
      "is right, but of {} the first sees the second.",
      name_of(world, 0), off, chunk);
}

}  // namespace attn
