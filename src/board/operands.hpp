#pragma once

#include "board/arithmetic.hpp"
#include "board/trace.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <vector>

namespace attn {

// Where the operands of a number stand in the inputs of its step.

using Inputs = std::vector<const Step*>;

/// The number at a place of a step.
[[nodiscard]] Operand operand(const Step& step, Index index);

/// The place in a broadcast input that meets `index` of the result: axes count from the right, a size of 1 repeats.
[[nodiscard]] Index broadcast_index(const Index& index, const Shape& shape);

/// The same place, with the last two axes as given.
[[nodiscard]] Index matrix_index(const Index& index, const Shape& shape, std::size_t row, std::size_t column);

/// The number of a broadcast input that meets the one that is worked out.
[[nodiscard]] Operand elementwise(const Working& working, const Step& input);

/// The axis that the step's op runs along, counted from the front of a shape of that rank.
[[nodiscard]] std::size_t axis_of(const Step& step, std::size_t rank);

/// The numbers along one axis of the input; `index` is a place on that line.
[[nodiscard]] std::vector<Term> line_of_terms(const Step& input, Index index, std::size_t axis);

}  // namespace attn
