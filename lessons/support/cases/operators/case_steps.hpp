#pragma once

#include "board/board.hpp"
#include "board/origin.hpp"
#include "board/value.hpp"
#include "support/cases/case_file.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// What an operator writes while it computes a case: each step with where it came from and what it does in a sentence.
/// Of steps with more than two axes the page shows one matrix; the trace holds all.
class CaseSteps {
 public:
  /// `matrix`: which matrix of a batch the page shows, {batch, head}; the last one where a step has fewer.
  CaseSteps(const CaseFile& file, Board& board, Index matrix);

  [[nodiscard]] const CaseFile& file() const { return file_; }
  [[nodiscard]] bool has(const std::string& input) const { return file_.has_input(input); }
  [[nodiscard]] const Board& board() const { return board_; }

  /// An input of the case, which becomes a given step. The case has it: needs of an operator are checked before.
  const Tensor& input(const std::string& name);

  /// A table that follows from attributes or from several inputs at once, such as a mask.
  void given(std::string_view name, const Tensor& value, std::string_view sentence);

  /// One step, its shapes, and its table.
  void step(std::string_view name, const Tensor& value, const Origin& origin, std::string_view sentence,
            std::vector<NamedValue> values = {});
  /// The same for shares that add up to 1 in each row.
  void weights(std::string_view name, const Tensor& value, const Origin& origin, std::string_view sentence);
  /// A step that only moves numbers: no table.
  void moved(std::string_view name, const Tensor& value, const Origin& origin);

  /// One number worked out on paper: of the last product, or else of the last step that computes. One in which there
  /// is something to see, such as a sum of numbers other than 0, where there is one.
  void by_hand();

 private:
  void write(std::string_view name, std::string_view sentence, std::vector<NamedValue> values, bool shares);
  void table(std::string_view name, bool shares);
  [[nodiscard]] Index matrix_of(const Tensor& value) const;
  [[nodiscard]] Index telling_place(const Step& step) const;

  const CaseFile& file_;
  Board& board_;
  Index matrix_;
};

/// An attribute that is a size, at least `smallest`.
/// Throws std::invalid_argument, naming the attribute, when it is absent or no such number.
[[nodiscard]] std::size_t size_attribute(const CaseFile& file, const std::string& name, std::size_t smallest = 1);

/// The attribute `axis`, which names an axis of an input; `otherwise` when it is absent.
/// Throws std::invalid_argument, naming the axis and the input's shape, when there is no such axis.
[[nodiscard]] int axis_attribute(const CaseFile& file, const std::string& input, long long otherwise);

/// An attribute that is 0 or 1. Throws std::invalid_argument when it is anything else.
[[nodiscard]] bool flag_attribute(const CaseFile& file, const std::string& name, bool otherwise);

}  // namespace attn
