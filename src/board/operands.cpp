#include "board/operands.hpp"

#include <string>
#include <utility>

namespace attn {

Operand operand(const Step& step, Index index) {
  const auto value = static_cast<double>(step.value.at(index));
  return {.step = &step, .index = std::move(index), .value = value};
}

Index broadcast_index(const Index& index, const Shape& shape) {
  Index source(shape.size());
  for (std::size_t k = 0; k < shape.size(); ++k) {
    const std::size_t from_right = shape.size() - 1 - k;
    source[k] = shape[k] == 1 ? 0 : index[index.size() - 1 - from_right];
  }
  return source;
}

Index matrix_index(const Index& index, const Shape& shape, std::size_t row, std::size_t column) {
  Index batch = index;
  batch[batch.size() - 2] = row;
  batch[batch.size() - 1] = column;
  Index source = broadcast_index(batch, shape);
  source[source.size() - 2] = row;
  source[source.size() - 1] = column;
  return source;
}

std::size_t axis_of(const Step& step, std::size_t rank) {
  const double axis = step.origin.attribute("axis");
  return static_cast<std::size_t>(axis < 0 ? axis + static_cast<double>(rank) : axis);
}

Operand elementwise(const Working& working, const Step& input) {
  return operand(input, broadcast_index(working.index, input.value.shape()));
}

std::vector<Term> line_of_terms(const Step& input, Index index, std::size_t axis) {
  const bool last = axis + 1 == index.size() && index.size() > 1;
  const bool labelled = last || axis + 2 == index.size() || index.size() == 1;
  std::vector<Term> terms;
  for (std::size_t j = 0; j < input.value.shape()[axis]; ++j) {
    index[axis] = j;
    const std::string label = !labelled ? std::to_string(j) : last ? input.columns[j] : input.rows[j];
    terms.push_back({.factors = {operand(input, index)}, .label = label});
  }
  return terms;
}

}  // namespace attn
