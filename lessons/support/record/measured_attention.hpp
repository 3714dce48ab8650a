#pragma once

#include "board/board.hpp"

#include <cstddef>
#include <vector>

namespace attn {

/// Shows attention of 8 heads of 64, measured for each of these lengths: with every step as a table, its products by
/// the kernels of src/fast, and fused. In GFLOP/s of the two products, so that the larger is the faster.
void measure_attention(Board& board, const std::vector<std::size_t>& lengths, std::size_t threads);

}  // namespace attn
