#include "support/words/blocked_words.hpp"

#include "board/digits.hpp"
#include "support/record/counted_accesses.hpp"
#include "support/record/counted_work.hpp"
#include "support/record/seven_products.hpp"
#include "support/words/words.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/rearrange.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace attn {

namespace {

/// A count that the trace has as a float.
std::size_t count(const Trace& trace, const char* step, Way way, Region region) {
  return static_cast<std::size_t>(
      trace.step(step).value(static_cast<std::size_t>(way), static_cast<std::size_t>(region)));
}

std::size_t count_all(const Trace& trace, const char* step, Way way) {
  return static_cast<std::size_t>(trace.step(step).value(static_cast<std::size_t>(way), counted_regions.size()));
}

std::size_t misses(const Trace& trace, Way way, Region region) {
  return count(trace, "misses", way, region);
}

constexpr std::size_t lines_of_a_matrix = small_size * small_size / small_cache.line;
constexpr std::size_t lines_of_a_row = small_size / small_cache.line;
constexpr std::size_t lines_of_a_block = small_block * small_block / small_cache.line;
// Rows begin so many lines apart, so lines below each other share these sets.
constexpr std::size_t sets_of_a_column = small_cache.sets / lines_of_a_row;
static_assert(small_cache.sets % lines_of_a_row == 0 && small_block == small_cache.line);

/// A = Q and B = K^T.
ProductData data_of_scores(const Tensor& Q, const Tensor& K) {
  return {
      .sizes = {.rows = Q.dim(0), .columns = K.dim(0), .depth = Q.dim(1)}, .a = Q.values(), .b = transpose(K).values()};
}

double largest_difference(const std::vector<float>& got, const std::vector<float>& want) {
  double largest = 0.0;
  for (std::size_t k = 0; k < got.size(); ++k) {
    const double difference = std::abs(static_cast<double>(got[k]) - static_cast<double>(want[k]));
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}

double times_the_one_before(const MeasuredProducts& measured, Way way) {
  const auto k = static_cast<std::size_t>(way);
  return measured.speeds.rows[k].value / measured.speeds.rows[k - 1].value;
}

}  // namespace

std::string what_scores_take(const Tensor& Q, const Tensor& K) {
  const std::size_t rows = Q.dim(0);
  const std::size_t columns = K.dim(0);
  const std::size_t depth = Q.dim(1);
  constexpr std::size_t words = 2048;
  constexpr std::size_t channels = 64;
  return fmt::format(
      "{} · {} scores, {} products and {} sums each: 2 · {} · {} · {} = {} FLOP ({} products were counted). Of {} "
      "words with {} channels: 2 · {} · {} · {} = {}. All ways below do the same.",
      rows, columns, depth, depth, rows, columns, depth, 2 * rows * columns * depth, count_dot(Q, K).multiplications,
      words, channels, words, words, channels, 2 * words * words * channels);
}

std::string what_the_order_does(const Trace& trace) {
  const std::size_t down = misses(trace, Way::ijk, Region::B);
  const std::size_t along = misses(trace, Way::ikj, Region::B);
  return fmt::format(
      "The same {} accesses in another order. Way 1 goes down a column of B: each number is in another line, and all "
      "{} "
      "lines fall in {} sets of {} places. A line is gone before its neighbours are wanted: of {} reads of B {} "
      "miss. Way 2 goes along the rows, and a line serves {} reads: {} misses.",
      count_all(trace, "accesses", Way::ikj), small_size, sets_of_a_column, small_cache.places,
      count(trace, "accesses", Way::ijk, Region::B), down, small_cache.line, along);
}

std::string what_a_block_does(const Trace& trace) {
  return fmt::format(
      "In way 2 all {} lines of B come again for each of {} rows of A: {} misses. The {} lines of a block "
      "are used for all rows before the next block: {} misses. If none of them were lost in between, it would be {}, "
      "one for each line; but they share {} sets with A's and C's, and some are pushed out.",
      lines_of_a_matrix, small_size, misses(trace, Way::ikj, Region::B), lines_of_a_block,
      misses(trace, Way::blocked, Region::B), lines_of_a_matrix, sets_of_a_column);
}

std::string what_a_tile_does(const Trace& trace) {
  return fmt::format(
      "A tile makes {} products of {} numbers of B and {} of A, and no sum goes to memory in between: {} accesses, not "
      "{}.",
      small_tile_columns * small_tile_rows, small_tile_columns, small_tile_rows,
      count_all(trace, "accesses", Way::tiled), count_all(trace, "accesses", Way::blocked));
}

std::string what_a_copy_does(const Trace& trace) {
  return fmt::format(
      "To copy takes {} accesses more, but the copy's {} lines lie side by side, one in each set: B and its copy miss "
      "{} "
      "times, not {}.",
      count_all(trace, "accesses", Way::packed) - count_all(trace, "accesses", Way::tiled), lines_of_a_block,
      misses(trace, Way::packed, Region::B), misses(trace, Way::tiled, Region::B));
}

std::string whether_ways_agree(const Tensor& Q, const Tensor& K) {
  const ProductData data = data_of_scores(Q, K);
  const std::vector<float> scores = product(Way::ijk, data, 1);
  if (!std::all_of(scores.begin(), scores.end(), [](float score) { return std::isfinite(score); })) {
    return "Some scores of this text are no finite numbers, so no difference between the ways can be told.";
  }
  double plain = 0.0;  // ways 2 to 5
  double fast = 0.0;   // 6 and 7
  for (const Way way : seven_ways) {
    double& largest = way < Way::vectors ? plain : fast;
    largest = std::max(largest, largest_difference(product(way, data, 2), scores));
  }
  const std::string start =
      fmt::format("On this text's Q and K ways 2 to 5 differ from way 1 by {}, 6 and 7", difference_text(plain));
  // How far sums of floats are apart goes by what was added up, not by what is left of it. How far exactly depends on
  // the processor: it may round a product and a sum in one. So a bound is told, which is the same everywhere.
  const std::vector<float> sizes = product(Way::ijk, data_of_scores(abs(Q), abs(K)), 1);
  const double near = 1e-5 * static_cast<double>(std::max(*std::max_element(sizes.begin(), sizes.end()), 1e-6F));
  if (fast <= near) return fmt::format("{} by less than {}.", start, difference_text(near));
  return fmt::format("{} by {}.", start, difference_text(fast));
}

std::string what_was_measured(const MeasuredProducts& measured) {
  const std::vector<Measurement>& speeds = measured.speeds.rows;
  return fmt::format(
      "{} · {} numbers each; {}: {} numbers an instruction; way 7: {} threads (--threads takes more). Peak, as fast as "
      "numbers in registers are multiplied and added: {} GFLOP/s (billion FLOP a second) on one thread, {} on {}. Way "
      "7 is {} times as fast as way 1. All agreed to {}.",
      measured.size, measured.size, measured.level, measured.vector_floats, measured.threads,
      rough(speeds.front().peak), rough(speeds.back().peak), measured.threads,
      rough(speeds.back().value / speeds.front().value), difference_text(measured.largest_difference));
}

std::string why_vectors_gain_more(const MeasuredProducts& measured) {
  const double gain = times_the_one_before(measured, Way::vectors);
  if (gain <= static_cast<double>(measured.vector_floats)) return "";
  // Way 5 is compiled for any processor, and so multiplies in one instruction and adds in the next.
  const char* both =
      measured.multiplies_and_adds ? "one instruction multiplies and adds, where way 5 needs two, and " : "";
  return fmt::format(
      "Way 6 is {} times as fast as way 5. {} numbers at a time are one reason. The others: {}its tile has more sums "
      "under way, so that the processor seldom waits for one.",
      rough(gain), measured.vector_floats, both);
}

std::string which_were_slower(const MeasuredProducts& measured) {
  const auto slower = [&](Way way) { return times_the_one_before(measured, way) < 0.995; };
  std::vector<std::string> ways;
  for (const Way way : {Way::ikj, Way::blocked, Way::tiled, Way::packed}) {
    if (slower(way)) ways.push_back(std::to_string(static_cast<std::size_t>(way) + 1));
  }
  std::string text;
  if (!ways.empty()) {
    const bool one = ways.size() == 1;
    text = fmt::format(
        "{} {} {} slower here than the way before, though {} less: matrices of this size come fast enough from the "
        "caches, and blocks and copies take work, too.",
        one ? "Way" : "Ways", listed(ways), one ? "was" : "were", one ? "it misses" : "they miss");
  }
  if (measured.threads > 1 && slower(Way::threads)) {
    text += fmt::format("{}{} threads were slower than one: the machine is busy, or has one core.",
                        text.empty() ? "" : " ", measured.threads);
  }
  return text;
}

}  // namespace attn
