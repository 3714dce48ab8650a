#pragma once

#include "board/origin.hpp"
#include "tensor/tensor.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// One tensor that the lesson put on the board: its name, its numbers, where it came from, and its labels.
struct Step {
  std::string name;
  Tensor value;
  Origin origin;
  std::vector<std::string> rows;     // labels of the second last axis (of the only axis when rank is 1)
  std::vector<std::string> columns;  // labels of the last axis
};

/// Every step of a lesson, in order. Complete: each step follows from earlier steps by its op.
class Trace {
 public:
  /// Adds a step; labels that the origin does not give are inherited from its inputs, or are indices.
  /// Throws std::invalid_argument when the name is taken, an input is no earlier step, labels do not fit the shape, or
  /// a slice reaches beyond its input.
  void add(std::string_view name, Tensor value, Origin origin);

  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
  [[nodiscard]] bool has(std::string_view name) const;
  /// Throws std::invalid_argument, naming the step, when there is none of that name.
  [[nodiscard]] const Step& step(std::string_view name) const;

 private:
  std::vector<Step> steps_;
};

}  // namespace attn
