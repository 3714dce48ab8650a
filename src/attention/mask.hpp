#pragma once

#include "tensor/tensor.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace attn {

// A mask is a table of who may look at whom: row = the query that looks, column = the key that is looked at.
// 1 keeps a key, 0 hides it. (PyTorch's nn.MultiheadAttention has it the other way round: True hides.)

/// Query i sees key j when j <= i: [seq_len, seq_len]. Source: Vaswani et al. 2017, section 3.2.3.
[[nodiscard]] Tensor causal_mask(std::size_t seq_len);

/// Every query sees every key: all ones, [seq_len_q, seq_len_kv].
[[nodiscard]] Tensor full_mask(std::size_t seq_len_q, std::size_t seq_len_kv);

/// Keys at or past a sentence's length are padding and hidden, from every query of that sentence.
///   lengths  one per sentence, each at most seq_len
///   returns  [batch, 1, seq_len]: broadcasts over the queries, because padding is hidden as a column
/// Throws std::invalid_argument when a length is larger than seq_len.
[[nodiscard]] Tensor padding_mask(const std::vector<std::size_t>& lengths, std::size_t seq_len);

/// A key is kept when both masks keep it; the shapes broadcast.
[[nodiscard]] Tensor combine_masks(const Tensor& a, const Tensor& b);

/// The same mask in the form that is added to scores: 0 where it keeps, -inf where it hides.
[[nodiscard]] Tensor additive_mask(const Tensor& mask);

/// masked[i, j] = a[i, j] where mask is 1, -inf where mask is 0. The mask broadcasts to a's shape.
/// Throws std::invalid_argument when the mask holds anything but 0 and 1, or does not broadcast to a.
[[nodiscard]] Tensor mask_fill(const Tensor& a, const Tensor& mask);

/// Throws std::invalid_argument, naming both shapes, unless the mask broadcasts to scores of that shape.
void require_mask_fits(const Shape& mask, const Shape& scores);

/// What attention takes: keys to hide, and numbers to add to the scores. Either, both or none.
struct Mask {
  std::optional<Tensor> keep;  // 1 keeps, 0 hides; broadcasts to [.., seq_len_q, seq_len_kv]
  std::optional<Tensor> bias;  // added to the scaled scores; -inf hides
};

/// Nothing is hidden and nothing added.
[[nodiscard]] Mask no_mask();
/// A 0/1 mask. Throws std::invalid_argument, naming the value and its place, when it holds anything else.
[[nodiscard]] Mask keep_where(Tensor zeros_and_ones);
/// A mask of numbers to add, -inf to hide.
[[nodiscard]] Mask added(Tensor bias);

/// scaled + bias, then -inf where keep is 0.
[[nodiscard]] Tensor apply_mask(const Tensor& scaled, const Mask& mask);

}  // namespace attn
