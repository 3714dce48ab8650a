#pragma once

#include "support/cases/case_file.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>

namespace attn {

/// What computing a case takes, as far as the shapes of its inputs and its attributes say: known before anything is
/// computed. Never less than what is then recorded, and not much more (tests hold the one against the other).
/// In double, because the sizes of a bad case may multiply to more than a whole number holds.
struct CaseCost {
  double numbers = 0.0;   // that all steps hold together
  double labels = 0.0;    // of their rows and columns, and of parts that are joined: each takes as much as ten numbers
  double products = 0.0;  // multiplications in matrix products
  Shape largest;          // of the steps, with its numbers and labels
  double largest_size = 0.0;

  /// So many steps of that shape.
  CaseCost& steps(double count, const Shape& shape);
  /// A step that is a matrix product: for each number of it, so many products are added up.
  CaseCost& product(const Shape& shape, std::size_t inner);
  CaseCost& operator+=(const CaseCost& other);
};

// A case takes at most about 1 GB and 20 s: a number stands in memory twice, in the trace and in what computes it, and
// a face writes it in up to 14 characters.
inline constexpr double most_step_numbers = static_cast<double>(most_case_numbers);
inline constexpr double most_labels = most_step_numbers / 4.0;
inline constexpr double most_products = most_step_numbers * 64.0;

/// All inputs of a case, each of which becomes a step.
[[nodiscard]] CaseCost inputs_cost(const CaseFile& file);

/// Throws std::invalid_argument, naming the operator, what is too much of it and how much may be, when a case takes
/// more than there is.
void require_affordable(const std::string& op, const CaseCost& cost);

// Shapes from which a cost is made. A wrong shape is none of a cost's business: what is missing counts as 1, and the
// operator says what is wrong.

/// The shape of an input; [] when the case has none of that name.
[[nodiscard]] Shape shape_of(const CaseFile& file, const std::string& input);
/// The size of an axis, negative ones from the end; 1 where there is no such axis.
[[nodiscard]] std::size_t size_at(const Shape& shape, int axis);
/// The axes of `leading` before its last two, and then these: [.., rows, columns].
[[nodiscard]] Shape matrices(const Shape& leading, std::size_t rows, std::size_t columns);
/// The shape with another last axis.
[[nodiscard]] Shape with_last(Shape shape, std::size_t last);
/// The shape with one axis more at its end.
[[nodiscard]] Shape and_last(Shape shape, std::size_t last);
/// [.., seq_len, d_model] with the heads apart: [.., num_heads, seq_len, d_model / num_heads].
[[nodiscard]] Shape heads_apart(const Shape& shape, std::size_t num_heads);
/// What two shapes broadcast to: of each axis the larger, matched from the right.
[[nodiscard]] Shape larger(const Shape& a, const Shape& b);

}  // namespace attn
