#include "board/board.hpp"

#include "board/address.hpp"
#include "board/page.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace attn {

Board::Board(LessonInfo lesson) : lesson_(std::move(lesson)), page_(std::make_unique<Page>()) {}
Board::~Board() = default;
Board::Board(Board&&) noexcept = default;
Board& Board::operator=(Board&&) noexcept = default;

void Board::title(const std::string& pattern, std::vector<NamedValue> values, const std::string& subtitle) {
  page_->blocks.emplace_back(Title{{pattern, std::move(values)}, subtitle});
}

void Board::map(const std::string& stage) {
  page_->blocks.emplace_back(Map{stage});
}

void Board::dense() {
  page_->dense = true;
}

void Board::part(const std::string& heading, const std::string& way) {
  page_->blocks.emplace_back(Part{heading, way});
}

void Board::say(const std::string& pattern, std::vector<NamedValue> values) {
  page_->blocks.emplace_back(Say{{pattern, std::move(values)}});
}

void Board::formula(const std::string& text, const std::string& source) {
  page_->blocks.emplace_back(Formula{text, source});
}

void Board::shapes(const std::string& step) {
  page_->blocks.emplace_back(Shapes{step});
}

void Board::code(const std::vector<std::string>& names, const std::string& file) {
  for (const SourceFile& source : lesson_.sources) {
    if (!file.empty() && source.name != file) continue;
    Code code{.lines = {}, .file = source.name};
    for (const std::string& name : names) {
      for (std::string& line : excerpt(source, name)) code.lines.push_back(std::move(line));
    }
    page_->blocks.emplace_back(std::move(code));
    return;
  }
  throw std::invalid_argument(fmt::format("board: there is no source file {} to cut {} from", file, names.front()));
}

void Board::show(const std::string& name, const Tensor& value, const Origin& origin, const Look& look) {
  record(name, value, origin);
  table({{.step = name}}, look);
}

void Board::record(const std::string& name, const Tensor& value, const Origin& origin) {
  trace_.add(name, value, origin);
}

void Board::table(const std::vector<TableEntry>& entries, const Look& look) {
  for (const TableEntry& entry : entries) static_cast<void>(trace_.step(entry.step));
  page_->blocks.emplace_back(Table{entries, look});
}

void Board::arcs_and_table(const std::string& step, std::size_t row, const Look& look) {
  static_cast<void>(trace_.step(step).value(row, row));
  page_->blocks.emplace_back(Arcs{step, row, look});
  table({{.step = step}}, look);
}

void Board::panels(const std::vector<TableEntry>& entries, const PanelLook& look) {
  for (const TableEntry& entry : entries) static_cast<void>(trace_.step(entry.step));
  page_->blocks.emplace_back(Panels{entries, look});
}

void Board::bars(const std::string& step, std::size_t row) {
  static_cast<void>(trace_.step(step).value.at({row, 0}));
  page_->blocks.emplace_back(Bars{step, row});
}

void Board::product(const std::string& step) {
  const std::string& op = trace_.step(step).origin.op;
  if (op != "matmul" && op != "matmul_transposed") {
    throw std::invalid_argument(fmt::format("board: {} is no product, its op is {}", step, op));
  }
  page_->blocks.emplace_back(Product{step});
}

void Board::links(const std::string& top_name, const std::vector<std::string>& top, const std::string& bottom_name,
                  const std::vector<std::string>& bottom, bool shifted) {
  page_->blocks.emplace_back(Links{top_name, top, bottom_name, bottom, shifted});
}

void Board::by_hand(const std::string& step, const Index& index) {
  static_cast<void>(trace_.step(step).value.at(index));
  page_->blocks.emplace_back(ByHand{step, index});
}

void Board::notice(const std::string& pattern, std::vector<NamedValue> values) {
  page_->blocks.emplace_back(Notice{{pattern, std::move(values)}});
}

void Board::aside(const std::string& pattern, std::vector<NamedValue> values) {
  page_->blocks.emplace_back(Aside{{pattern, std::move(values)}});
}

void Board::ask(const std::string& question, const std::string& answer, std::vector<NamedValue> values) {
  page_->blocks.emplace_back(Ask{{question, {}}, {answer, std::move(values)}});
}

void Board::pytorch(const std::vector<std::string>& lines) {
  page_->blocks.emplace_back(PyTorch{lines});
}

namespace {

/// A value as a shell takes it whole.
std::string shell_word(const std::string& value) {
  const bool plain = value.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-") ==
                     std::string::npos;
  if (plain && !value.empty()) return value;
  if (value.find_first_of("\"$`\\!") == std::string::npos) return "\"" + value + "\"";
  std::string quoted = "'";
  for (const char c : value) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

/// A value that a command can hold without wrapping, and that a reader can type: short and plain.
bool is_handy(const std::string& value) {
  return value.size() <= 34 && std::all_of(value.begin(), value.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

}  // namespace

void Board::experiment(const std::string& options, const std::string& question) {
  if (options.starts_with("lessons/run")) {
    page_->blocks.emplace_back(Experiment{options, question});
    return;
  }
  std::string command = "lessons/run " + lesson_.name.substr(0, lesson_.name.find('_'));
  std::string same = options;  // what is left of the options when those chosen already are taken out
  for (const ChosenOption& chosen : lesson_.chosen) {
    const std::string again = chosen.name + " " + shell_word(chosen.value);
    const std::size_t place = same.find(again);
    if (place != std::string::npos) same.erase(place, again.size());
    const bool replaced = (options + " ").find(chosen.name + " ") != std::string::npos;
    if (!replaced && is_handy(chosen.value)) command += " " + again;
  }
  if (same.find_first_not_of(' ') == std::string::npos) return;
  page_->blocks.emplace_back(Experiment{command + " " + options, question});
}

void Board::option(const std::string& name, const Value& value) {
  for (NamedValue& option : lesson_.options) {
    if (option.name != name) continue;
    option.value = value;
    return;
  }
  lesson_.options.push_back({name, value});
}

void Board::follow(const std::string& prefix) {
  page_->followed_prefix = prefix;
}

void Board::explain_instead(const std::vector<std::string>& addresses, std::size_t depth) {
  std::vector<Block> blocks;
  blocks.emplace_back(Title{{"Why this number?", {}}, ""});
  for (const std::string& typed : addresses) {
    const Cell cell = find_cell(trace_, page_->followed_prefix, typed);
    blocks.emplace_back(Explanation{cell.step->name, cell.index, depth});
  }
  page_->blocks = std::move(blocks);
}

}  // namespace attn
