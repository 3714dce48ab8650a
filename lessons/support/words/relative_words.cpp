#include "support/words/relative_words.hpp"

#include "attention/kinds/alibi.hpp"
#include "attention/kinds/rotary.hpp"
#include "attention/mask.hpp"
#include "board/digits.hpp"
#include "support/words/heads_in_words.hpp"
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

namespace attn {

namespace {

constexpr std::size_t most_slopes = 4;  // that a sentence has room for

std::string number(float x) {
  return short_number(static_cast<double>(x), 3);
}

}  // namespace

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

std::string who_moves_where(const OneHead& head, std::size_t more) {
  return fmt::format(
      "Lesson 03 added waves to the embeddings. Let {} more words stand before this text: {} moves from place {} to "
      "{}, and all distances stay. Do the scores of {}?",
      more, head.word, head.i, head.i + more, followed_head(head));
}

std::string what_turns(const OneHead& head) {
  return fmt::format(
      "Rotary positions add nothing. Two channels (a, b) of a query or a key are a point in the plane, and the place m "
      "of its word turns it: pair p = 0, 1, .. by m / 10000^(2p / {}) radians. The first pair of the query of {}, at "
      "five "
      "places:",
      channels_that_turn(head), head.word);
}

std::string why_added_places_show(const World& world, const Value& difference) {
  if (is_none(difference)) return "In this text no score moves at all.";
  const std::string moves = fmt::format("The score that moves most moves by {}", in_words(difference));
  const bool little = difference.number() < 1e-4;
  if (world.crafted()) {
    return fmt::format("{}{} this world's heads were made by hand to read waves by their distance.", moves,
                       little ? " only:" : ", though");
  }
  return moves + ": W_Q and W_K read word and place in one sum, and nothing makes them drop the place.";
}

std::string how_far_it_moves(const Value& difference, float largest) {
  if (is_none(difference)) return "No score moves at all.";
  // Angles are exact to some 1e-7, and a score is a sum of products of turned numbers.
  const bool rounding = difference.kind() == Value::Kind::difference && difference.number() < 1e-4 * largest;
  return fmt::format("The score that moves most moves by {}{}", in_words(difference), rounding ? ": rounding." : ".");
}

std::string what_distance_gives(const OneHead& head, const RotaryScores& scores, const Value& added) {
  const std::string turned = fmt::format(
      "{} With added waves one moved by {}. And turning each key by j - i, the query not at all, gives the same: "
      "largest "
      "difference {}.",
      how_far_it_moves(difference_of(scores.moved, scores.rotary), largest_size(scores.rotary)), in_words(added),
      difference_in_words(scores.alone, slice(scores.rotary, 0, head.i, head.i + 1)));
  return head.world.crafted() ? turned +
                                    " (This world's heads were made for waves, not for turning. Training finds heads "
                                    "for it.)"
                              : turned;
}

std::string which_pairs_turn(const OneHead& head, std::size_t row) {
  const std::size_t turning = channels_that_turn(head);
  return fmt::format(
      "Which channels are a pair? The paper turns neighbours: {}. GPT-NeoX and Hugging Face's Llama turn halves: {}. "
      "The row of {}:",
      pairs_in_words(turning, 1), pairs_in_words(turning, turning / 2), name_of(head.world, row));
}

std::string what_turning_keeps(const Tensor& turned, std::size_t turning) {
  const Tensor lengths = sum(multiply(turned, turned), -1);  // squared
  const Tensor at_place_0(lengths.shape(), lengths(0));
  return fmt::format(
      "Like the hand of a clock: it points elsewhere and keeps its length. (The squares of all channels add up to the "
      "same: largest difference {}.) After 2π = 6.28 places the first pair is back; {}.",
      difference_in_words(lengths, at_place_0),
      turning > 2 ? "slower ones are not" : "with more channels there would be slower ones");
}

std::string what_layouts_do(std::size_t turning, const Value& from_neighbours, const Value& halves_move,
                            const Value& mixed_move) {
  if (turning == 2) {
    return fmt::format(
        "With a single pair both layouts are the same: largest difference {}. A wider head is needed to mix them up.",
        in_words(from_neighbours));
  }
  std::string text = fmt::format("Moved to later places, halves (not shown) change by {}{}", in_words(halves_move),
                                 halves_move.kind() == Value::Kind::words ? "." : ": they too know only distances.");
  text += is_none(from_neighbours)
              ? " In this text they give what neighbours give."
              : fmt::format(" But they differ from neighbours by up to {}{}", in_words(from_neighbours),
                            from_neighbours.kind() == Value::Kind::words
                                ? "."
                                : ": weights trained in one layout are wrong in the other.");
  text += is_none(mixed_move)
              ? " Mixed (query in one, key in the other), nothing moves in this row."
              : fmt::format(" Mixed (query in one, key in the other), this row moves by {}.", in_words(mixed_move));
  return text;
}

std::string what_layouts_do(const Trace& trace, std::size_t turning, std::size_t row) {
  const auto apart = [&](const char* a, const char* b) {
    return difference_of(trace.step(a).value, trace.step(b).value);
  };
  const auto row_of_step = [&](const char* step) { return slice(trace.step(step).value, 0, row, row + 1); };
  return what_layouts_do(turning, apart("halves", "rotary"), apart("halves_moved", "halves"),
                         difference_of(row_of_step("mixed_moved"), row_of_step("mixed")));
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

std::string what_alibi_adds(const OneHead& head, const Tensor& slopes, std::size_t shown) {
  return fmt::format(
      "ALiBi turns nothing. It adds slope · (j - i) to each scaled score: 0 for the word itself, less for each step "
      "back. Each head has its own slope: {}. The row of {} in head {} with {}, and with the first one's sign "
      "mistaken:",
      slopes_in_words(slopes), name_of(head.world, head.mask.dim(0) - 1), head.head,
      shown == slopes.size() ? std::string("each") : fmt::format("the first {}", shown));
}

std::string what_slopes_do(const OneHead& head, const Tensor& nearer, const Tensor& farther) {
  const std::size_t last = head.mask.dim(0) - 1;
  if (last == 0) return "A single word stands at distance 0, and no slope takes anything off.";
  const auto shares = [&](float to_first, float to_itself) {
    return fmt::format("{} and {}", number(to_first), number(to_itself));
  };
  const Tensor& plain = head.steps.weights;
  if (has_nan(plain, last)) return weights_are_nan(name_of(head.world, last));
  return fmt::format(
      "{} gives the first word and itself {}. With the first slope these are {}{}. With the sign mistaken: {}, and "
      "no error.",
      name_of(head.world, last), shares(plain(last, 0), plain(last, last)),
      shares(nearer(0, last, 0), nearer(0, last, last)),
      nearer(0, last, last) > plain(last, last) ? ": what is near gains" : "",
      shares(farther(0, last, 0), farther(0, last, last)));
}

std::string what_turned_values_do(const OneHead& head, std::size_t more) {
  const std::size_t turning = channels_that_turn(head);
  if (turning == 0) return "No: a value is collected, and where it stood should not change what it says.";
  constexpr RotaryLayout layout = RotaryLayout::interleaved;
  const Compute& compute = head.world.compute;
  const auto weights_at = [&](std::size_t first) {
    const Tensor scores = matmul_transposed(turned_at(head.Q, first, turning, layout),
                                            turned_at(head.K, first, turning, layout), compute);
    const Tensor scaled = scale(scores, 1.0F / std::sqrt(static_cast<float>(head.head_dim)));
    return softmax(mask_fill(scaled, head.mask), -1, compute);
  };
  const Tensor here = weights_at(0);
  const Tensor later = weights_at(more);
  const Value as_they_are = difference_of(matmul(later, head.V, compute), matmul(here, head.V, compute));
  const Value turned = difference_of(matmul(later, turned_at(head.V, more, turning, layout), compute),
                                     matmul(here, turned_at(head.V, 0, turning, layout), compute));
  return fmt::format(
      "No. Turns of query and key meet in a product, and leave the distance; a value's would stay. Moved by {} places, "
      "contexts change by {} with values as they are, by {} if values turn.",
      more, in_words(as_they_are), in_words(turned));
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
  put("s = s.masked_fill(m > m[:, None], -torch.inf)");
  put("print(torch.softmax(s, dim=-1))");
  return lines;
}

}  // namespace attn
