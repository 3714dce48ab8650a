#pragma once

#include "attention/mask.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <optional>

namespace attn {

// Masks for unequal lengths, caches, windows and batches, and the ways between the three forms in which libraries write
// a mask. All tables have 1 where a key may be seen. A mask is made first, and attention takes it as it is.

/// Which corner of a table of queries and keys the diagonal of a causal mask starts from, when it is not square.
enum class Corner {
  top_left,     // query 0 sees key 0 only: as ONNX's Attention and PyTorch's is_causal have it
  bottom_right  // the last query sees the last key: as if the queries were the last of the keys
};

/// What a causal mask needs to know.
struct CausalShape {
  std::size_t seq_len_q = 0;
  std::size_t seq_len_kv = 0;
  std::ptrdiff_t offset = 0;  // keys that came before the first query: the length of a cache
  Corner corner = Corner::top_left;
};

/// Query i sees key j when j <= i + offset, counted from the corner: [seq_len_q, seq_len_kv].
/// An offset may be negative; the first queries then see nothing.
/// Source: Vaswani et al. 2017, section 3.2.3; the offset: ONNX operator Attention, attribute is_causal.
[[nodiscard]] Tensor causal_mask(const CausalShape& shape);

/// What a window needs to know. A side without a number has no limit.
struct WindowShape {
  std::size_t seq_len_q = 0;
  std::size_t seq_len_kv = 0;
  std::optional<std::size_t> left = std::nullopt;   // so many keys back, besides the token itself
  std::optional<std::size_t> right = std::nullopt;  // so many keys ahead, besides the token itself
  std::ptrdiff_t offset = 0;                        // as in CausalShape
};

/// Query i stands at p = i + offset and sees key j when p - left <= j <= p + right: [seq_len_q, seq_len_kv].
/// Source: ONNX operator Attention (opset 25), left_window_size and right_window_size.
[[nodiscard]] Tensor window_mask(const WindowShape& shape);

/// Each token sees the last `window` tokens, itself among them: [seq_len, seq_len].
/// Throws std::invalid_argument when window is 0.
/// Source: Beltagy et al. 2020, "Longformer", section 3.1; causal as in Jiang et al. 2023, "Mistral 7B", section 2.
[[nodiscard]] Tensor sliding_window_mask(std::size_t seq_len, std::size_t window);

/// Padding is hidden as a key, from every head and every query.
///   keep     [batch, seq_len_kv], 1 for a token and 0 for padding
///   returns  [batch, 1, 1, seq_len_kv], which broadcasts to scores [batch, num_heads, seq_len_q, seq_len_kv]
/// Throws std::invalid_argument when keep is not of rank 2 or holds anything but 0 and 1.
[[nodiscard]] Tensor key_padding_mask(const Tensor& keep);

// The same mask in other words. Nothing is guessed: the caller says which form a table has.

/// A mask of PyTorch's modules, where 1 (True) is a key to ignore: the other way round from keep_where.
/// Throws std::invalid_argument, naming the value and its place, when it holds anything but 0 and 1.
[[nodiscard]] Mask hide_where(const Tensor& ones_hide);

/// Both masks at once: a key is kept when both keep it, and what both add is added. The shapes broadcast.
[[nodiscard]] Mask combine_masks(const Mask& a, const Mask& b);

/// A mask as one table of numbers to add: its bias, and -inf where it hides. Of no mask: the single number 0.
[[nodiscard]] Tensor additive_mask(const Mask& mask);

/// A mask as one table of 1 (kept) and 0 (hidden). Of no mask: the single number 1.
/// Throws std::invalid_argument, naming the number and its place, when the mask adds anything but 0 and -inf.
[[nodiscard]] Tensor kept_keys(const Mask& mask);

/// The same for PyTorch's modules: 1 where hidden.
[[nodiscard]] Tensor hidden_keys(const Mask& mask);

}  // namespace attn
