#include "support/words/relative_words.hpp"

#include "attention/embedding.hpp"
#include "attention/kinds/alibi.hpp"
#include "attention/kinds/rotary.hpp"
#include "attention/mask.hpp"
#include "attention/positions.hpp"
#include "board/digits.hpp"
#include "support/record/record_head.hpp"
#include "support/words/pytorch_lines.hpp"
#include "support/words/words.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"
#include "tensor/softmax.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn {

namespace {

constexpr std::size_t most_slopes = 4;  // that a sentence has room for
constexpr std::size_t most_rows = 3;    // of slopes that a table has

std::string number(float x) {
  return short_number(static_cast<double>(x), 3);
}

std::string written(const Value& difference) {
  return difference_text(difference.number());
}

std::size_t channels_that_turn(const OneHead& head) {
  return head.head_dim / 2 * 2;
}

/// x turned by its places from `first` on.
Tensor turned_at(const Tensor& x, std::size_t first, std::size_t turning, RotaryLayout layout) {
  return rotary_embedding(x, consecutive_positions(x.dim(0), first), {.layout = layout, .rotary_dim = turning}).rotated;
}

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

std::string places_in_words(std::size_t first, std::size_t seq_len) {
  if (seq_len == 1) return fmt::format("place {}", first);
  return fmt::format("places {} to {}", first, first + seq_len - 1);
}

std::string pairs_in_words(std::size_t turning, std::size_t apart) {
  const std::size_t pairs = turning / 2;
  const auto pair = [&](std::size_t p) {
    const std::size_t a = apart == 1 ? 2 * p : p;
    return fmt::format("{} with {}", a, a + apart);
  };
  std::vector<std::string> words;
  for (std::size_t p = 0; p < std::min<std::size_t>(pairs, 2); ++p) words.push_back(pair(p));
  if (pairs > 2) return fmt::format("{}, {} and so on", words[0], words[1]);
  return listed(words);
}

std::string why_added_places_show(const World& world, const Value& difference) {
  if (difference.number() == 0.0) return "In this text no score moves at all.";
  const std::string moves = fmt::format("The score that moves most moves by {}", written(difference));
  const bool little = difference.number() < 1e-4;
  if (world.crafted()) {
    return fmt::format("{}{} this world's heads were made by hand to read waves by their distance.", moves,
                       little ? " only:" : ", though");
  }
  return moves + ": W_Q and W_K read word and place in one sum, and nothing makes them drop the place.";
}

std::string how_far_it_moves(const Value& difference) {
  if (difference.number() == 0.0) return "No score moves at all.";
  return fmt::format("The score that moves most moves by {}: rounding.", written(difference));
}

std::string what_turning_keeps(const Tensor& turned, std::size_t turning) {
  float most = 0.0F;
  const Tensor lengths = sum(multiply(turned, turned), -1);
  for (std::size_t k = 1; k < lengths.size(); ++k) most = std::max(most, std::abs(lengths(k) - lengths(0)));
  return fmt::format(
      "Like the hand of a clock: it points elsewhere and keeps its length. (The squares of all channels add up to the "
      "same: largest difference {}.) After 2π = 6.28 places the first pair is back; {}.",
      difference_text(static_cast<double>(most)),
      turning > 2 ? "slower ones are not" : "with more channels there would be slower ones");
}

std::string what_layouts_do(std::size_t turning, const Value& from_neighbours, const Value& halves_move,
                            const Value& mixed_move) {
  if (turning == 2) {
    return fmt::format(
        "With a single pair both layouts are the same: largest difference {}. A wider head is needed to mix them up.",
        written(from_neighbours));
  }
  std::string text = fmt::format("Moved, halves differ by {}: they too know only distances.", written(halves_move));
  text += from_neighbours.number() == 0.0
              ? " In this text they give what neighbours give."
              : fmt::format(
                    " But they differ from neighbours by up to {}: weights trained in one layout are wrong in "
                    "the other.",
                    written(from_neighbours));
  text += mixed_move.number() == 0.0
              ? " Mixed, a query in one and a key in the other, no score of this text moves."
              : fmt::format(" Mixed, a query in one and a key in the other, scores move by {}.", written(mixed_move));
  return text;
}

std::string slopes_in_words(const Tensor& slopes) {
  std::vector<std::string> words;
  for (std::size_t h = 0; h < std::min(slopes.size(), most_slopes); ++h) {
    const double inverse = 1.0 / static_cast<double>(slopes(h));
    const bool whole = inverse == std::floor(inverse);
    words.push_back(whole ? fmt::format("1/{}", static_cast<long>(inverse)) : number(slopes(h)));
  }
  const std::string first = listed(words);
  if (slopes.size() <= most_slopes) return first;
  return fmt::format("{} for the first {} of {} heads", first, most_slopes, slopes.size());
}

std::string what_slopes_do(const OneHead& head, const Tensor& nearer, const Tensor& farther) {
  const std::size_t last = head.mask.dim(0) - 1;
  if (last == 0) return "A single word stands at distance 0, and no slope takes anything off.";
  const auto shares = [&](float to_first, float to_itself) {
    return fmt::format("{} and {}", number(to_first), number(to_itself));
  };
  const Tensor& plain = head.steps.weights;
  return fmt::format(
      "{} gives the first word and itself {}. With the slope of head 1 these are {}: what is near gains. With the sign "
      "mistaken: {}, and no error.",
      name_of(head.world, last), shares(plain(last, 0), plain(last, last)),
      shares(nearer(0, last, 0), nearer(0, last, last)), shares(farther(0, last, 0), farther(0, last, last)));
}

std::string what_turned_values_do(const OneHead& head, std::size_t more) {
  const std::size_t turning = channels_that_turn(head);
  if (turning == 0) return "No: a value is collected, and where it stood should not change what it says.";
  constexpr RotaryLayout layout = RotaryLayout::interleaved;
  const auto weights_at = [&](std::size_t first) {
    const Tensor scores =
        matmul_transposed(turned_at(head.Q, first, turning, layout), turned_at(head.K, first, turning, layout));
    return softmax(mask_fill(scale(scores, 1.0F / std::sqrt(static_cast<float>(head.head_dim))), head.mask), -1);
  };
  const Tensor here = weights_at(0);
  const Tensor later = weights_at(more);
  const Value as_they_are = difference_of(matmul(later, head.V), matmul(here, head.V));
  const Value turned = difference_of(matmul(later, turned_at(head.V, more, turning, layout)),
                                     matmul(here, turned_at(head.V, 0, turning, layout)));
  return fmt::format(
      "No. A value is collected as it is, and no second turn undoes its own. Moved by {} places, the contexts of this "
      "text differ by {} with values as they are, and by {} with values that turn.",
      more, written(as_they_are), written(turned));
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
    board.record(prefix + "Q", linear(X, head.W_Q), linear(prefix + "X", "W_Q"));
    board.record(prefix + "K", linear(X, head.W_K), linear(prefix + "X", "W_K"));
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

void record_layouts(Board& board, const OneHead& head, std::size_t more, const LayoutScores& scores) {
  constexpr RotaryLayout layout = RotaryLayout::halves;
  record_turned(board, head, "halves", {.places = "places", .first = 0, .layout = layout});
  record_turned(board, head, "halves_later", {.places = "places_later", .first = more, .layout = layout});
  board.record("halves", scores.halves, matmul_transposed("halves.Q", "halves.K"));
  board.record("halves_moved", scores.halves_moved, matmul_transposed("halves_later.Q", "halves_later.K"));
  board.record("mixed", scores.mixed, matmul_transposed("turned.Q", "halves.K"));
  board.record("mixed_moved", scores.mixed_moved, matmul_transposed("turned_later.Q", "halves_later.K"));
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

void show_slopes(Board& board, const OneHead& head, const Tensor& slopes) {
  const std::vector<std::string> words = head.world.token_texts();
  const std::size_t seq_len = words.size();
  const std::size_t shown = std::min(slopes.size(), most_rows);
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
  labels.push_back(fmt::format("slope -{}", short_number(static_cast<double>(slopes(0)), 4)));
  board.show("row_by_slope", concat(rows, 0), concat(names, 0).with_rows(labels));
}

std::string what_six_heads_take() {
  constexpr std::size_t six = 6;
  const Tensor taken = alibi_slopes(six);
  std::vector<std::string> inverses;
  for (const float slope : taken.values()) inverses.push_back(fmt::format("1/{}", 1.0F / slope));
  const auto by_formula = [](int h) { return fixed(std::pow(2.0, -8.0 * h / static_cast<double>(six)), 3); };
  return fmt::format(
      "Slopes are 2^(-8h/num_heads) where num_heads is a power of two. Six heads take those of four, then every second "
      "of eight: {}, not {} to {}.",
      listed(inverses), by_formula(1), by_formula(6));
}

std::vector<std::string> pytorch_lines_of_distance(const World& world, const Options& options, const OneHead& head) {
  std::vector<std::string> lines = pytorch_lines_to_scaled(world, options, head.head);
  const std::size_t seq_len = world.tokens.size();
  const std::size_t turning = head.head_dim / 2 * 2;
  const auto put = [&](const std::string& line) { lines.push_back(line); };
  put(fmt::format("m = torch.arange({}.)", seq_len));
  if (turning > 0) {
    put(fmt::format("angle = m[:, None] / 10000 ** (torch.arange(0, {0}, 2) / {0})", turning));
    put("turn = torch.polar(torch.ones(1), angle)    # of complex numbers a + bi");
    put(fmt::format("pairs = lambda x: torch.complex(x[:, 0:{0}:2], x[:, 1:{0}:2])", turning));
    const std::string rest =
        turning < head.head_dim ? fmt::format(" + Q[:, {0}:] @ K[:, {0}:].T", turning) : std::string();
    put(fmt::format("print(((pairs(Q) * turn) @ (pairs(K) * turn).mH).real{})", rest));
  }
  const float slope = alibi_slopes(world.num_heads)(head.head - 1);
  put(fmt::format("s = s + {} * (m - m[:, None])    # the slope of head {}", slope, head.head));
  put("print(torch.softmax(s.masked_fill(m > m[:, None], -torch.inf), dim=-1))");
  return lines;
}

}  // namespace attn
