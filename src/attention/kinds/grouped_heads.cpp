#include "attention/kinds/grouped_heads.hpp"

#include "tensor/rearrange.hpp"

#include <fmt/core.h>

#include <stdexcept>
#include <vector>

namespace attn {

namespace {

void require_heads(const char* name, const Tensor& x) {
  if (x.rank() >= 3) return;
  throw std::invalid_argument(
      fmt::format("grouped heads: {} must be [.., heads, seq_len, dim], not {}: split_heads "
                  "gives a tensor its head axis",
                  name, to_string(x.shape())));
}

}  // namespace

Tensor repeat_heads(const Tensor& x, std::size_t num_heads) {
  require_heads("a key or value", x);
  const std::size_t num_kv_heads = x.dim(-3);
  if (num_kv_heads == 0 || num_heads % num_kv_heads != 0) {
    throw std::invalid_argument(
        fmt::format("grouped heads: num_heads ({}) must be a multiple of num_kv_heads ({}), so that every key head "
                    "serves as many query heads",
                    num_heads, num_kv_heads));
  }
  const std::size_t group = num_heads / num_kv_heads;

  std::vector<Tensor> heads;
  for (std::size_t h = 0; h < num_heads; ++h) heads.push_back(slice(x, -3, h / group, h / group + 1));
  return heads.empty() ? slice(x, -3, 0, 0) : concat(heads, -3);
}

void check_key_value_heads(const Tensor& key, const Tensor& value) {
  require_heads("key", key);
  require_heads("value", value);
  if (key.dim(-3) == value.dim(-3)) return;
  throw std::invalid_argument(
      fmt::format("grouped heads: key and value must have as many heads as each other, but key is {} and value is {}",
                  to_string(key.shape()), to_string(value.shape())));
}

FamilySteps grouped_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                              const AttentionOptions& options) {
  require_heads("query", query);
  check_key_value_heads(key, value);
  const std::size_t num_heads = query.dim(-3);
  return attention(query, repeat_heads(key, num_heads), repeat_heads(value, num_heads), options);
}

}  // namespace attn
