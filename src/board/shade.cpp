#include "board/shade.hpp"

#include "board/ink.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace attn {

namespace {

std::size_t eighths(double value, double top) {
  if (!(top > 0.0) || !(value > 0.0) || !std::isfinite(value)) return 0;
  return static_cast<std::size_t>(std::clamp(value / top * 8.0, 0.0, 8.0));
}

}  // namespace

std::string bar(double value, double top, bool ascii) {
  static constexpr const char* blocks[] = {" ", " ", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  return glyphs(blocks[eighths(value, top)], ascii);
}

int tint(double value, double top) {
  return std::max(static_cast<int>(eighths(value, top)) - 1, 0);
}

std::string square(double value, double top, bool ascii) {
  static constexpr const char* shades[] = {"·", "░", "▒", "▓", "█"};
  static constexpr const char* ascii_shades[] = {".", ":", "+", "#", "@"};
  if (std::isnan(value) || (std::isinf(value) && value > 0.0)) return "?";
  if (std::isinf(value)) return ascii ? "/" : "╱";
  if (value == 0.0) return " ";
  const double share = top > 0.0 ? std::abs(value) / top : 0.0;
  if (value < 0.0 && share >= 0.15) return "-";
  const std::size_t level = share < 0.05 ? 0 : share < 0.25 ? 1 : share < 0.55 ? 2 : share < 0.8 ? 3 : 4;
  return ascii ? ascii_shades[level] : shades[level];
}

std::string heat(double value, double top, bool ascii) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value) && value > 0.0) return "inf";
  const std::string one = square(value, top, ascii);
  return one + one + one;
}

OtherSquares operator|(const OtherSquares& a, const OtherSquares& b) {
  return {.below_0 = a.below_0 || b.below_0,
          .hidden = a.hidden || b.hidden,
          .nan = a.nan || b.nan,
          .infinite = a.infinite || b.infinite};
}

std::string legend_of_squares(const OtherSquares& others, bool ascii) {
  std::string legend = "(From little to much:";
  for (const double share : {0.01, 0.1, 0.3, 0.6, 1.0}) legend += " " + square(share, 1.0, ascii);
  legend += "; blank: 0";
  if (others.below_0) legend += "; " + square(-1.0, 1.0, ascii) + " below 0";
  if (others.hidden) legend += "; " + square(-std::numeric_limits<double>::infinity(), 1.0, ascii) + " hidden";
  if (others.nan || others.infinite) {
    legend += "; ? " + std::string(!others.infinite ? "nan" : !others.nan ? "inf" : "nan or inf");
  }
  return legend + ".)";
}

std::string long_bar(double value, double top, std::size_t room, bool ascii) {
  static constexpr const char* eighth[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (!(top > 0.0) || !(value > 0.0) || !std::isfinite(value)) return "";
  const auto length = static_cast<std::size_t>(std::lround(value / top * static_cast<double>(room) * 8.0));
  std::string drawn;
  for (std::size_t k = 0; k < length / 8; ++k) drawn += ascii ? "=" : "█";
  if (!ascii) drawn += eighth[length % 8];
  return drawn;
}

}  // namespace attn
