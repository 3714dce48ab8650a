#include "support/words/thread_words.hpp"

#include "board/digits.hpp"
#include "support/record/counted_bytes.hpp"
#include "support/record/false_sharing.hpp"
#include "support/record/measured_threads.hpp"
#include "support/words/words.hpp"
#include "tensor/close.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace attn {

namespace {

/// The measured share that one thread works alone, what Amdahl's law makes of it, and the measured speedups.
std::string what_was_measured(const ThreadTimes& times) {
  const double law = speedup_by_amdahl(times.alone(), 2);
  const double measured = times.one / times.two;
  const double fused = times.fused_one / times.fused_two;
  const std::string text = fmt::format(
      "With tables one thread works alone for s = {}: by Amdahl's law two threads are {} times as fast, measured {} "
      "times. The fused kernel has no tables: measured {} times.",
      fixed(times.alone(), 2), fixed(law, 2), fixed(measured, 2), fixed(fused, 2));
  if (fused < 1.5) return text + " Two threads should gain more there: the machine was busy, or has one core.";
  if (measured < 1.1 * law && measured > 0.95 * law) return text;
  if (measured < law && measured > 0.75 * law) {
    return text + " The law is the most there can be: to wake a thread and to share the memory take time, too.";
  }
  return text + " Where law and clock are far apart, the machine was busy with something else.";
}

}  // namespace

std::string who_writes(const Trace& trace, const std::vector<std::string>& names) {
  std::vector<std::string> counts;
  for (const std::string& name : names) {
    const Tensor& writes = trace.step(name + ".writes").value;
    counts.push_back(fmt::format("{} of {}", count_of_ones(writes), writes.size()));
  }
  return fmt::format("Cells that exactly one thread writes, counted: {}.", listed(counts));
}

std::string how_equal(const Tensor& one, const Tensor& two, const Tensor& three) {
  return fmt::format("{} on two threads, {} on three", difference_text(largest_difference(two, one).largest),
                     difference_text(largest_difference(three, one).largest));
}

std::string what_the_items_are(std::size_t num_heads) {
  if (num_heads == 1) return fmt::format("A text of up to {} words in one head is a single item.", fused_query_block());
  return fmt::format("A text of up to {} words in {} heads is {} items.", fused_query_block(), num_heads, num_heads);
}

std::string what_rounds_say(const Trace& trace) {
  const auto heads = static_cast<std::size_t>(trace.step("heads.all").value(0));
  const Tensor& rounds = trace.step("rounds").value;
  std::string text = heads == 1 ? "One head is one item, and no second thread can help with it."
                                : fmt::format("No more than {} threads can help with {} heads.", heads, heads);
  for (std::size_t j = 0; j + 1 < rounds.dim(1); ++j) {
    if (heads > 1 && rounds(1, j) == rounds(1, j + 1) && rounds(0, j) > 1.0F) {
      text += fmt::format(" {} are as fast as {}: some thread still computes {} heads.",
                          trace.step("rounds").columns[j + 1], trace.step("rounds").columns[j],
                          short_number(static_cast<double>(rounds(0, j)), 0));
      break;
    }
  }
  return text + " Long texts have more items, one for each head and each block of queries.";
}

std::string what_amdahl_says(const Trace& trace) {
  const Tensor& s = trace.step("s").value;
  const Step& speedup = trace.step("speedup");
  const std::size_t last = speedup.value.dim(1) - 1;
  std::string text = "With endless threads the time is s, and the speedup 1 / s:";
  for (std::size_t i = 0; i < s.dim(0); ++i) {
    text +=
        fmt::format("{} {} for {}", i == 0 ? "" : ",", fixed(1.0 / static_cast<double>(s(i, 0)), 0), speedup.rows[i]);
  }
  return text + fmt::format(". With {} the last is {}.", speedup.columns[last],
                            fixed(static_cast<double>(speedup.value(s.dim(0) - 1, last)), 1));
}

std::string what_lines_say() {
  const auto on_lines = [](std::size_t apart) {
    std::vector<std::string> lines;
    for (const std::size_t line : lines_of_counters(4, apart)) lines.push_back(std::to_string(line));
    return listed(lines);
  };
  return fmt::format("By their addresses the counters near each other are on lines {}, those a line apart on lines {}.",
                     on_lines(1), on_lines(doubles_of_line));
}

void show_measured_shares(Board& board) {
  if (!board.shows_times()) return board.measured({});
  const ThreadTimes times = measure_threads();
  const auto percent = [&](double seconds) { return 100.0 * seconds / times.one; };
  board.measured({.unit = "% of time",
                  .rows = {{"Q K^T and weights V", percent(times.products)},
                           {"softmax", percent(times.softmax)},
                           {"the rest, on one thread", 100.0 * times.alone()}},
                  .compared = false});
  board.notice("{s}", {{"s", what_was_measured(times)}});
}

void show_measured_sharing(Board& board) {
  if (!board.shows_times()) return board.measured({});
  constexpr double million = 1e6;
  const double near = additions_in_a_second(1) / million;
  const double apart = additions_in_a_second(doubles_of_line) / million;
  board.measured({.unit = "million additions/s", .rows = {{"two threads, near", near}, {"a line apart", apart}}});
  board.notice("{s}", {{"s", apart > 1.2 * near
                                 ? "Nothing but the distance of the two counters differs."
                                 : "Here the distance hardly matters: where both threads run on one core, as on a busy "
                                   "machine, the line need not travel."}});
}

}  // namespace attn
