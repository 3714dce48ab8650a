#include "attention/kinds/rotary.hpp"

#include "attention/kinds/float_range.hpp"
#include "tensor/layout.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

namespace attn {

namespace {

/// The two channels of pair p.
struct Pair {
  std::size_t a;
  std::size_t b;
};

Pair pair_of(RotaryLayout layout, std::size_t p, std::size_t pairs) {
  if (layout == RotaryLayout::interleaved) return {.a = 2 * p, .b = 2 * p + 1};
  return {.a = p, .b = p + pairs};
}

bool broadcasts_to(const Shape& from, const Shape& to) {
  if (from.size() > to.size()) return false;
  for (std::size_t from_right = 1; from_right <= from.size(); ++from_right) {
    const std::size_t size = from[from.size() - from_right];
    if (size != 1 && size != to[to.size() - from_right]) return false;
  }
  return true;
}

}  // namespace

Tensor consecutive_positions(std::size_t seq_len, std::size_t first) {
  constexpr std::size_t last = std::size_t{1} << 24;
  if (first > last || seq_len > last - first) {
    throw std::invalid_argument(
        fmt::format("consecutive_positions: {} tokens from place {} on would pass place {}, beyond which two tokens "
                    "share a float: begin earlier",
                    seq_len, first, last));
  }
  Tensor positions({seq_len});
  for (std::size_t i = 0; i < seq_len; ++i) positions(i) = static_cast<float>(first + i);
  return positions;
}

RotaryTable rotary_table(const Tensor& positions, std::size_t rotary_dim, double base) {
  if (rotary_dim % 2 != 0) {
    throw std::invalid_argument(
        fmt::format("rotary: rotary_dim ({}) is odd, but channels turn in pairs: try {}", rotary_dim, rotary_dim - 1));
  }
  if (!(base > 0.0) || !std::isfinite(base)) {
    throw std::invalid_argument(fmt::format("rotary: base must be a number above 0, not {}: try 10000", base));
  }
  const std::size_t pairs = rotary_dim / 2;
  Shape shape = positions.shape();
  shape.push_back(pairs);
  RotaryTable table{.angles = Tensor(shape), .cos = Tensor(shape), .sin = Tensor(shape)};
  for (std::size_t i = 0; i < positions.size(); ++i) {
    for (std::size_t p = 0; p < pairs; ++p) {
      const double exponent = static_cast<double>(2 * p) / static_cast<double>(rotary_dim);
      const double angle = static_cast<double>(positions.values()[i]) / std::pow(base, exponent);
      table.angles.values()[i * pairs + p] = static_cast<float>(angle);
      table.cos.values()[i * pairs + p] = static_cast<float>(std::cos(angle));
      table.sin.values()[i * pairs + p] = static_cast<float>(std::sin(angle));
    }
  }
  return table;
}

Tensor rotate(const Tensor& x, const Tensor& cos, const Tensor& sin, RotaryLayout layout) {
  if (x.rank() < 1 || cos.rank() < 1 || cos.shape() != sin.shape() || 2 * cos.dim(-1) > x.dim(-1)) {
    throw std::invalid_argument(
        fmt::format("rotary: cos and sin must be [.., seq_len, rotary_dim / 2] with rotary_dim at most head_dim, but x "
                    "is {}, cos is "
                    "{} and sin is {}",
                    to_string(x.shape()), to_string(cos.shape()), to_string(sin.shape())));
  }
  const std::size_t head_dim = x.dim(-1);
  const std::size_t pairs = cos.dim(-1);

  Shape turns = x.shape();  // one turn for each pair of each token: [.., seq_len, pairs]
  turns.back() = pairs;
  if (!broadcasts_to(cos.shape(), turns)) {
    throw std::invalid_argument(fmt::format(
        "rotary: cos and sin are {} and do not broadcast to {}, the {} pairs of each token of x {}: give one place per "
        "token, and an axis of size 1 where the heads are",
        to_string(cos.shape()), to_string(turns), pairs, to_string(x.shape())));
  }

  Tensor rotated = x;
  const std::vector<std::size_t> turn_at = broadcast_offsets(cos.shape(), turns);
  for (std::size_t k = 0; k < turn_at.size(); ++k) {
    const std::size_t token = k / pairs * head_dim;
    const Pair pair = pair_of(layout, k % pairs, pairs);
    const auto a = static_cast<double>(x.values()[token + pair.a]);
    const auto b = static_cast<double>(x.values()[token + pair.b]);
    const auto cosine = static_cast<double>(cos.values()[turn_at[k]]);
    const auto sine = static_cast<double>(sin.values()[turn_at[k]]);
    // Tables of somebody else may turn by more than 1.
    rotated.values()[token + pair.a] = static_cast<float>(as_float_holds(a * cosine) - as_float_holds(b * sine));
    rotated.values()[token + pair.b] = static_cast<float>(as_float_holds(a * sine) + as_float_holds(b * cosine));
  }
  return rotated;
}

RotarySteps rotary_embedding(const Tensor& x, const Tensor& positions, const RotaryOptions& options) {
  if (x.rank() < 2) {
    throw std::invalid_argument(fmt::format(
        "rotary: x must be [.., seq_len, head_dim], not {}: a single token is [1, head_dim]", to_string(x.shape())));
  }
  const std::size_t head_dim = x.dim(-1);
  if (options.rotary_dim == 0 && head_dim % 2 != 0) {
    throw std::invalid_argument(fmt::format(
        "rotary: head_dim ({}) is odd, but channels turn in pairs: give rotary_dim {} to leave the last as it is",
        head_dim, head_dim - 1));
  }
  if (options.rotary_dim > head_dim) {
    throw std::invalid_argument(fmt::format(
        "rotary: rotary_dim ({}) is more than head_dim ({}) of x {}: no more channels can turn than there are",
        options.rotary_dim, head_dim, to_string(x.shape())));
  }
  RotaryTable table = rotary_table(positions, options.rotary_dim == 0 ? head_dim : options.rotary_dim, options.base);
  Tensor rotated = rotate(x, table.cos, table.sin, options.layout);
  return {.table = std::move(table), .rotated = std::move(rotated)};
}

}  // namespace attn
