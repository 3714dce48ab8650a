#include "support/record/measured_attention.hpp"

#include "attention/kinds/attention.hpp"
#include "attention/kinds/fused_attention.hpp"
#include "support/record/measured_time.hpp"
#include "tensor/random.hpp"

#include <fmt/core.h>

namespace attn {

namespace {

constexpr std::size_t heads = 8;
constexpr std::size_t head_dim = 64;

Measurements measured_attention(std::size_t seq_len, std::size_t threads) {
  Random random(0);
  const auto drawn = [&] { return random.uniform({heads, seq_len, head_dim}, -1.0F, 1.0F); };
  const Tensor query = drawn();
  const Tensor key = drawn();
  const Tensor value = drawn();
  const AttentionOptions plain = {.compute = {.kind = Matmul::blocked, .threads = threads}};
  const FusedOptions fused = {.threads = threads};

  const auto n = static_cast<double>(seq_len);
  const double billions = 4.0 * n * n * static_cast<double>(heads * head_dim) * 1e-9;
  const Repeats repeats = {.runs = 3};
  const double plain_seconds =
      median_seconds([&] { return attention(query, key, value, plain).context(0, 0, 0); }, repeats);
  const double fused_seconds =
      median_seconds([&] { return fused_attention(query, key, value, fused)(0, 0, 0); }, repeats);
  return {.unit = "GFLOP/s",
          .rows = {{fmt::format("plain, {} words", seq_len), billions / plain_seconds},
                   {fmt::format("fused, {} words", seq_len), billions / fused_seconds}}};
}

}  // namespace

void measure_attention(Board& board, const std::vector<std::size_t>& lengths, std::size_t threads) {
  if (!board.shows_times()) return board.measured({});
  for (const std::size_t seq_len : lengths) board.measured(measured_attention(seq_len, threads));
  board.notice(
      "Both on {threads} (--threads), the plain way with the blocked products of lesson 25. What is gained is more "
      "than the moves saved: the plain way also makes a new table for each step, and one of them only to scale the "
      "scores.",
      {{"threads", threads == 1 ? "1 thread" : fmt::format("{} threads", threads)}});
}

}  // namespace attn
