#include "support/cases/case_page.hpp"

#include "board/trace.hpp"
#include "support/cases/operators/case_steps.hpp"
#include "support/cases/operators/operator.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace attn {

namespace {

LessonInfo about(const CaseFile& file) {
  LessonInfo info{.name = "attend", .sources = {}, .options = {{"case", file.name}, {"operator", file.op}}};
  for (const std::string& attribute : file.attr_order) {
    info.options.push_back({attribute, file.attrs.at(attribute)});
  }
  return info;
}

/// A page shows matrices. Of more than one it says which.
void say_which_matrix(Board& board, const CaseFile& file, const Index& matrix) {
  Shape leading;  // of the inputs, the largest
  for (const auto& [name, value] : file.inputs) {
    for (std::size_t axis = 0; axis + 2 < value.rank(); ++axis) {
      if (leading.size() <= axis) leading.push_back(0);
      leading[axis] = std::max(leading[axis], value.shape()[axis]);
    }
  }
  for (std::size_t axis = 0; axis < matrix.size(); ++axis) {
    if (axis < leading.size() && matrix[axis] < leading[axis]) continue;
    throw std::invalid_argument(
        fmt::format("there is no matrix {} in this case: the inputs' axes before the last two are {}",
                    to_string(matrix), to_string(leading)));
  }
  // Of one matrix there is nothing to choose.
  if (element_count(leading) <= 1) return;
  Index shown = matrix;
  shown.resize(leading.size(), 0);
  board.say("Of a batch the page shows matrix {matrix}; --matrix shows another, and --face json has all.",
            {{"matrix", to_string(shown)}});
}

void write_comparison(Board& board, const CaseFile& file, const std::vector<ComparedOutput>& compared) {
  if (compared.empty()) return;
  board.part("Ours and theirs", "");
  const std::string source = file.source.empty() ? "" : fmt::format(" ({})", file.source);
  board.say("The file gives outputs{source}. Close enough is a difference of at most {tolerance}.",
            {{"source", source}, {"tolerance", tolerance_text(file)}});
  for (const ComparedOutput& one : compared) {
    board.notice("{verdict}: {text}.",
                 {{"verdict", one.holds ? "Close enough" : "NOT close enough"}, {"text", comparison_text(one)}});
  }
}

}  // namespace

ComputedCase compute_case(const CaseFile& file, const Index& matrix) {
  const Operator& op = operator_of(file);
  ComputedCase computed{.board = Board(about(file)), .outputs = {}, .steps = {}, .compared = {}};
  Board& board = computed.board;
  board.title("{case}", {{"case", file.name}}, op.name);
  board.say(op.what);
  board.formula(op.formula, op.source);
  say_which_matrix(board, file, matrix);
  board.part("Step by step", "");
  CaseSteps steps(file, board, matrix);
  const std::vector<CaseOutput> outputs = op.compute(steps);
  for (const CaseOutput& output : outputs) {
    computed.outputs[output.name] = board.trace().step(output.step).value;
    computed.steps[output.name] = output.step;
  }
  steps.by_hand();
  computed.compared = compare_outputs(file, computed.outputs);
  for (ComparedOutput& one : computed.compared) one.step = computed.steps.at(one.name);
  write_comparison(board, file, computed.compared);
  return computed;
}

std::string address_on_page(const ComputedCase& computed, const std::string& address) {
  const std::size_t bracket = std::min(address.find('['), address.size());
  const std::string name = address.substr(0, bracket);
  const auto output = computed.steps.find(name);
  if (computed.board.trace().has(name) || output == computed.steps.end()) return address;
  return output->second + address.substr(bracket);
}

CaseFile with_our_outputs(const CaseFile& file, const std::map<std::string, Tensor>& outputs,
                          const std::string& source) {
  CaseFile ours = file;
  ours.source = source;
  ours.outputs = outputs;
  for (const auto& [name, value] : outputs) {
    if (!file.has_output(name)) ours.declared.push_back({.name = name, .is_output = true});
  }
  return ours;
}

}  // namespace attn
