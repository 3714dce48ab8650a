#pragma once

#include "tensor/tensor.hpp"

#include <cstddef>
#include <vector>

namespace attn {

/// Embedding look-up: row i of the result is row ids[i] of the table.
///
///   table    [vocabulary_size, d_model]
///   ids      [seq_len], each smaller than vocabulary_size
///   returns  [seq_len, d_model]
///
/// Throws std::invalid_argument, naming the id and the table's shape, when an id has no row.
/// Source: Vaswani et al. 2017, section 3.4.
[[nodiscard]] Tensor gather(const Tensor& table, const std::vector<std::size_t>& ids);

/// The same for a batch: ids is a tensor of whole numbers [batch, seq_len] (any shape); returns [batch, seq_len,
/// d_model].
[[nodiscard]] Tensor gather(const Tensor& table, const Tensor& ids);

}  // namespace attn
