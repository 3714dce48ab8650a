#include "attention/kinds/onnx_rotary.hpp"

#include "attention/embedding.hpp"
#include "attention/kinds/rotary.hpp"
#include "attention/multi_head.hpp"
#include "tensor/rearrange.hpp"

#include <fmt/core.h>

#include <stdexcept>

namespace attn {

namespace {

/// The rows of a cache that the tokens take, the same for every head: [batch, 1, seq_len, rotary_dim / 2].
Tensor turns_of(const char* name, const Tensor& cache, const std::optional<Tensor>& position_ids, const Tensor& heads) {
  const std::size_t expected_rank = position_ids ? 2 : 3;
  if (cache.rank() != expected_rank) {
    throw std::invalid_argument(
        fmt::format("RotaryEmbedding: {} is {}: with position_ids it is [max_positions, rotary_dim / 2], without them "
                    "[batch, seq_len, rotary_dim / 2]",
                    name, to_string(cache.shape())));
  }
  if (position_ids && position_ids->shape() != Shape{heads.dim(0), heads.dim(2)}) {
    throw std::invalid_argument(
        fmt::format("RotaryEmbedding: position_ids is {} and must be [batch, seq_len] = [{}, {}]: one place per token",
                    to_string(position_ids->shape()), heads.dim(0), heads.dim(2)));
  }
  const Tensor rows = position_ids ? gather(cache, *position_ids) : cache;
  return reshape(rows, {rows.dim(0), 1, rows.dim(1), rows.dim(2)});
}

}  // namespace

Tensor onnx_rotary_embedding(const Tensor& input, const Tensor& cos_cache, const Tensor& sin_cache,
                             const std::optional<Tensor>& position_ids, const OnnxRotaryOptions& options) {
  if (input.rank() != 3 && input.rank() != 4) {
    throw std::invalid_argument(fmt::format(
        "RotaryEmbedding: input must be [batch, num_heads, seq_len, head_dim] or [batch, seq_len, num_heads "
        "* head_dim], not {}",
        to_string(input.shape())));
  }
  const bool split = input.rank() == 3;
  if (split && options.num_heads == 0) {
    throw std::invalid_argument(
        fmt::format("RotaryEmbedding: an input of three axes, {}, needs the attribute num_heads, at least 1",
                    to_string(input.shape())));
  }
  const Tensor heads = split ? split_heads(input, options.num_heads) : input;  // [batch, num_heads, seq_len, head_dim]
  const Tensor cos = turns_of("cos_cache", cos_cache, position_ids, heads);
  const Tensor sin = turns_of("sin_cache", sin_cache, position_ids, heads);

  const std::size_t rotary_dim = options.rotary_embedding_dim == 0 ? heads.dim(-1) : options.rotary_embedding_dim;
  if (rotary_dim % 2 != 0 || cos.dim(-1) != rotary_dim / 2) {
    throw std::invalid_argument(fmt::format(
        "RotaryEmbedding: {} channels of each head turn, so cos_cache and sin_cache need {}, but cos_cache is {}: an "
        "even number of channels, and one cosine for each two of them",
        rotary_dim, rotary_dim / 2, to_string(cos_cache.shape())));
  }
  const Tensor rotated =
      rotate(heads, cos, sin, options.interleaved ? RotaryLayout::interleaved : RotaryLayout::halves);
  return split ? merge_heads(rotated) : rotated;
}

}  // namespace attn
