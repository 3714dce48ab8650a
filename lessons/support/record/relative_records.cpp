#include "support/record/relative_records.hpp"

#include "attention/embedding.hpp"
#include "attention/kinds/alibi.hpp"
#include "attention/kinds/rotary.hpp"
#include "attention/mask.hpp"
#include "attention/positions.hpp"
#include "board/digits.hpp"
#include "support/record/record_head.hpp"
#include "support/words/words.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"
#include "tensor/softmax.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

namespace attn {

namespace {

constexpr std::size_t most_rows = 3;  // of slopes that a table has

Origin turning_of(const char* x, const char* places, std::size_t turning, RotaryLayout layout) {
  return rotate(x, places, {.rotary_dim = turning, .interleaved = layout == RotaryLayout::interleaved});
}

/// Which places a query or a key turns by, and how.
struct Turn {
  const char* places;  // the step that has them
  std::size_t first;   // of them
  RotaryLayout layout;
};

/// Records Q and K turned, under `prefix`.
void record_turned(Board& board, const OneHead& head, const std::string& prefix, const Turn& by) {
  const std::size_t turning = channels_that_turn(head);
  const auto record = [&](const char* name, const Tensor& x) {
    board.record(prefix + "." + name, turned_at(x, by.first, turning, by.layout),
                 turning_of(name, by.places, turning, by.layout));
  };
  record("Q", head.Q);
  record("K", head.K);
}

}  // namespace

std::size_t channels_that_turn(const OneHead& head) {
  return head.head_dim / 2 * 2;
}

Tensor turned_at(const Tensor& x, std::size_t first, std::size_t turning, RotaryLayout layout) {
  return rotary_embedding(x, consecutive_positions(x.dim(0), first), {.layout = layout, .rotary_dim = turning}).rotated;
}

Tensor scores_with_waves(const OneHead& head, std::size_t first) {
  const Tensor X = add(head.embeddings, sinusoidal_positions(head.X.dim(0), head.X.dim(1), first));
  const Compute& compute = head.world.compute;
  return matmul_transposed(linear(X, head.W_Q, compute), linear(X, head.W_K, compute), compute);
}

Tensor row_of(const Tensor& matrix, std::size_t i) {
  return reshape(slice(matrix, 0, i, i + 1), {matrix.dim(1)});
}

std::size_t row_that_differs_most(const Tensor& a, const Tensor& b) {
  const Tensor apart = reshape(max(abs(subtract(a, b)), -1), {1, a.dim(0)});
  return largest_first(apart, 0).front();
}

void record_places(Board& board, const OneHead& head, std::size_t more, const Tensor& distances) {
  const std::vector<std::string> words = head.world.token_texts();
  const std::size_t seq_len = words.size();
  const Tensor places = consecutive_positions(seq_len);
  board.record("places", places, given().with_rows(words));
  board.record("places_later", consecutive_positions(seq_len, more), given().with_rows(words));
  board.record("key_places", reshape(places, {1, seq_len}), reshape("places").with_columns(words));
  board.record("query_places", reshape(places, {seq_len, 1}), reshape("places").with_rows(words));
  board.record("distances", distances, subtract("key_places", "query_places"));
}

void record_added(Board& board, const OneHead& head, std::size_t more, const Tensor& added, const Tensor& added_later) {
  const std::size_t seq_len = head.X.dim(0);
  const std::size_t d_model = head.X.dim(1);
  board.record("waves", sinusoidal_positions(seq_len + more, d_model), sinusoid(seq_len + more, d_model));
  const auto record = [&](const std::string& prefix, std::size_t first, const char* name, const Tensor& scores) {
    const Tensor positions = sinusoidal_positions(seq_len, d_model, first);
    const Tensor X = add(head.embeddings, positions);
    board.record(prefix + "positions", positions,
                 slice("waves", 0, first, first + seq_len).with_rows(head.world.token_texts()));
    board.record(prefix + "X", X, add("embeddings", prefix + "positions"));
    board.record(prefix + "Q", linear(X, head.W_Q, head.world.compute), linear(prefix + "X", "W_Q"));
    board.record(prefix + "K", linear(X, head.W_K, head.world.compute), linear(prefix + "X", "W_K"));
    board.record(name, scores, matmul_transposed(prefix + "Q", prefix + "K"));
  };
  record("added.", 0, "added", added);
  record("added_later.", more, "added_later", added_later);
}

void show_clock(Board& board, const Tensor& clock, const Tensor& query, const Tensor& turned, std::size_t turning,
                std::size_t i) {
  std::vector<std::string> labels;
  for (const float place : clock.values()) labels.push_back(fmt::format("place {}", place));
  board.record("clock", clock, given().with_rows(labels));
  board.record("asked", Tensor({clock.size()}, static_cast<float>(i)), given().with_rows(labels));
  std::vector<std::string> before = {"a", "b"};
  std::vector<std::string> after = {"a'", "b'"};
  for (std::size_t d = 2; d < query.dim(1); ++d) {
    before.push_back(std::to_string(d));
    after.push_back(std::to_string(d));
  }
  board.record("query", query, gather("Q", "asked").with_columns(before));
  board.record("turned", turned, turning_of("query", "clock", turning, RotaryLayout::interleaved).with_columns(after));
  const Tensor pair = slice(turned, 1, 0, 2);
  board.record("pair", pair, slice("turned", 1, 0, 2));
  board.record("squares", multiply(pair, pair), multiply("pair", "pair"));
  board.record("length", sum(multiply(pair, pair), -1), sum("squares", -1));
  board.table({{"pair", "first pair"}, {"length", "a'² + b'²"}});
}

void record_rotary(Board& board, const OneHead& head, std::size_t more, const RotaryScores& scores) {
  const std::size_t i = head.i;
  const std::size_t turning = channels_that_turn(head);
  constexpr RotaryLayout layout = RotaryLayout::interleaved;
  record_turned(board, head, "turned", {.places = "places", .first = 0, .layout = layout});
  record_turned(board, head, "turned_later", {.places = "places_later", .first = more, .layout = layout});
  board.record("rotary", scores.rotary, matmul_transposed("turned.Q", "turned.K"));
  board.record("moved", scores.moved, matmul_transposed("turned_later.Q", "turned_later.K"));

  // The row of one query that does not turn: each key turns by its distance from that query.
  const Tensor row = slice(board.trace().step("distances").value, 0, i, i + 1);
  board.record("distances_row", row, slice("distances", 0, i, i + 1));
  const Tensor beyond = row_of(row, 0);
  board.record("beyond", beyond, reshape("distances_row").with_rows(head.world.token_texts()));
  board.record("K_beyond", rotary_embedding(head.K, beyond, {.rotary_dim = turning}).rotated,
               turning_of("K", "beyond", turning, layout));
  board.record("query_alone", slice(head.Q, 0, i, i + 1), slice("Q", 0, i, i + 1));
  board.record("alone", scores.alone, matmul_transposed("query_alone", "K_beyond"));
}

void record_layouts(Board& board, const OneHead& head, std::size_t more, const Tensor& halves, const Tensor& mixed) {
  constexpr RotaryLayout layout = RotaryLayout::halves;
  record_turned(board, head, "halves", {.places = "places", .first = 0, .layout = layout});
  record_turned(board, head, "halves_later", {.places = "places_later", .first = more, .layout = layout});
  const auto record_product = [&](const char* name, const char* a, const char* b) {
    board.record(name, matmul_transposed(board.trace().step(a).value, board.trace().step(b).value, head.world.compute),
                 matmul_transposed(a, b));
  };
  board.record("halves", halves, matmul_transposed("halves.Q", "halves.K"));
  record_product("halves_moved", "halves_later.Q", "halves_later.K");
  board.record("mixed", mixed, matmul_transposed("turned.Q", "halves.K"));
  record_product("mixed_moved", "turned_later.Q", "halves_later.K");
}

void record_alibi(Board& board, const OneHead& head, const Tensor& slopes, const AlibiWeights& weights) {
  board.record("slopes", slopes, given());
  board.record("slope_of_head", reshape(slopes, {slopes.size(), 1, 1}), reshape("slopes"));
  board.record("bias", weights.bias, multiply("slope_of_head", "distances"));
  const auto record = [&](const std::string& prefix, const Tensor& biased, const Origin& origin, const char* name,
                          const Tensor& made) {
    board.record(prefix + "biased", biased, origin);
    board.record(prefix + "masked", mask_fill(biased, head.mask), mask_fill(prefix + "biased", "mask"));
    board.record(name, made, softmax(prefix + "masked", -1));
  };
  record("nearer.", add(head.steps.scaled, weights.bias), add("scaled", "bias"), "nearer", weights.nearer);
  record("farther.", subtract(head.steps.scaled, weights.bias), subtract("scaled", "bias"), "farther", weights.farther);
}

std::size_t slopes_shown(const Tensor& slopes) {
  return std::min(slopes.size(), most_rows);
}

void show_slopes(Board& board, const OneHead& head, const Tensor& slopes) {
  const std::vector<std::string> words = head.world.token_texts();
  const std::size_t seq_len = words.size();
  const std::size_t shown = slopes_shown(slopes);
  std::vector<Tensor> rows;
  std::vector<std::string> names;
  std::vector<std::string> labels = {"no slope"};
  const auto last_row_of_heads = [&](const std::string& step, std::size_t heads) {
    const Tensor of_heads = slice(board.trace().step(step).value, 0, 0, heads);
    const Tensor last = slice(of_heads, 1, seq_len - 1, seq_len);
    board.record(step + ".heads", of_heads, slice(step, 0, 0, heads));
    board.record(step + ".last", last, slice(step + ".heads", 1, seq_len - 1, seq_len));
    names.push_back(step + ".rows");
    rows.push_back(reshape(last, {heads, seq_len}));
    board.record(names.back(), rows.back(), reshape(step + ".last").with_columns(words));
  };
  names.emplace_back("weights.last");
  rows.push_back(slice(head.steps.weights, 0, seq_len - 1, seq_len));
  board.record("weights.last", rows.back(), slice("weights", 0, seq_len - 1, seq_len));
  last_row_of_heads("nearer", shown);
  last_row_of_heads("farther", 1);
  for (std::size_t h = 0; h < shown; ++h)
    labels.push_back(fmt::format("slope {}", short_number(static_cast<double>(slopes(h)), 4)));
  labels.emplace_back("sign mistaken");
  board.show("row_by_slope", concat(rows, 0), concat(names, 0).with_rows(labels));
}

}  // namespace attn
