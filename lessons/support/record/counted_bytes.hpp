#pragma once

#include "board/board.hpp"

#include <cstddef>

namespace attn {

// What attention holds and moves, counted in bytes for one head, at 4 bytes a number: plainly, with scores and weights
// as tables, and fused, by the kernel of src/fast. It is counted, not measured: the same on every machine.

/// Numbers of a query, a key or a value in what is counted, as in most models.
inline constexpr std::size_t counted_head_dim = 64;

/// Queries for which the kernel reads all keys and values once.
[[nodiscard]] std::size_t fused_query_block();

/// Keys that it takes in at a time.
[[nodiscard]] std::size_t fused_key_block();

/// The kernel's workspace in bytes, for each thread: queries, a block of scores, what is collected.
[[nodiscard]] std::size_t fused_workspace(std::size_t head_dim);

/// The longest text that is counted, in words.
inline constexpr std::size_t longest_counted = 65536;

/// What one head of counted_head_dim holds and moves.
struct Bytes {
  std::size_t held_plain;   // scores and weights
  std::size_t held_fused;   // the workspace of one thread
  std::size_t moved_plain;  // scores and weights written and read once; Q, K and V read, the context written
  std::size_t moved_fused;  // Q read and the context written; K and V read once for each block of queries
};
[[nodiscard]] Bytes counted_bytes(std::size_t seq_len);

/// Records that as ops, in MiB, as `held` and `moved`: a row for each length (this text's, 1024, 8192,
/// longest_counted), and the columns plain and fused.
void record_bytes(Board& board, std::size_t seq_len);

}  // namespace attn
