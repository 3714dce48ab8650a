#include "support/record/mask_lab.hpp"

#include "attention/mask.hpp"
#include "support/record/record_head.hpp"
#include "support/words/pytorch_lines.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"
#include "tensor/softmax.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace attn {

namespace {

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();
constexpr float lowest = std::numeric_limits<float>::lowest();

/// What is added to a hidden score.
struct StandIn {
  const char* name;   // of its steps in the trace
  const char* label;  // on the page
  float number;
};

constexpr StandIn stand_ins[] = {
    {"1e4", "-1e4", -1e4F}, {"1e9", "-1e9", -1e9F}, {"lowest", "-3.4e38", lowest}, {"inf", "-inf", minus_infinity}};

/// What scores grow by.
struct Growth {
  const char* name;
  const char* label;
  float factor;
};

constexpr Growth growths[] = {{"x1", "·1", 1.0F}, {"x1e5", "·10^5", 1e5F}, {"x1e10", "·10^10", 1e10F}};

const Tensor& value(const Board& board, const std::string& step) {
  return board.trace().step(step).value;
}

/// Records row i of a matrix; the step's name.
std::string record_row(Board& board, const std::string& step, std::size_t i, const std::string& name) {
  board.record(name, slice(value(board, step), 0, i, i + 1), slice(step, 0, i, i + 1));
  return name;
}

std::string record_sum(Board& board, const std::string& a, const std::string& b, const std::string& name) {
  board.record(name, add(value(board, a), value(board, b)), add(a, b));
  return name;
}

std::string record_softmax(Board& board, const std::string& scores, const std::string& name, const Compute& compute) {
  board.record(name, softmax(value(board, scores), -1, compute), softmax(scores, -1));
  return name;
}

/// Records a stand-in for the places where `hide` is 1; the step's name. Infinity has no product with 0, and fills.
std::string record_stand_in(Board& board, const StandIn& stand_in, const std::string& hide, const std::string& name) {
  if (stand_in.number != minus_infinity) {
    const std::string number = std::string("stand_in.") + stand_in.name;
    if (!board.trace().has(number)) board.record(number, Tensor({1, 1}, stand_in.number), given());
    board.record(name, multiply(value(board, hide), value(board, number)), multiply(hide, number));
    return name;
  }
  const Tensor none(value(board, hide).shape());
  const Tensor kept = subtract(Tensor(none.shape(), 1.0F), value(board, hide));
  board.record(name + ".one", Tensor(none.shape(), 1.0F), given());
  board.record(name + ".kept", kept, subtract(name + ".one", hide));
  board.record(name + ".zero", none, subtract(hide, hide));
  board.record(name, mask_fill(none, kept), mask_fill(name + ".zero", name + ".kept"));
  return name;
}

}  // namespace

std::size_t most_tempted_row(const Tensor& scaled) {
  std::size_t row = 0;
  float most = minus_infinity;
  for (std::size_t i = 0; i + 1 < scaled.dim(0); ++i) {
    float seen = minus_infinity;
    float hidden = minus_infinity;
    for (std::size_t j = 0; j < scaled.dim(1); ++j) {
      float& best = j <= i ? seen : hidden;
      best = std::max(best, scaled(i, j));
    }
    if (hidden - seen > most) {
      most = hidden - seen;
      row = i;
    }
  }
  return row;
}

void record_notations(Board& board) {
  const Step& mask = board.trace().step("mask");
  const std::vector<std::string> words = mask.rows;
  const Tensor ones(mask.value.shape(), 1.0F);
  const Tensor zeros(mask.value.shape());
  const Tensor keep = mask.value;
  const Tensor scaled = value(board, "scaled");
  board.record("ones", ones, given().with_rows(words).with_columns(words));
  board.record("hide", subtract(ones, keep), subtract("ones", "mask"));
  board.record("kept", subtract(ones, value(board, "hide")), subtract("ones", "hide"));
  board.record("by_hide", mask_fill(scaled, value(board, "kept")), mask_fill("scaled", "kept"));
  board.record("zeros", zeros, subtract("ones", "ones"));
  board.record("to_add", mask_fill(zeros, keep), mask_fill("zeros", "mask"));
  board.record("by_adding", add(scaled, value(board, "to_add")), add("scaled", "to_add"));
}

void show_notations(Board& board, std::size_t i) {
  const std::vector<std::string> labels = {"1 keeps", "1 hides", "M, added"};
  for (const auto& [name, steps] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"rule", {"mask", "hide", "to_add"}}, {"row", {"masked", "by_hide", "by_adding"}}}) {
    std::vector<std::string> parts;
    std::vector<Tensor> rows;
    for (const std::string& step : steps) {
      parts.push_back(record_row(board, step, i, fmt::format("{}.{}", name, step)));
      rows.push_back(value(board, parts.back()));
    }
    board.record(name, concat(rows, 0), concat(parts, 0).with_rows(labels));
  }
  board.table({{"rule", "the mask"}, {"row", "masked"}});
}

void record_wrong_readings(Board& board, const Compute& compute) {
  board.record("swapped_masked", mask_fill(value(board, "scaled"), value(board, "hide")), mask_fill("scaled", "hide"));
  record_softmax(board, "swapped_masked", "swapped", compute);
  record_softmax(board, record_sum(board, "scaled", "mask", "raised"), "ones_added", compute);
  board.record("lifted", subtract(value(board, "scaled"), value(board, "to_add")), subtract("scaled", "to_add"));
  record_softmax(board, "lifted", "flipped", compute);
}

void record_two_masks(Board& board, const Tensor& padding) {
  const auto record = [&](const std::string& name, const Tensor& tensor, const Origin& origin) {
    board.record(name, tensor, origin);
  };
  record("padding", padding, given().with_columns(board.trace().step("mask").columns));
  record("both", multiply(value(board, "mask"), padding), multiply("mask", "padding"));
  record("padding_hides", subtract(value(board, "ones"), padding), subtract("ones", "padding"));
  record_sum(board, "hide", "padding_hides", "hides_added");
  record("both_hide", multiply(value(board, "hide"), value(board, "padding_hides")), multiply("hide", "padding_hides"));
  record("either_hides", subtract(value(board, "hides_added"), value(board, "both_hide")),
         subtract("hides_added", "both_hide"));
  record("too_open", subtract(value(board, "ones"), value(board, "both_hide")), subtract("ones", "both_hide"));
  record("padding_to_add", mask_fill(value(board, "zeros"), padding), mask_fill("zeros", "padding"));
  record_sum(board, "to_add", "padding_to_add", "both_to_add");
}

void record_empty_row(Board& board, const Tensor& strict, const Tensor& zeros, const Tensor& uniform,
                      const Compute& compute) {
  const std::vector<std::string> words = board.trace().step("mask").rows;
  board.record("strict", strict, given().with_rows(words).with_columns(words));
  board.record("past", mask_fill(value(board, "scaled"), strict), mask_fill("scaled", "strict"));
  record_softmax(board, "past", "as_nan", compute);
  board.record("as_zeros", zeros, softmax("past", -1, {.empty = 0.0}));
  board.record("as_uniform", uniform, softmax("past", -1, {.empty = 1.0 / static_cast<double>(words.size())}));
  const std::vector<std::string> conventions = {record_row(board, "as_nan", 0, "nobody.nan"),
                                                record_row(board, "as_zeros", 0, "nobody.zeros"),
                                                record_row(board, "as_uniform", 0, "nobody.uniform")};
  std::vector<Tensor> rows;
  for (const std::string& convention : conventions) rows.push_back(value(board, convention));
  const Tensor nobody = concat(rows, 0);
  board.record("nobody", nobody, concat(conventions, 0).with_rows({"nan", "zeros", "uniform"}));
  board.record("takes", matmul(nobody, value(board, "V"), compute), matmul("nobody", "V"));
}

void show_empty_row_by_stand_in(Board& board, const Compute& compute) {
  board.record("strict_hide", subtract(value(board, "ones"), value(board, "strict")), subtract("ones", "strict"));
  board.record("sunk_by", scale(value(board, "strict_hide"), -1e9F), scale("strict_hide", -1e9F));
  record_softmax(board, record_sum(board, "scaled", "sunk_by", "sunk"), "habit", compute);

  const std::string scores = record_row(board, "scaled", 0, "first.scaled");
  const std::string hide = record_row(board, "strict_hide", 0, "first.hide");
  std::vector<std::string> steps = {record_softmax(board, scores, "first.open", compute)};
  std::vector<std::string> labels = {"no mask"};
  for (const StandIn& stand_in : stand_ins) {
    const std::string prefix = std::string("first.") + stand_in.name;
    const std::string to_add = record_stand_in(board, stand_in, hide, prefix + ".M");
    const std::string once = record_sum(board, scores, to_add, prefix + ".scores");
    steps.push_back(record_softmax(board, once, prefix + ".weights", compute));
    labels.emplace_back(stand_in.label);
    if (stand_in.number != lowest) continue;
    const std::string twice = record_sum(board, once, to_add, prefix + ".twice");
    steps.push_back(record_softmax(board, twice, prefix + ".twice_weights", compute));
    labels.push_back(fmt::format("{}, twice", stand_in.label));
  }
  show_rows(board, "stand_ins", steps, labels);
}

void show_growing_scores(Board& board, std::size_t i, const Compute& compute) {
  const std::string scores = record_row(board, "scaled", i, "leak.scaled");
  const std::string hide = record_row(board, "hide", i, "leak.hide");
  std::vector<std::string> columns;
  for (const Growth& growth : growths) {
    board.record(std::string("leak.") + growth.name, scale(value(board, scores), growth.factor),
                 scale(scores, growth.factor));
    columns.emplace_back(growth.label);
  }
  std::vector<std::string> rows;
  std::vector<std::string> labels;
  std::vector<Tensor> values;
  for (const StandIn& stand_in : stand_ins) {
    const std::string prefix = std::string("leak.") + stand_in.name;
    const std::string to_add = record_stand_in(board, stand_in, hide, prefix + ".M");
    std::vector<std::string> cells;
    std::vector<Tensor> numbers;
    for (const Growth& growth : growths) {
      const std::string name = fmt::format("{}.{}", prefix, growth.name);
      const std::string sum_of = record_sum(board, std::string("leak.") + growth.name, to_add, name + ".scores");
      const std::string weights = record_softmax(board, sum_of, name + ".weights", compute);
      const Tensor shares = multiply(value(board, weights), value(board, hide));
      board.record(name + ".shares", shares, multiply(weights, hide));
      board.record(name, sum(shares, -1), sum(name + ".shares", -1));
      cells.push_back(name);
      numbers.push_back(value(board, name));
    }
    board.record(prefix, concat(numbers, 0), concat(cells, 0));
    board.record(prefix + ".row", reshape(value(board, prefix), {1, numbers.size()}),
                 reshape(prefix).with_columns(columns));
    rows.push_back(prefix + ".row");
    labels.emplace_back(stand_in.label);
    values.push_back(value(board, rows.back()));
  }
  board.show("leaks", concat(values, 0), concat(rows, 0).with_rows(labels));
}

std::vector<std::string> pytorch_lines_of_notations(const OneHead& head, const Options& options) {
  const std::size_t n = head.world.tokens.size();
  std::vector<std::string> lines = pytorch_lines_to_scaled(head.world, options, head.head);
  lines.push_back(fmt::format("mask = torch.ones({0}, {0}).tril()    # 1 keeps", n));
  lines.emplace_back("M = torch.zeros_like(s).masked_fill(mask == 0, -torch.inf)");
  lines.emplace_back("print(s.masked_fill(mask == 0, -torch.inf), s + M)");
  lines.emplace_back("hide = torch.ones_like(s).triu()    # one off: j < i is left");
  lines.emplace_back("print(s.masked_fill(hide == 1, -torch.inf).softmax(-1))");
  lines.emplace_back("print((s - 1e9 * hide).softmax(-1))");
  return lines;
}

}  // namespace attn
