#include "board/moved_numbers.hpp"

#include "tensor/layout.hpp"

#include <fmt/core.h>

#include <stdexcept>
#include <utility>
#include <vector>

namespace attn {

namespace {

/// Where an element lies in the row-major list; index_at is the way back.
std::size_t offset_of(const Shape& shape, const Index& index) {
  std::size_t offset = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) offset = offset * shape[axis] + index[axis];
  return offset;
}

/// The place in one of several joined parts.
Operand joined_operand(const Step& step, const std::vector<const Step*>& parts, Index index) {
  const std::size_t axis = axis_of(step, index.size());
  for (const Step* part : parts) {
    const std::size_t size = part->value.shape()[axis];
    if (index[axis] < size) return operand(*part, std::move(index));
    index[axis] -= size;
  }
  throw std::invalid_argument(fmt::format("arithmetic: the parts of {} are shorter than it is", step.name));
}

}  // namespace

void copied(Working& working, Operand source) {
  working.form = Working::Form::copy;
  working.terms = {{.factors = {std::move(source)}, .label = {}}};
}

void gathered(Working& working, const Inputs& in) {
  const Index& index = working.index;
  const auto id = static_cast<std::size_t>(in[1]->value.at({index.begin(), index.end() - 1}));
  copied(working, operand(*in[0], {id, index.back()}));
}

void sliced(Working& working, const Inputs& in) {
  Index from = working.index;
  from[axis_of(*working.step, from.size())] += static_cast<std::size_t>(working.step->origin.attribute("start"));
  copied(working, operand(*in[0], std::move(from)));
}

void joined(Working& working, const Inputs& in) {
  copied(working, joined_operand(*working.step, in, working.index));
}

void transposed(Working& working, const Inputs& in) {
  Index from = working.index;
  std::swap(from[from.size() - 2], from[from.size() - 1]);
  copied(working, operand(*in[0], std::move(from)));
}

void reshaped(Working& working, const Inputs& in) {
  const std::size_t place = offset_of(working.step->value.shape(), working.index);
  copied(working, operand(*in[0], index_at(in[0]->value.shape(), place)));
}

void split(Working& working, const Inputs& in) {
  const std::size_t head_dim = working.step->value.dim(-1);
  Index from(working.index.begin(), working.index.end() - 3);
  const std::size_t h = working.index[from.size()];
  from.push_back(working.index[from.size() + 1]);
  from.push_back(h * head_dim + working.index.back());
  copied(working, operand(*in[0], std::move(from)));
}

void merged(Working& working, const Inputs& in) {
  const std::size_t head_dim = in[0]->value.dim(-1);
  Index from(working.index.begin(), working.index.end() - 2);
  const std::size_t c = working.index.back();
  from.push_back(c / head_dim);
  from.push_back(working.index[working.index.size() - 2]);
  from.push_back(c % head_dim);
  copied(working, operand(*in[0], std::move(from)));
}

void repeated(Working& working, const Inputs& in) {
  Index from = working.index;
  from[from.size() - 3] /= static_cast<std::size_t>(working.step->origin.attribute("repeats"));
  copied(working, operand(*in[0], std::move(from)));
}

}  // namespace attn
