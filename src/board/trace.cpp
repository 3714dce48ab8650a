#include "board/trace.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace attn {

namespace {

using Labels = std::vector<std::string>;

/// Labels of the last axis of a step, whatever its rank.
const Labels& last_axis(const Step& step) {
  return step.value.rank() < 2 ? step.rows : step.columns;
}

/// Labels of all parts, one after the other.
Labels joined_labels(const std::vector<const Step*>& parts, Labels Step::*labels) {
  Labels all;
  for (const Step* part : parts) all.insert(all.end(), (part->*labels).begin(), (part->*labels).end());
  return all;
}

Labels cut(const Labels& labels, const Step& step) {
  const double start = step.origin.attribute("start");
  const double stop = step.origin.attribute("stop");
  if (start < 0.0 || start > stop || stop > static_cast<double>(labels.size())) {
    throw std::invalid_argument(fmt::format("trace: {} cannot be the slice from {} to {} of {}, which has {} there",
                                            step.name, start, stop, step.origin.inputs[0], labels.size()));
  }
  return {labels.begin() + static_cast<std::ptrdiff_t>(start), labels.begin() + static_cast<std::ptrdiff_t>(stop)};
}

/// Of inputs that are broadcast, the first that has the shape of the result. Where each repeats along some axis, an
/// axis takes the labels of the first that has it whole.
void inherit_broadcast(Step& step, const std::vector<const Step*>& inputs) {
  for (const Step* input : inputs) {
    if (input->value.shape() != step.value.shape()) continue;
    step.rows = input->rows;
    step.columns = input->columns;
    return;
  }
  if (step.value.rank() < 2) return;
  const auto first_with = [&](std::size_t rank, int axis) -> const Step* {
    for (const Step* input : inputs) {
      if (input->value.rank() >= rank && input->value.dim(axis) == step.value.dim(axis)) return input;
    }
    return nullptr;
  };
  const Step* of_rows = first_with(2, -2);
  const Step* of_columns = first_with(1, -1);
  step.rows = of_rows != nullptr ? of_rows->rows : Labels{};
  step.columns = of_columns != nullptr ? last_axis(*of_columns) : Labels{};
}

/// The axis that is folded is gone, so those before it move one up.
void inherit_folded(Step& step, const Step& input, std::size_t from_end) {
  const std::size_t rank = input.value.rank();
  step.rows = input.rows;
  step.columns = input.columns;
  if (rank == 2) {
    step.rows = from_end == 0 ? input.rows : input.columns;
    step.columns.clear();
  } else if (rank > 2 && from_end == 0) {
    step.columns = input.rows;
    step.rows.clear();  // the axis before those two has no labels
  } else if (rank > 2 && from_end == 1) {
    step.rows.clear();
  }
}

/// An axis attribute counts from the end when negative; this is how far from the last axis it is.
std::size_t from_the_end(const Origin& origin, std::size_t rank) {
  const double axis = origin.attribute("axis");
  return axis < 0 ? static_cast<std::size_t>(-axis) - 1 : rank - 1 - static_cast<std::size_t>(axis);
}

/// The labels that a step takes over from its inputs.
void inherit(Step& step, const std::vector<const Step*>& inputs) {
  const std::string& op = step.origin.op;
  if (inputs.empty()) return;
  const Step& first = *inputs[0];
  step.rows = first.rows;
  step.columns = first.columns;
  if (op == "add" || op == "subtract" || op == "multiply" || op == "divide") {
    inherit_broadcast(step, inputs);
  } else if (op == "reshape") {
    step.rows.clear();
    step.columns.clear();
  } else if (op == "transpose") {
    std::swap(step.rows, step.columns);
  } else if (op == "sum" || op == "mean" || op == "max") {
    inherit_folded(step, first, from_the_end(step.origin, first.value.rank()));
  } else if (op == "gather") {
    step.rows = inputs[1]->rows;
  } else if (op == "matmul") {
    step.columns = last_axis(*inputs[1]);
  } else if (op == "matmul_transposed" || op == "linear") {
    step.columns = inputs[1]->rows;
  } else if (op == "slice") {
    const std::size_t axis = from_the_end(step.origin, first.value.rank());
    Labels& labels = first.value.rank() < 2 || axis == 1 ? step.rows : step.columns;
    if (axis < 2) labels = cut(labels, step);
  } else if (op == "concat") {
    const std::size_t axis = from_the_end(step.origin, first.value.rank());
    if (first.value.rank() < 2 || axis == 1) step.rows = joined_labels(inputs, &Step::rows);
    if (first.value.rank() >= 2 && axis == 0) step.columns = joined_labels(inputs, &Step::columns);
  }
}

/// Labels that do not fit (an op that moves axes inherits nothing useful) give way to indices.
void number_axis(Labels& labels, std::size_t size) {
  if (labels.size() == size) return;
  labels.clear();
  for (std::size_t i = 0; i < size; ++i) labels.push_back(std::to_string(i));
}

void require_labels(const Step& step, const Labels& labels, std::size_t size, const char* axis) {
  if (labels.empty() || labels.size() == size) return;
  throw std::invalid_argument(fmt::format("trace: {} is {} but has {} {} labels: give one per {}", step.name,
                                          to_string(step.value.shape()), labels.size(), axis, axis));
}

}  // namespace

void Trace::add(std::string_view name, Tensor value, Origin origin) {
  if (has(name))
    throw std::invalid_argument(fmt::format("trace: the name {} is taken: every step needs its own", name));
  std::vector<const Step*> inputs;
  for (const std::string& input : origin.inputs) inputs.push_back(&step(input));

  Step added{
      .name = std::string(name), .value = std::move(value), .origin = std::move(origin), .rows = {}, .columns = {}};
  const Shape& shape = added.value.shape();
  const std::size_t row_count = shape.empty() ? 0 : shape[shape.size() == 1 ? 0 : shape.size() - 2];
  const std::size_t column_count = shape.size() < 2 ? 0 : shape.back();
  inherit(added, inputs);
  require_labels(added, added.origin.rows, row_count, "row");
  require_labels(added, added.origin.columns, column_count, "column");
  if (!added.origin.rows.empty()) added.rows = added.origin.rows;
  if (!added.origin.columns.empty()) added.columns = added.origin.columns;
  number_axis(added.rows, row_count);
  number_axis(added.columns, column_count);
  steps_.push_back(std::move(added));
}

bool Trace::has(std::string_view name) const {
  for (const Step& candidate : steps_) {
    if (candidate.name == name) return true;
  }
  return false;
}

const Step& Trace::step(std::string_view name) const {
  for (const Step& candidate : steps_) {
    if (candidate.name == name) return candidate;
  }
  throw std::invalid_argument(fmt::format("trace: there is no step {} yet: show or record it first", name));
}

}  // namespace attn
