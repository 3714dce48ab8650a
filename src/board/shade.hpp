#pragma once

#include <cstddef>
#include <string>

namespace attn {

// How much a number is, to the eye: three marks for the same share of `top`, the number that stands for all.
// What is not above 0, and what is no number, gets none; a `top` of 0 gives none to any.

/// A block beside the number, as high as its share in eighths. Blank below a quarter, so that a flat row stays calm.
[[nodiscard]] std::string bar(double value, double top, bool ascii);

/// The tint of a cell (see Span), where there is colour: 1 to 7, at the same shares as the bar; 0 where that is blank.
[[nodiscard]] int tint(double value, double top);

/// One square of a heat map: · ░ ▒ ▓ █ for |value| below 0.05, 0.25, 0.55, 0.8 of `top` and from there on; a blank for
/// exactly 0, - for a clearly negative number, ╱ for -inf (hidden), ? for nan and +inf.
[[nodiscard]] std::string square(double value, double top, bool ascii);

/// A cell of a heat map beside digits, three columns wide: from "···" to "███", blank for 0. Clearly negative numbers
/// are dashes, -inf (hidden) is hatched, inf and nan are spelled out.
[[nodiscard]] std::string heat(double value, double top, bool ascii);

/// Which squares there are besides those from little to much.
struct OtherSquares {
  bool below_0 = false;
  bool hidden = false;    // -inf
  bool nan = false;       // both of these are a ?
  bool infinite = false;  // +inf

  bool operator==(const OtherSquares&) const = default;
};

/// Those of either.
[[nodiscard]] OtherSquares operator|(const OtherSquares& a, const OtherSquares& b);

/// What the squares mean, for the reader: "(From little to much: · ░ ▒ ▓ █; blank: 0.)".
[[nodiscard]] std::string legend_of_squares(const OtherSquares& others, bool ascii);

/// A long bar: its number's share of `room` columns, in eighths of a column, so that small differences show.
[[nodiscard]] std::string long_bar(double value, double top, std::size_t room, bool ascii);

}  // namespace attn
