#pragma once

#include "attention/scaled_dot_product.hpp"
#include "board/board.hpp"
#include "board/look.hpp"
#include "support/world/world.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

/// How far a lesson's ground goes: what earlier lessons taught, recorded in the trace without a table.
enum class Until { embeddings, X, Q_K_V, scores, scaled, masked, weights, context };

/// Records what a head computes from the steps Q, K and V under `prefix`, up to and with `until`: scores, scaled,
/// masked (by the step `mask`), weights and context. Nothing where `until` comes before the scores.
void record_attention(Board& board, const std::string& prefix, const AttentionSteps& steps, Until until);

/// Of the names of all columns of Q, K or V those that belong to a head (from 1); none where columns have no names.
[[nodiscard]] std::vector<std::string> names_of_head(const World& world, const std::vector<std::string>& names,
                                                     std::size_t head);

/// Records head `head` (from 1) under `prefix` ("head2."; nothing when there is one head): its columns of the steps Q,
/// K and V, and then all that it computes from them.
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
