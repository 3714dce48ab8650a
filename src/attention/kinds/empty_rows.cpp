#include "attention/kinds/empty_rows.hpp"

#include "tensor/layout.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <stdexcept>

namespace attn {

Tensor fill_empty_rows(const Tensor& weights, const Tensor& masked, EmptyRows choice) {
  if (weights.shape() != masked.shape()) {
    throw std::invalid_argument(
        fmt::format("fill_empty_rows: weights are {} and masked scores {}: give the scores that the weights come from",
                    to_string(weights.shape()), to_string(masked.shape())));
  }
  Tensor filled = weights;
  if (choice == EmptyRows::nan || filled.size() == 0) return filled;

  const std::size_t seq_len_kv = weights.dim(-1);
  const float fill = choice == EmptyRows::zeros ? 0.0F : 1.0F / static_cast<float>(seq_len_kv);
  for (std::size_t first = 0; first < filled.size(); first += seq_len_kv) {
    const auto row = std::next(masked.values().begin(), static_cast<std::ptrdiff_t>(first));
    const auto end = std::next(row, static_cast<std::ptrdiff_t>(seq_len_kv));
    const bool is_empty = std::all_of(row, end, [](float x) { return x == -std::numeric_limits<float>::infinity(); });
    if (is_empty) {
      std::fill_n(std::next(filled.values().begin(), static_cast<std::ptrdiff_t>(first)), seq_len_kv, fill);
    }
  }
  return filled;
}

}  // namespace attn
