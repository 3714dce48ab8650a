#include "attention/kinds/cache.hpp"

#include "attention/kinds/masks.hpp"
#include "tensor/rearrange.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <stdexcept>
#include <utility>

namespace attn {

namespace {

/// Two tensors that may differ in their number of tokens only.
bool differ_in_length_only(const Tensor& a, const Tensor& b) {
  if (a.rank() < 2 || a.rank() != b.rank()) return false;
  Shape shape = a.shape();
  shape[shape.size() - 2] = b.dim(-2);
  return shape == b.shape();
}

void require_joinable(const char* name, const Tensor& past, const Tensor& present) {
  if (differ_in_length_only(past, present)) return;
  throw std::invalid_argument(
      fmt::format("cache: past {} is {} and new {} is {}: all axes but seq_len (the second last) must be the same",
                  name, to_string(past.shape()), name, to_string(present.shape())));
}

}  // namespace

KeyValueCache empty_cache(const Tensor& key, const Tensor& value) {
  return {.key = slice(key, -2, 0, 0), .value = slice(value, -2, 0, 0)};
}

KeyValueCache join(const KeyValueCache& past, const Tensor& key, const Tensor& value) {
  require_joinable("key", past.key, key);
  require_joinable("value", past.value, value);
  if (past.key.dim(-2) != past.value.dim(-2) || key.dim(-2) != value.dim(-2)) {
    throw std::invalid_argument(fmt::format(
        "cache: every key needs its value, but past keys are {} and values {}, new keys {} and values {}",
        to_string(past.key.shape()), to_string(past.value.shape()), to_string(key.shape()), to_string(value.shape())));
  }
  return {.key = concat({past.key, key}, -2), .value = concat({past.value, value}, -2)};
}

CachedSteps cached_attention(const Tensor& query, const Tensor& key, const Tensor& value, const KeyValueCache& past,
                             const AttentionOptions& options) {
  KeyValueCache present = join(past, key, value);
  Tensor mask = causal_mask({.seq_len_q = query.dim(-2),
                             .seq_len_kv = present.seq_len(),
                             .offset = static_cast<std::ptrdiff_t>(past.seq_len())});
  AttentionOptions with_past = options;
  with_past.mask = combine_masks(options.mask, keep_where(mask));
  FamilySteps steps = attention(query, present.key, present.value, with_past);
  return {.present = std::move(present), .mask = std::move(mask), .attention = std::move(steps)};
}

}  // namespace attn
