#pragma once

#include "tensor/tensor.hpp"

#include <cstddef>

namespace attn {

/// Scores, and what it took to compute them, counted one by one while they were computed.
struct CountedWork {
  Tensor scores;                    // [seq_len_q, seq_len_kv]
  std::size_t multiplications = 0;  // of two numbers
  std::size_t tanhs = 0;
  std::size_t kept = 0;  // numbers that there are at the same time when all pairs are computed at once
};

/// score_ij = v . tanh(query_i + key_j), with queries and keys that were projected already.
///   query [seq_len_q, units]   key [seq_len_kv, units]   v [units]
[[nodiscard]] CountedWork count_additive(const Tensor& query, const Tensor& key, const Tensor& v);

/// score_ij = query_i . key_j, of rows that are as wide as each other.
[[nodiscard]] CountedWork count_dot(const Tensor& query, const Tensor& key);

}  // namespace attn
