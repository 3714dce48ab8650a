#pragma once

#include "fast/attention.hpp"
#include "fast/matmul.hpp"

#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace attn::fast {

using Engine = std::mt19937;

/// Normal floats, as memory.
[[nodiscard]] std::vector<float> normal(Engine& engine, std::size_t count);

[[nodiscard]] std::size_t whole_number(Engine& engine, std::size_t from, std::size_t to);

/// The product as in the textbook, in double; and for each number how far a float's sum may be off: every one of
/// `depth` additions rounds what was summed up to then, which is never more than the sum of the absolute products.
struct Expected {
  std::vector<double> values;
  std::vector<double> slack;
};
[[nodiscard]] Expected expected_product(const Product& product);

/// "" when C is as expected, else where it is not, with both values.
[[nodiscard]] std::string difference_from(const Expected& expected, const Product& product);

/// A product with memory of its own: both matrices stored one way or the other, rows with gaps, and numbers around C
/// that nobody may touch.
struct RandomProduct {
  RandomProduct(Engine& engine, std::size_t rows, std::size_t columns, std::size_t depth, bool a_transposed,
                bool b_transposed);
  RandomProduct(const RandomProduct&) = delete;
  RandomProduct& operator=(const RandomProduct&) = delete;
  ~RandomProduct() = default;

  [[nodiscard]] bool untouched_around_c() const;

  std::vector<float> a;
  std::vector<float> b;
  std::vector<float> c;
  Product product;
};

/// One head with memory of its own.
struct RandomHead {
  RandomHead(Engine& engine, std::size_t seq_len_q, std::size_t seq_len_kv, std::size_t head_dim,
             std::size_t value_dim);
  RandomHead(const RandomHead&) = delete;
  RandomHead& operator=(const RandomHead&) = delete;
  ~RandomHead() = default;

  std::vector<float> query;
  std::vector<float> key;
  std::vector<float> value;
  std::vector<float> bias;
  std::vector<float> empty_row;
  std::vector<float> context;
  AttentionHead head;
};

/// Attention as on a blackboard, in double: [seq_len_q * value_dim]. Scores are rounded to float as a float's are.
[[nodiscard]] std::vector<double> expected_context(const AttentionHead& head);

/// "" when the context is as expected within 2e-5 + 2e-5 |expected|, else where it is not, with both values. A score of
/// up to 64 float products is off by some 1e-6, and so is the exponent of its weight.
[[nodiscard]] std::string difference_from(const std::vector<double>& expected, const AttentionHead& head);

}  // namespace attn::fast
