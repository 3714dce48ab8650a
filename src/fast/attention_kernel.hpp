#pragma once

#include "fast/attention.hpp"
#include "fast/exp2.hpp"
#include "fast/pack.hpp"
#include "fast/softmax_kernel.hpp"
#include "fast/tile.hpp"

#include <cstddef>

namespace attn::fast {
namespace {

// Queries that share what is read of K and V. With 128 a causal text of 512 words takes 1.12 times as long, as more is
// computed above the diagonal.
inline constexpr std::size_t query_block = 64;
inline constexpr std::size_t key_block = 128;  // 128 x 64 scores, 32 KiB, stay in the L1 cache
static_assert(query_block % tile_columns == 0, "a tile must not reach past the block");

/// A block of queries, and what is known of it after some blocks of keys. Queries lie in the lanes: row j of the scores
/// is key j's, so a maximum or a sum over keys is one over rows, and no lane needs another.
struct QueryBlock {
  const AttentionHead& head;
  std::size_t first;    // query
  std::size_t count;    // of queries
  std::size_t vectors;  // that hold them
  float* queries;       // [head_dim, query_block]: Q^T
  float* context;       // [value_dim, query_block]: V^T times the powers, up to now
  float* scores;        // [key_block, query_block]: K Q^T, then their powers
  Vector largest[query_block / lanes] = {};
  Vector sums[query_block / lanes] = {};
};

inline std::size_t attention_size(const AttentionHead& head) {
  return query_block * (head.head_dim + head.value_dim + key_block);
}

/// to = a b, or to += a b, for `rows` rows of a, and the queries' columns of b.
inline void multiply_queries(const QueryBlock& block, Matrix a, const float* b, std::size_t depth, std::size_t rows,
                             float* to, bool add) {
  for (std::size_t v = 0; v < block.vectors; v += tile_vectors) {
    const std::size_t vectors = smaller(tile_vectors, block.vectors - v);
    multiply_strip(a, {b + v * lanes, query_block, 1}, depth, rows, vectors, to + v * lanes, query_block, add);
  }
}

/// The key at this distance from a query; 0 or seq_len_kv where that lies outside.
inline std::size_t key_at(const AttentionHead& head, std::size_t query, std::ptrdiff_t distance) {
  const std::ptrdiff_t key = static_cast<std::ptrdiff_t>(query) + distance;
  return key < 0 ? 0 : smaller(static_cast<std::size_t>(key), head.seq_len_kv);
}

/// Scores that need more than a positive factor: scale, soft cap, bias.
inline void finish_scores(const QueryBlock& block, std::size_t first_key, std::size_t keys) {
  const AttentionHead& head = block.head;
  for (std::size_t j = 0; j < keys; ++j) {
    for (std::size_t i = 0; i < block.count; ++i) {
      float& score = block.scores[j * query_block + i];
      score *= head.scale;
      if (head.soft_cap > 0.0F) score = head.soft_cap * __builtin_tanhf(score / head.soft_cap);
      if (head.bias.data == nullptr) continue;
      const float bias = *head.bias.at(block.first + i, first_key + j);
      score = bias == -infinity ? bias : score + bias;
    }
  }
}

/// -inf where query i may not see key j, by their distance j - i.
inline void hide_keys(const QueryBlock& block, std::size_t first_key, std::size_t keys) {
  const int nearest = static_cast<int>(block.head.first_visible);
  const int farthest = static_cast<int>(block.head.last_visible);
  for (std::size_t j = 0; j < keys; ++j) {
    for (std::size_t v = 0; v < block.vectors; ++v) {
      float* const scores = block.scores + j * query_block + v * lanes;
      const Integers distance =
          static_cast<int>(first_key + j) - static_cast<int>(block.first + v * lanes) - lane_numbers();
      const auto hidden = (distance < nearest) | (distance > farthest);
      store(scores, hidden ? broadcast(-infinity) : load(scores));
    }
  }
}

/// Scores become powers, relative to the largest score that their query has met. What was added up before, relative to
/// a smaller one, is scaled down to it.
inline void softmax_block(QueryBlock& block, std::size_t keys, float unit) {
  for (std::size_t v = 0; v < block.vectors; ++v) {
    float* const scores = block.scores + v * lanes;
    const Vector largest = largest_of(scores, keys, query_block, block.largest[v]);
    const Vector reference = largest == -infinity ? Vector{} : largest;  // -inf - -inf would be NaN

    Vector sum = {};
    for (std::size_t j = 0; j < keys; ++j) {
      const Vector power = exp2((load(scores + j * query_block) - reference) * unit);
      store(scores + j * query_block, power);
      sum += power;
    }
    //> online
    const Vector factor = exp2((block.largest[v] - reference) * unit);
    block.sums[v] = block.sums[v] * factor + sum;
    block.largest[v] = largest;
    for (std::size_t d = 0; d < block.head.value_dim; ++d) {
      float* const context = block.context + d * query_block + v * lanes;
      store(context, load(context) * factor);
    }
    //< online
  }
}

/// Each context's share of the sum of its powers, row by row. A sum of 0 had no key to see: 0 / 0 is NaN, one of three
/// conventions.
inline void write_context(const QueryBlock& block) {
  const AttentionHead& head = block.head;
  float* const to = head.context + block.first * head.context_row;
  for (std::size_t v = 0; v < block.vectors; ++v) {
    const Vector share = 1.0F / block.sums[v];  // 0 * inf is NaN, too
    for (std::size_t d = 0; d < head.value_dim; ++d) {
      float* const context = block.context + d * query_block + v * lanes;
      store(context, load(context) * share);
    }
    store(block.scores + v * lanes, block.sums[v]);
  }
  pack({block.context, 1, query_block}, block.count, head.value_dim, head.value_dim, to, head.context_row);
  for (std::size_t i = 0; i < block.count; ++i) {
    if (head.empty_row == nullptr || block.scores[i] != 0.0F) continue;
    for (std::size_t d = 0; d < head.value_dim; ++d) to[i * head.context_row + d] = head.empty_row[d];
  }
}

/// The contexts of the queries from `first` on: query_block of them, or what is left.
inline void attend_block(const AttentionHead& head, std::size_t first, float* workspace) {
  const std::size_t count = smaller(query_block, head.seq_len_q - first);
  const std::size_t last = first + count - 1;
  QueryBlock block{.head = head,
                   .first = first,
                   .count = count,
                   .vectors = (count + lanes - 1) / lanes,
                   .queries = workspace,
                   .context = workspace + query_block * head.head_dim,
                   .scores = workspace + query_block * (head.head_dim + head.value_dim)};
  for (std::size_t v = 0; v < block.vectors; ++v) block.largest[v] = broadcast(-infinity);
  for (std::size_t n = 0; n < head.value_dim * query_block; ++n) block.context[n] = 0.0F;
  pack(head.query.from(first, 0).transposed(), head.head_dim, count, block.vectors * lanes, block.queries, query_block);

  // Mostly a score only needs its scale, and that can wait until the maximum is subtracted: no score overflows by it,
  // and no difference before it but where the power is 0 anyway.
  const bool only_scaled = head.scale > 1e-36F && head.scale <= 1 && head.soft_cap == 0 && head.bias.data == nullptr;
  const auto first_key = [&](std::size_t query) { return key_at(head, query, head.first_visible); };
  const auto end_key = [&](std::size_t query) { return key_at(head, query, head.last_visible + 1); };
  for (std::size_t j = first_key(first), keys = 0; j < end_key(last); j += keys) {
    keys = smaller(key_block, end_key(last) - j);
    multiply_queries(block, head.key.from(j, 0), block.queries, head.head_dim, keys, block.scores, false);
    if (!only_scaled) finish_scores(block, j, keys);
    if (j < first_key(last) || j + keys > end_key(first)) hide_keys(block, j, keys);
    softmax_block(block, keys, only_scaled ? head.scale * log2_e : log2_e);
    multiply_queries(block, head.value.from(j, 0).transposed(), block.scores, keys, head.value_dim, block.context,
                     true);
  }
  write_context(block);
}

}  // namespace
}  // namespace attn::fast
