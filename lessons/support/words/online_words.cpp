#include "support/words/online_words.hpp"

#include "attention/kinds/online_softmax.hpp"
#include "board/digits.hpp"
#include "support/record/counted_bytes.hpp"
#include "support/record/online_steps.hpp"
#include "support/words/words.hpp"
#include "tensor/close.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"
#include "tensor/softmax.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace attn {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float lowest_row = -200.0F;  // e^-200 is far below the smallest float

/// "block 2", "blocks 2 and 3".
std::string blocks(const std::vector<std::string>& numbers) {
  return fmt::format("{} {}", numbers.size() == 1 ? "block" : "blocks", listed(numbers));
}

std::string capital(std::string text) {
  text[0] = 'B';
  return text;
}

/// Bytes as one reads them: "392 bytes", "160 KiB", "32 GiB".
std::string size_text(std::size_t count) {
  auto bytes = static_cast<double>(count);
  const std::vector<const char*> units = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024.0 && unit + 1 < units.size(); ++unit) bytes /= 1024.0;
  return fmt::format("{} {}", short_number(bytes, 1), units[unit]);
}

}  // namespace

std::string how_the_row_comes(const OneHead& head) {
  const std::size_t seq_len = head.world.tokens.size();
  const std::size_t keys = keys_of_block(seq_len);
  const std::size_t count = (seq_len + keys - 1) / keys;
  const std::string row = fmt::format("This page follows {} in head {}.", head.word, head.head);
  if (count == 1) {
    return fmt::format("{} Its row comes in blocks of {} keys; this text is so short that one block holds it all.", row,
                       keys);
  }
  return fmt::format("{} Its row comes in {} blocks of {} keys{}.", row, count, keys,
                     seq_len % keys == 0 ? "" : fmt::format(", the last with {}", seq_len % keys));
}

std::string what_blocks_do(const Trace& trace) {
  const Tensor& state = trace.step("state").value;
  std::string text = "Before block 1 the largest is -inf, so its factor is e^-inf = 0: there is nothing to keep yet.";
  std::vector<std::string> stayed;
  std::vector<std::string> hidden;
  std::vector<std::string> unknown;
  for (std::size_t b = 1; b < state.dim(0); ++b) {
    const std::string number = std::to_string(b + 1);
    if (std::isnan(state(b, 2))) {
      unknown.push_back(number);
    } else if (state(b, 0) == -infinity) {
      hidden.push_back(number);
    } else if (state(b, 1) > state(b - 1, 1) && state(b, 2) > 0.995F) {
      text += fmt::format(
          " Block {} has a score that is hardly larger: what was added up before stays nearly as it was.", number);
    } else if (state(b, 1) > state(b - 1, 1)) {
      text += fmt::format(" Block {} has a larger score: all that was added up before shrinks to {} of itself.", number,
                          difference_text(static_cast<double>(state(b, 2))));
    } else {
      stayed.push_back(number);
    }
  }
  if (!unknown.empty())
    text += fmt::format(" In {} inf - inf makes the factor nan, and all that follows.", blocks(unknown));
  if (!stayed.empty()) text += fmt::format(" In {} the largest stays: factor 1.", blocks(stayed));
  if (!hidden.empty()) {
    text += fmt::format(" {} {} no score but -inf: powers e^-inf = 0, and nothing changes.", capital(blocks(hidden)),
                        hidden.size() == 1 ? "has" : "have");
  }
  return text;
}

std::string how_blocks_agree(const OneHead& head) {
  const std::size_t seq_len = head.world.tokens.size();
  const std::size_t most = std::min<std::size_t>(seq_len, 16);
  const Tensor& masked = head.steps.masked;
  const Tensor row = slice(masked, 0, head.i, head.i + 1);
  const Tensor want = slice(head.steps.context, 0, head.i, head.i + 1);
  const Tensor got = online_context(row, head.V, keys_of_block(seq_len));
  std::vector<Tensor> in_blocks;  // all rows, once for each size of blocks
  for (std::size_t keys = 1; keys <= most; ++keys) in_blocks.push_back(online_context(masked, head.V, keys));
  const std::vector<Tensor> whole(most, online_context(masked, head.V, seq_len));
  return fmt::format("Largest difference: {}. For all rows, in blocks of {}: {} at most.",
                     difference_in_words(got, want), most == 1 ? "1 key" : fmt::format("1 to {} keys", most),
                     difference_in_words(concat(in_blocks, 0), concat(whole, 0)));
}

std::string what_a_start_at_0_does(const Trace& trace, std::size_t keys) {
  const Tensor& row = trace.step("row").value;
  const Tensor& V = trace.step("V").value;
  const Tensor lowered = add(subtract(row, max(row, -1)), Tensor({1}, lowest_row));
  const std::string right = difference_in_words(online_context(lowered, V, keys), trace.step("online").value);
  const Tensor from_zero = context_from(0.0F, lowered, V, keys);
  return fmt::format(
      "Lower the row until its largest score is {:.0f}. Begun at -inf, the context stays (largest difference {}). "
      "Begun "
      "at 0, each power is at most e^{:.0f}, in a float {}; and 0 / 0 is {}.",
      static_cast<double>(lowest_row), right, static_cast<double>(lowest_row),
      short_number(static_cast<double>(std::exp(lowest_row)), 3), std::isnan(from_zero(0, 0)) ? "nan" : "a number");
}

std::string what_a_hidden_start_does(const Trace& trace, std::size_t keys, const Compute& compute) {
  Tensor row = trace.step("row").value;
  const Tensor& V = trace.step("V").value;
  if (row.dim(1) <= keys) return "";
  std::fill(row.values().begin(), row.values().begin() + static_cast<std::ptrdiff_t>(keys), -infinity);
  // Where the mask hides the rest as well there is no other block to see.
  if (*std::max_element(row.values().begin(), row.values().end()) == -infinity) return "";
  const Tensor want = matmul(softmax(row, -1, compute), V, compute);
  return fmt::format(
      "With block 1 hidden, the largest would still be -inf after it, and -inf - -inf is nan: so finite() takes off 0 "
      "until a key is seen (largest difference from softmax: {}).",
      difference_in_words(online_context(row, V, keys), want));
}

std::string how_near(const Tensor& fused, const Tensor& plain) {
  const auto is_nan = [](float number) { return std::isnan(number); };
  if (std::any_of(plain.values().begin(), plain.values().end(), is_nan)) return difference_in_words(fused, plain);
  const double difference = largest_difference(fused, plain).largest;
  const double most = std::max(1.0, static_cast<double>(largest_size(plain)));
  constexpr double bound = 1e-5;  // a float's sums of few numbers
  if (!(difference < bound * most)) return difference_text(difference);
  return most == 1.0 ? "less than 0.00001" : "less than 0.00001 times the largest number";
}

std::string what_is_held(std::size_t seq_len) {
  const Bytes here = counted_bytes(seq_len);
  const Bytes longest = counted_bytes(longest_counted);
  return fmt::format(
      "The tables of {} words take {}, for one head; those of {} {}. The kernel's workspace is {} a thread at any "
      "length.",
      longest_counted, size_text(longest.held_plain), seq_len == 1 ? "one word" : fmt::format("{} words", seq_len),
      size_text(here.held_plain), size_text(longest.held_fused));
}

std::string what_is_moved() {
  constexpr std::size_t n = 1024;
  constexpr std::size_t d = counted_head_dim;
  const Bytes bytes = counted_bytes(n);
  const Bytes longest = counted_bytes(longest_counted);
  return fmt::format(
      "Moved for {0} words: plainly 4 · (4 · {0}² + 4 · {0} · {1}) = {2} bytes, fused 4 · 2 · {0} · {1} · (1 + {3}) = "
      "{4}. For {5} words it is {6} times as much plainly.",
      n, d, bytes.moved_plain, (n + fused_query_block() - 1) / fused_query_block(), bytes.moved_fused, longest_counted,
      fixed(static_cast<double>(longest.moved_plain) / static_cast<double>(longest.moved_fused), 2));
}

}  // namespace attn
