#pragma once

#include "board/arithmetic.hpp"
#include "board/operands.hpp"

#include <cstddef>

namespace attn {

// How a number of a rotary embedding comes about: two channels of a token turn together, by an angle that its place and
// the pair give. Its terms are a cos and -b sin, or b cos and a sin; `besides` has the place.

/// Fills in form, terms and the place. A channel that does not turn was moved unchanged.
void turned(Working& working, const Inputs& in);

/// The angle: place / base^(even / rotary_dim).
struct Turn {
  double place = 0.0;
  double base = 0.0;
  std::size_t even = 0;  // twice the number of the pair: the paper's 2i
  std::size_t rotary_dim = 0;

  [[nodiscard]] double angle() const;
};

[[nodiscard]] Turn turn_of(const Working& working);

/// True for the first channel of a pair: it is a cos - b sin.
[[nodiscard]] bool is_first_of_pair(const Working& working);

}  // namespace attn
