#include "support/cases/operators/case_steps.hpp"

#include "board/arithmetic.hpp"
#include "tensor/layout.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <stdexcept>
#include <utility>

namespace attn {

namespace {

constexpr std::size_t most_terms_looked_at = 100000;  // in search of a number worth working out

}  // namespace

CaseSteps::CaseSteps(const CaseFile& file, Board& board, Index matrix)
    : file_(file), board_(board), matrix_(std::move(matrix)) {}

const Tensor& CaseSteps::input(const std::string& name) {
  const Tensor& value = file_.input(name);
  if (!board_.trace().has(name)) {
    board_.record(name, value, attn::given());
    table(name, /*shares=*/false);
  }
  return value;
}

void CaseSteps::given(std::string_view name, const Tensor& value, std::string_view sentence) {
  board_.record(name, value, attn::given());
  write(name, sentence, {}, /*shares=*/false);
}

void CaseSteps::step(std::string_view name, const Tensor& value, const Origin& origin, std::string_view sentence,
                     std::vector<NamedValue> values) {
  board_.record(name, value, origin);
  write(name, sentence, std::move(values), /*shares=*/false);
}

void CaseSteps::weights(std::string_view name, const Tensor& value, const Origin& origin, std::string_view sentence) {
  board_.record(name, value, origin);
  write(name, sentence, {}, /*shares=*/true);
}

void CaseSteps::moved(std::string_view name, const Tensor& value, const Origin& origin) {
  board_.record(name, value, origin);
}

void CaseSteps::write(std::string_view name, std::string_view sentence, std::vector<NamedValue> values, bool shares) {
  board_.say(sentence, std::move(values));
  board_.shapes(name);
  table(name, shares);
}

void CaseSteps::table(std::string_view name, bool shares) {
  const Tensor& value = board_.trace().step(name).value;
  if (value.size() == 0) {
    board_.aside("{name} is {shape}: there are no numbers in it.",
                 {{"name", std::string(name)}, {"shape", to_string(value.shape())}});
    return;
  }
  board_.table({{.step = std::string(name), .matrix = matrix_of(value)}}, {.shaded = shares, .row_sums = shares});
}

Index CaseSteps::matrix_of(const Tensor& value) const {
  Index leading;
  for (std::size_t axis = 0; axis + 2 < value.rank(); ++axis) {
    leading.push_back(std::min(axis < matrix_.size() ? matrix_[axis] : 0, value.shape()[axis] - 1));
  }
  return leading;
}

void CaseSteps::by_hand() {
  const auto is_one_of = [](const std::string& op, std::initializer_list<const char*> ops) {
    return std::any_of(ops.begin(), ops.end(), [&](const char* one) { return op == one; });
  };
  const Step* chosen = nullptr;
  for (const Step& step : board_.trace().steps()) {
    const std::string& op = step.origin.op;
    if (step.value.size() == 0 || is_one_of(op, {"given", "reshape", "slice", "concat", "transpose", "gather",
                                                 "split_heads", "merge_heads", "repeat_heads"})) {
      continue;
    }
    const bool product = is_one_of(op, {"matmul", "linear", "matmul_transposed"});
    if (product || chosen == nullptr || !is_one_of(chosen->origin.op, {"matmul", "linear", "matmul_transposed"})) {
      chosen = &step;
    }
  }
  if (chosen == nullptr) return;
  board_.part("One number by hand", "");
  board_.by_hand(chosen->name, telling_place(*chosen));
}

/// Of the matrix that the page shows, the first number that two terms other than 0 make; else the first that one makes;
/// else the first of all. A result other than 0 is preferred.
Index CaseSteps::telling_place(const Step& step) const {
  const Index leading = matrix_of(step.value);
  Index first = leading;
  first.resize(step.value.rank(), 0);
  const Shape& shape = step.value.shape();
  std::size_t begin = 0;
  std::size_t count = step.value.size();  // numbers of that matrix
  for (std::size_t axis = 0; axis < leading.size(); ++axis) {
    count /= shape[axis];
    begin += leading[axis] * count;
  }

  std::size_t looked_at = 0;  // terms
  Index best = first;
  std::size_t most = 0;  // of two, how many terms of the best one are not 0
  for (const bool zeros : {false, true}) {
    for (std::size_t i = begin; i < begin + count && most < 2 && looked_at < most_terms_looked_at; ++i) {
      const float value = step.value.values()[i];
      if (!std::isfinite(value) || (value == 0.0F) != zeros) continue;
      const Working working = work_out(board_.trace(), step, index_at(shape, i));
      looked_at += working.terms.size();
      const auto told = std::count_if(working.terms.begin(), working.terms.end(),
                                      [](const Term& term) { return term.value() != 0.0; });
      if (const auto seen = std::min<std::size_t>(static_cast<std::size_t>(told), 2); seen > most) {
        most = seen;
        best = working.index;
      }
    }
    if (most > 0) break;
  }
  return best;
}

std::size_t size_attribute(const CaseFile& file, const std::string& name, std::size_t smallest) {
  const long long value = file.integer(name, -1);
  if (file.attrs.count(name) == 0 || value < static_cast<long long>(smallest) ||
      value > static_cast<long long>(most_case_numbers)) {
    throw std::invalid_argument(fmt::format("{} needs the attribute {}, a whole number from {} to {}, and it is {}",
                                            file.op, name, smallest, most_case_numbers,
                                            file.attrs.count(name) == 0 ? "absent" : file.attrs.at(name)));
  }
  return static_cast<std::size_t>(value);
}

int axis_attribute(const CaseFile& file, const std::string& input, long long otherwise) {
  const Shape& shape = file.input(input).shape();
  const auto rank = static_cast<long long>(shape.size());
  const long long axis = file.integer("axis", otherwise);
  if (axis >= -rank && axis < rank) return static_cast<int>(axis);
  throw std::invalid_argument(
      rank == 0 ? fmt::format("{}: {} is a single number and has no axis: give it one, with the rank 1 and the size 1",
                              file.op, input)
                : fmt::format("{}: there is no axis {} in {} {}: give one from {} to {}", file.op, axis, input,
                              to_string(shape), -rank, rank - 1));
}

bool flag_attribute(const CaseFile& file, const std::string& name, bool otherwise) {
  const long long value = file.integer(name, otherwise ? 1 : 0);
  if (value == 0 || value == 1) return value == 1;
  throw std::invalid_argument(fmt::format("the attribute {} is {}, and must be 0 or 1", name, value));
}

}  // namespace attn
