#pragma once

#include "attention/kinds/online_softmax.hpp"
#include "board/board.hpp"
#include "support/program/options.hpp"
#include "support/world/one_head.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

// Steps and tables of the lesson on the online softmax. The steps of one head are recorded before.

/// How many keys a block of the page has: 3, in a long text more, so that there are at most 8 blocks.
[[nodiscard]] std::size_t keys_of_block(std::size_t seq_len);

/// Records `row`, the masked scores of token i, and what is known before the first block.
void record_start(Board& board, std::size_t i, const OnlineSoftmax& start);

/// Records how the keys from `begin` to `end` are taken in, under "block1.", "block2.", ...: scores, values, largest,
/// factor, powers, total, collected, and the steps between them.
void record_block(Board& board, std::size_t begin, std::size_t end, const OnlineBlock& block);

/// After all blocks: records `state`, a row for each block (its own largest score, then largest, factor, total and
/// collected once it is taken in), `online`, the context that comes of it, and `whole`, that of softmax over the whole
/// row.
void record_result(Board& board, std::size_t i, const Tensor& online);

/// How a block is taken in, worked out by hand: its factor, what it leaves of the total, and the new total. The first
/// block that brings a larger score, else the second, else the only one.
void by_hand_of_blocks(Board& board);

/// The columns of `state` that a page has room for.
[[nodiscard]] std::vector<std::size_t> columns_of_state(const OneHead& head);

/// The context of scores [1, seq_len] from blocks of `keys`, where the running maximum begins at `start`, and not at
/// minus infinity as it should.
[[nodiscard]] Tensor context_from(float start, const Tensor& scores, const Tensor& V, std::size_t keys);

/// PyTorch lines that print the context of token i from blocks and all at once.
[[nodiscard]] std::vector<std::string> pytorch_lines_of_blocks(const OneHead& head, const Options& options);

}  // namespace attn
