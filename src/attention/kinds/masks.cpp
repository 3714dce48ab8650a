#include "attention/kinds/masks.hpp"

#include "tensor/elementwise.hpp"
#include "tensor/layout.hpp"
#include "tensor/rearrange.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace attn {

namespace {

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

/// An offset that leads farther than any text is long leads just as far as one that can still be counted with.
std::ptrdiff_t countable(std::ptrdiff_t offset) {
  constexpr std::ptrdiff_t far = std::numeric_limits<std::ptrdiff_t>::max() / 4;
  return std::clamp(offset, -far, far);
}

/// A table of 1 where sees(i, j) holds. Positions are signed: a query may stand before the first key.
template <typename Sees>
Tensor table(std::size_t seq_len_q, std::size_t seq_len_kv, Sees sees) {
  Tensor mask({seq_len_q, seq_len_kv});
  for (std::size_t i = 0; i < seq_len_q; ++i) {
    for (std::size_t j = 0; j < seq_len_kv; ++j) {
      mask(i, j) = sees(static_cast<std::ptrdiff_t>(i), static_cast<std::ptrdiff_t>(j)) ? 1.0F : 0.0F;
    }
  }
  return mask;
}

/// 1 where 0 is and 0 where 1 is.
Tensor turned_round(const Tensor& mask) {
  return subtract(Tensor(mask.shape(), 1.0F), mask);
}

}  // namespace

Tensor causal_mask(const CausalShape& shape) {
  std::ptrdiff_t offset = countable(shape.offset);
  if (shape.corner == Corner::bottom_right) {
    offset += static_cast<std::ptrdiff_t>(shape.seq_len_kv) - static_cast<std::ptrdiff_t>(shape.seq_len_q);
  }
  return table(shape.seq_len_q, shape.seq_len_kv, [&](auto i, auto j) { return j <= i + offset; });
}

Tensor window_mask(const WindowShape& shape) {
  // Compared as distances to key j. A side wider than all tokens is no limit, and never overflows.
  const auto within = [](std::ptrdiff_t distance, const std::optional<std::size_t>& limit) {
    return !limit || distance <= 0 || static_cast<std::size_t>(distance) <= *limit;
  };
  return table(shape.seq_len_q, shape.seq_len_kv, [&](auto i, auto j) {
    const std::ptrdiff_t p = i + countable(shape.offset);
    return within(p - j, shape.left) && within(j - p, shape.right);
  });
}

Tensor sliding_window_mask(std::size_t seq_len, std::size_t window) {
  if (window == 0) {
    throw std::invalid_argument(
        "sliding_window_mask: window is 0, but a window counts the token itself, so it must be at least 1");
  }
  return window_mask({.seq_len_q = seq_len, .seq_len_kv = seq_len, .left = window - 1, .right = 0});
}

Tensor key_padding_mask(const Tensor& keep) {
  if (keep.rank() != 2) {
    throw std::invalid_argument(
        fmt::format("key_padding_mask: keep must be [batch, seq_len_kv], 1 for a token and 0 for padding, not {}",
                    to_string(keep.shape())));
  }
  const Mask checked = keep_where(keep);
  return reshape(*checked.keep, {keep.dim(0), 1, 1, keep.dim(1)});
}

Mask hide_where(const Tensor& ones_hide) {
  return keep_where(turned_round(*keep_where(ones_hide).keep));
}

Mask combine_masks(const Mask& a, const Mask& b) {
  Mask both = a;
  if (b.keep) both.keep = a.keep ? combine_masks(*a.keep, *b.keep) : *b.keep;
  if (b.bias) both.bias = a.bias ? add(*a.bias, *b.bias) : *b.bias;
  return both;
}

Tensor additive_mask(const Mask& mask) {
  if (!mask.keep && !mask.bias) return Tensor(Shape{}, 0.0F);
  if (!mask.keep) return *mask.bias;
  if (!mask.bias) return additive_mask(*mask.keep);
  const Shape shape = broadcast_shape("additive_mask", mask.keep->shape(), mask.bias->shape());
  return apply_mask(Tensor(shape, 0.0F), mask);
}

Tensor kept_keys(const Mask& mask) {
  Tensor kept = additive_mask(mask);
  for (std::size_t n = 0; n < kept.size(); ++n) {
    float& x = kept.values()[n];
    if (x != 0.0F && x != minus_infinity) {
      throw std::invalid_argument(
          fmt::format("mask: {} of the {} mask adds {}, which neither keeps (0) nor hides (-inf) a key: such a mask "
                      "has no form of 0 and 1",
                      to_string(index_at(kept.shape(), n)), to_string(kept.shape()), x));
    }
    x = x == 0.0F ? 1.0F : 0.0F;
  }
  return kept;
}

Tensor hidden_keys(const Mask& mask) {
  return turned_round(kept_keys(mask));
}

}  // namespace attn
