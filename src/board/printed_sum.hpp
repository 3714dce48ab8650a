#pragma once

#include "board/arithmetic.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace attn {

// How many digits a calculation needs, so that what is printed adds up as printed.

inline constexpr std::size_t most_decimals = 7;
inline constexpr std::size_t most_terms = 4;     // shown of a sum of products, the others' subtotal included
inline constexpr std::size_t most_summands = 8;  // shown of a row that is added up

/// Decimals at which a calculation comes out as printed.
struct Decimals {
  std::size_t operands = 0;
  std::size_t products = 0;
  bool exact = false;  // false: none was found, and the line has to say so
};

/// "   (rounded)" at the end of a line for which no number of decimals was found; else nothing.
[[nodiscard]] std::string rounded_note(const Decimals& decimals);

/// " + 14 (the other 3 together)": what stands for the summands that are not written out, zeros among them.
[[nodiscard]] std::string subtotal_text(double subtotal, std::size_t others, std::size_t decimals);

/// A sum as it will be printed: some terms, then perhaps the subtotal of the others.
struct PrintedSum {
  std::vector<const Term*> shown;  // of the working that it was made from, in their own order
  std::size_t others = 0;          // how many terms the subtotal stands for
  double subtotal = 0.0;
  double total = 0.0;
};

/// Do both numbers look the same with so many decimals?
[[nodiscard]] bool prints_as(double computed, double number, std::size_t decimals);

/// 2 for a factor of 0.5, which is written "/ 2"; 0 where the factor is not one over a whole number.
[[nodiscard]] double divisor(double factor);

/// A product with an exact zero in it.
[[nodiscard]] bool is_zero(const Term& term);

/// Products with an exact zero add nothing: the page counts them out instead of printing them.
[[nodiscard]] Working without_zeros(const Working& working);

/// The fewest decimals at which the sum comes out as printed; at each, as many terms as possible, `most` at the most.
/// Only where no number of decimals will do is the sum cut down to one term and a subtotal.
/// `working` must outlive the result.
[[nodiscard]] std::pair<PrintedSum, Decimals> fit_sum(const Working& working, std::size_t precision, std::size_t most);

/// All terms on one line, where the products are not printed: the operands as printed have to give the sum as printed.
[[nodiscard]] std::pair<PrintedSum, Decimals> fit_sum_on_one_line(const Working& working, std::size_t precision);

}  // namespace attn
