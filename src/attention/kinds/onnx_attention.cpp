#include "attention/kinds/onnx_attention.hpp"

#include "attention/kinds/cache.hpp"
#include "attention/kinds/grouped_heads.hpp"
#include "attention/kinds/masks.hpp"
#include "attention/multi_head.hpp"
#include "tensor/rearrange.hpp"

#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace attn {

namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw std::invalid_argument(fmt::format("Attention: {}", what));
}

void check(const OnnxAttentionInputs& inputs, const OnnxAttentionAttributes& attributes) {
  const std::size_t rank = inputs.Q.rank();
  if ((rank != 3 && rank != 4) || inputs.K.rank() != rank || inputs.V.rank() != rank) {
    refuse(
        fmt::format("Q, K and V have 4 axes [batch, heads, seq_len, dim], or all 3 [batch, seq_len, heads * dim], "
                    "but are {}, {} and {}",
                    to_string(inputs.Q.shape()), to_string(inputs.K.shape()), to_string(inputs.V.shape())));
  }
  if (rank == 3 && (!attributes.q_num_heads || !attributes.kv_num_heads)) {
    refuse(fmt::format("Q with 3 axes {} needs q_num_heads and kv_num_heads, to split the last one",
                       to_string(inputs.Q.shape())));
  }
  if (inputs.past_key.has_value() != inputs.past_value.has_value()) {
    refuse(fmt::format("past_key and past_value go together, but only {} is given",
                       inputs.past_key ? "past_key" : "past_value"));
  }
  if (inputs.nonpad_kv_seqlen && inputs.past_key) {
    refuse("nonpad_kv_seqlen is for a cache that K and V hold already, so it cannot go with past_key and past_value");
  }
  if (inputs.nonpad_kv_seqlen && attributes.opset < 24) {
    refuse(fmt::format("nonpad_kv_seqlen came with opset 24, but opset is {}", attributes.opset));
  }
  for (const std::int64_t size : {attributes.left_window_size, attributes.right_window_size}) {
    if (size < -1) refuse(fmt::format("a window size is {}, but must be -1 (no limit), 0 or more", size));
    if (size >= 0 && attributes.opset < 25) {
      refuse(fmt::format("window sizes came with opset 25, but opset is {}", attributes.opset));
    }
  }
  if (attributes.qk_matmul_output_mode < 0 || attributes.qk_matmul_output_mode > 3) {
    refuse(
        fmt::format("qk_matmul_output_mode is {}, but must be 0 (scaled scores), 1 (after the soft cap), 2 (after "
                    "the mask) or 3 (after softmax)",
                    attributes.qk_matmul_output_mode));
  }
}

/// [batch, seq_len, heads * dim] -> [batch, heads, seq_len, dim]; four axes stay.
Tensor with_heads(const char* name, const Tensor& x, const std::optional<std::size_t>& num_heads) {
  if (x.rank() == 3) return split_heads(x, *num_heads);
  if (num_heads && *num_heads != x.dim(1)) {
    refuse(fmt::format("{} is {}, with {} heads, but the attribute says {}", name, to_string(x.shape()), x.dim(1),
                       *num_heads));
  }
  return x;
}

/// How far the first query of each sentence stands after the first key: one offset for all, or one per sentence.
std::vector<std::ptrdiff_t> offsets_of(const OnnxAttentionInputs& inputs, std::size_t batch, std::size_t seq_len_q,
                                       std::size_t seq_len_kv) {
  if (inputs.past_key) return {static_cast<std::ptrdiff_t>(inputs.past_key->dim(-2))};
  if (!inputs.nonpad_kv_seqlen) return {0};

  const Tensor& lengths = *inputs.nonpad_kv_seqlen;
  if (lengths.shape() != Shape{batch}) {
    refuse(fmt::format("nonpad_kv_seqlen must be [batch], that is [{}], not {}", batch, to_string(lengths.shape())));
  }
  std::vector<std::ptrdiff_t> offsets;
  for (const float length : lengths.values()) {
    if (!(length >= 0.0F) || length > static_cast<float>(seq_len_kv) || length != std::floor(length)) {
      refuse(fmt::format("nonpad_kv_seqlen has {}, but a sentence has a whole number of keys from 0 to {}", length,
                         seq_len_kv));
    }
    offsets.push_back(static_cast<std::ptrdiff_t>(length) - static_cast<std::ptrdiff_t>(seq_len_q));
  }
  return offsets;
}

std::optional<std::size_t> window_side(std::int64_t size) {
  return size < 0 ? std::nullopt : std::optional<std::size_t>(static_cast<std::size_t>(size));
}

/// What positions alone hide: later keys, keys outside the window, keys after the end of a sentence. As one table
/// [batch or 1, 1, seq_len_q, seq_len_kv], or no mask where nothing of this is asked for.
Mask positional_mask(const OnnxAttentionInputs& inputs, const OnnxAttentionAttributes& attributes, std::size_t batch,
                     std::size_t seq_len_q, std::size_t seq_len_kv) {
  const std::vector<std::ptrdiff_t> offsets = offsets_of(inputs, batch, seq_len_q, seq_len_kv);
  const std::optional<std::size_t> left = window_side(attributes.left_window_size);
  const std::optional<std::size_t> right = window_side(attributes.right_window_size);
  if (!attributes.is_causal && !left && !right && !inputs.nonpad_kv_seqlen) return no_mask();

  std::vector<Tensor> sentences;
  for (const std::ptrdiff_t offset : offsets) {
    Tensor keep =
        window_mask({.seq_len_q = seq_len_q, .seq_len_kv = seq_len_kv, .left = left, .right = right, .offset = offset});
    if (attributes.is_causal) {
      keep = combine_masks(keep, causal_mask({.seq_len_q = seq_len_q, .seq_len_kv = seq_len_kv, .offset = offset}));
    }
    if (inputs.nonpad_kv_seqlen) {
      const auto length = static_cast<std::size_t>(offset + static_cast<std::ptrdiff_t>(seq_len_q));
      keep = combine_masks(keep, reshape(padding_mask({length}, seq_len_kv), {1, seq_len_kv}));
    }
    sentences.push_back(reshape(keep, {1, 1, seq_len_q, seq_len_kv}));
  }
  return keep_where(sentences.empty() ? Tensor({batch, 1, seq_len_q, seq_len_kv}) : concat(sentences, 0));
}

/// A mask's table with as many columns as there are keys: those that it says nothing about are hidden.
std::optional<Tensor> hide_missing_keys(const std::optional<Tensor>& table, std::size_t seq_len_kv, float hidden) {
  if (!table) return std::nullopt;
  if (table->rank() < 1 || table->rank() > 4 || table->dim(-1) > seq_len_kv) {
    refuse(fmt::format("attn_mask has 1 to 4 axes, the last with no more columns than the {} keys, but is {}",
                       seq_len_kv, to_string(table->shape())));
  }
  Shape missing = table->shape();
  missing.back() = seq_len_kv - table->dim(-1);
  return concat({*table, Tensor(missing, hidden)}, -1);
}

Precision precision_of(const OnnxAttentionAttributes& attributes) {
  switch (attributes.softmax_precision.value_or(1)) {
    case 1:
      return Precision::float32;
    case 10:
      return Precision::float16;
    case 11:
      return Precision::float64;
    case 16:
      return Precision::bfloat16;
    default:
      refuse(fmt::format("softmax_precision is {}, but must be 1 (float), 10 (float16), 11 (double) or 16 (bfloat16)",
                         *attributes.softmax_precision));
  }
}

const Tensor& step_of(const FamilySteps& steps, std::int64_t mode) {
  switch (mode) {
    case 0:
      return steps.scaled;
    case 1:
      return steps.capped;
    case 2:
      return steps.masked;
    default:
      return steps.weights;
  }
}

}  // namespace

OnnxAttentionSteps onnx_attention(const OnnxAttentionInputs& inputs, const OnnxAttentionAttributes& attributes,
                                  const Compute& compute) {
  check(inputs, attributes);

  // 1. Heads apart, and all keys and values in one row: those of the past, then the new ones.
  Tensor query = with_heads("Q", inputs.Q, attributes.q_num_heads);
  KeyValueCache present = {.key = with_heads("K", inputs.K, attributes.kv_num_heads),
                           .value = with_heads("V", inputs.V, attributes.kv_num_heads)};
  if (inputs.past_key) present = join({*inputs.past_key, *inputs.past_value}, present.key, present.value);

  // 2. A key head for every query head.
  check_key_value_heads(present.key, present.value);
  Tensor key = repeat_heads(present.key, query.dim(1));
  Tensor value = repeat_heads(present.value, query.dim(1));

  // 3. One mask out of all that hides or adds.
  const std::size_t seq_len_kv = key.dim(-2);
  const Mask given = {
      .keep = hide_missing_keys(inputs.attn_mask.keep, seq_len_kv, 0.0F),
      .bias = hide_missing_keys(inputs.attn_mask.bias, seq_len_kv, -std::numeric_limits<float>::infinity())};
  Mask mask = combine_masks(given, positional_mask(inputs, attributes, query.dim(0), query.dim(-2), seq_len_kv));

  // 4. Attention.
  FamilySteps steps =
      attention(query, key, value,
                {.mask = mask,
                 .scale = attributes.scale,
                 .soft_cap = attributes.softcap == 0.0F ? std::nullopt : std::optional<float>(attributes.softcap),
                 .empty_rows = EmptyRows::zeros,
                 .softmax_precision = precision_of(attributes),
                 .compute = compute});

  // 5. Back to the axes of the inputs.
  Tensor Y = inputs.Q.rank() == 3 ? merge_heads(steps.context) : steps.context;
  Tensor qk_matmul_output = step_of(steps, attributes.qk_matmul_output_mode);

  return {.query = std::move(query),
          .key = std::move(key),
          .value = std::move(value),
          .mask = std::move(mask),
          .attention = std::move(steps),
          .Y = std::move(Y),
          .present_key = std::move(present.key),
          .present_value = std::move(present.value),
          .qk_matmul_output = std::move(qk_matmul_output)};
}

}  // namespace attn
