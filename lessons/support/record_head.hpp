#pragma once

#include "attention/scaled_dot_product.hpp"
#include "board/board.hpp"
#include "board/look.hpp"
#include "support/world.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

/// Records head `head` (from 1) under `prefix` ("head2."; nothing when there is one head): its columns of the steps Q,
/// K and V, and then scores, scaled, masked (by the step `mask`), weights and context.
void record_head(Board& board, const World& world, const std::string& prefix, std::size_t head,
                 const AttentionSteps& steps);

/// Records the step `looks`: row i of each head's weights, one row per head.
void record_looks(Board& board, const World& world, const std::vector<AttentionSteps>& heads, std::size_t i);
/// The same, with its table.
void show_looks(Board& board, const World& world, const std::vector<AttentionSteps>& heads, std::size_t i);

/// Shows the step `name`: row i of earlier matrices below each other, under these labels. A matrix of one row gives
/// that.
void show_rows(Board& board, const std::string& name, const std::vector<std::string>& steps,
               const std::vector<std::string>& labels, std::size_t i = 0, const Look& look = {});

}  // namespace attn
