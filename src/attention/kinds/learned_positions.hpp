#pragma once

#include "tensor/tensor.hpp"

#include <cstddef>

namespace attn {

/// Learned positions: a table like the embedding table, with one row per place instead of one per word.
///
///   table    [max_positions, d_model], learned in training
///   first    the place of the first token (more than 0 where earlier tokens are kept in a cache)
///   returns  [seq_len, d_model], to be added to the embeddings: rows first, first + 1, ... of the table
///
/// No row was learned for a place past the table, so a longer text cannot be read at all.
/// Throws std::invalid_argument, with the numbers, when the places reach past the table.
/// Source: Gehring et al. 2017, "Convolutional Sequence to Sequence Learning", section 3.1; BERT and GPT use it.
[[nodiscard]] Tensor learned_positions(const Tensor& table, std::size_t seq_len, std::size_t first = 0);

}  // namespace attn
