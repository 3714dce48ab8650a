#include "attention/mask.hpp"

#include "tensor/elementwise.hpp"
#include "tensor/layout.hpp"

#include <fmt/core.h>

#include <limits>
#include <stdexcept>
#include <utility>

namespace attn {

namespace {

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

/// Guards against a mask of True/False turned round, of probabilities, or of numbers meant to be added.
void require_zeros_and_ones(const Tensor& mask) {
  for (std::size_t n = 0; n < mask.size(); ++n) {
    const float value = mask.values()[n];
    if (value == 0.0F || value == 1.0F) continue;
    throw std::invalid_argument(fmt::format(
        "mask: 1 keeps a key and 0 hides it, but {} of the {} mask is {}: numbers to add to the scores go into added()",
        to_string(index_at(mask.shape(), n)), to_string(mask.shape()), value));
  }
}

bool broadcasts_to(const Shape& from, const Shape& to) {
  if (from.size() > to.size()) return false;
  for (std::size_t back = 1; back <= from.size(); ++back) {
    const std::size_t size = from[from.size() - back];
    if (size != 1 && size != to[to.size() - back]) return false;
  }
  return true;
}

}  // namespace

void require_mask_fits(const Shape& mask, const Shape& scores) {
  if (broadcasts_to(mask, scores)) return;
  throw std::invalid_argument(
      fmt::format("mask: a {} mask does not fit scores of {}: compared from the right (keys, queries, ...), each size "
                  "must be the same or 1",
                  to_string(mask), to_string(scores)));
}

Tensor causal_mask(std::size_t seq_len) {
  Tensor mask({seq_len, seq_len});
  for (std::size_t i = 0; i < seq_len; ++i) {
    for (std::size_t j = 0; j < seq_len; ++j) mask(i, j) = j <= i ? 1.0F : 0.0F;
  }
  return mask;
}

Tensor full_mask(std::size_t seq_len_q, std::size_t seq_len_kv) {
  return Tensor({seq_len_q, seq_len_kv}, 1.0F);
}

Tensor padding_mask(const std::vector<std::size_t>& lengths, std::size_t seq_len) {
  Tensor mask({lengths.size(), 1, seq_len});
  for (std::size_t b = 0; b < lengths.size(); ++b) {
    if (lengths[b] > seq_len) {
      throw std::invalid_argument(
          fmt::format("padding_mask: sentence {} has {} tokens, but seq_len is {}: make seq_len the longest length", b,
                      lengths[b], seq_len));
    }
    for (std::size_t j = 0; j < seq_len; ++j) mask(b, 0, j) = j < lengths[b] ? 1.0F : 0.0F;
  }
  return mask;
}

Tensor combine_masks(const Tensor& a, const Tensor& b) {
  require_zeros_and_ones(a);
  require_zeros_and_ones(b);
  static_cast<void>(broadcast_shape("combine_masks", a.shape(), b.shape()));
  return multiply(a, b);  // 1 * 1 = 1: kept only where both keep
}

Tensor additive_mask(const Tensor& mask) {
  return mask_fill(Tensor(mask.shape(), 0.0F), mask);
}

Tensor mask_fill(const Tensor& a, const Tensor& mask) {
  require_zeros_and_ones(mask);
  require_mask_fits(mask.shape(), a.shape());
  const Tensor keep = multiply(Tensor(a.shape(), 1.0F), mask);  // the mask, repeated to a's shape

  // Chosen, not multiplied or added: 0 * score would leave e^0 = 1 in softmax, and NaN + -inf would stay NaN.
  Tensor masked = a;
  for (std::size_t n = 0; n < masked.size(); ++n) {
    if (keep.values()[n] == 0.0F) masked.values()[n] = minus_infinity;
  }
  return masked;
}

Mask no_mask() {
  return {};
}

Mask keep_where(Tensor zeros_and_ones) {
  require_zeros_and_ones(zeros_and_ones);
  return {.keep = std::move(zeros_and_ones), .bias = std::nullopt};
}

Mask added(Tensor bias) {
  return {.keep = std::nullopt, .bias = std::move(bias)};
}

Tensor apply_mask(const Tensor& scaled, const Mask& mask) {
  Tensor masked = scaled;
  if (mask.bias) {
    require_mask_fits(mask.bias->shape(), scaled.shape());
    masked = add(masked, *mask.bias);
  }
  if (mask.keep) masked = mask_fill(masked, *mask.keep);
  return masked;
}

}  // namespace attn
