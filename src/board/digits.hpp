#pragma once

#include "board/value.hpp"

#include <cstddef>
#include <string>

namespace attn {

// How numbers are written. Nothing here depends on the locale.

/// From this size on, numbers are written with an exponent.
inline constexpr double exponent_from = 1e7;

/// With so many decimals: "0.500". Never "-0.000"; "inf", "-inf" and "nan" by name; from exponent_from on, as
/// "1.000e+07".
[[nodiscard]] std::string fixed(double number, std::size_t decimals);

/// As `fixed`, but a whole number is written without decimals: a bare 0 is exactly zero, 0.000 a small number rounded.
[[nodiscard]] std::string short_number(double number, std::size_t decimals);

/// A difference with the digits it needs: "0" only when it is 0, else two significant digits.
[[nodiscard]] std::string difference_text(double difference);

/// With three digits, for what was measured: "0.912", "11.3", "109". As many more as a large number has.
[[nodiscard]] std::string rough(double number);

/// The number that a reader takes from what `fixed` printed.
[[nodiscard]] double as_printed(double number, std::size_t decimals);

/// The sentence with its values in place. Throws std::invalid_argument when a name has no value, a value no name, or a
/// brace is not closed.
[[nodiscard]] std::string fill(const Sentence& sentence, std::size_t decimals);

}  // namespace attn
