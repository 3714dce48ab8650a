#include "attention/kinds/learned_positions.hpp"

#include "tensor/rearrange.hpp"

#include <fmt/core.h>

#include <stdexcept>

namespace attn {

Tensor learned_positions(const Tensor& table, std::size_t seq_len, std::size_t first) {
  if (table.rank() != 2) {
    throw std::invalid_argument(
        fmt::format("learned_positions: the table must be [max_positions, d_model], not {}", to_string(table.shape())));
  }
  // Written so that it cannot overflow: first + seq_len might.
  if (first > table.dim(0) || seq_len > table.dim(0) - first) {
    throw std::invalid_argument(fmt::format(
        "learned_positions: {} tokens from place {} on need more rows than the table {} has: shorten the text, or use "
        "sinusoidal positions, which have no end",
        seq_len, first, to_string(table.shape())));
  }
  return slice(table, /*axis=*/0, first, first + seq_len);
}

}  // namespace attn
