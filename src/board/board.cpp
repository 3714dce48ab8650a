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

void Board::title(std::string_view pattern, std::vector<NamedValue> values, std::string_view subtitle) {
  page_->blocks.emplace_back(Title{{std::string(pattern), std::move(values)}, std::string(subtitle)});
}

void Board::map(std::string_view stage) {
  page_->blocks.emplace_back(Map{std::string(stage)});
}

void Board::dense() {
  page_->dense = true;
}

void Board::part(std::string_view heading, std::string_view way) {
  page_->blocks.emplace_back(Part{std::string(heading), std::string(way)});
}

void Board::say(std::string_view pattern, std::vector<NamedValue> values) {
  page_->blocks.emplace_back(Say{{std::string(pattern), std::move(values)}});
}

void Board::formula(std::string_view text, std::string_view source) {
  page_->blocks.emplace_back(Formula{std::string(text), std::string(source)});
}

void Board::shapes(std::string_view step) {
  page_->blocks.emplace_back(Shapes{std::string(step)});
}

void Board::code(const std::vector<std::string>& names, std::string_view file) {
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

void Board::show(std::string_view name, const Tensor& value, const Origin& origin, const Look& look) {
  record(name, value, origin);
  table({{.step = std::string(name)}}, look);
}

void Board::record(std::string_view name, const Tensor& value, const Origin& origin) {
  trace_.add(name, value, origin);
}

void Board::table(const std::vector<TableEntry>& entries, const Look& look) {
  for (const TableEntry& entry : entries) static_cast<void>(trace_.step(entry.step));
  page_->blocks.emplace_back(Table{entries, look});
}

void Board::arcs_and_table(std::string_view step, std::size_t row, const Look& look) {
  static_cast<void>(trace_.step(step).value(row, row));
  page_->blocks.emplace_back(Arcs{std::string(step), row, look});
  table({{.step = std::string(step)}}, look);
}

void Board::panels(const std::vector<TableEntry>& entries, const PanelLook& look) {
  for (const TableEntry& entry : entries) static_cast<void>(trace_.step(entry.step));
  page_->blocks.emplace_back(Panels{entries, look});
}

void Board::bars(std::string_view step, std::size_t row) {
  static_cast<void>(trace_.step(step).value.at({row, 0}));
  page_->blocks.emplace_back(Bars{std::string(step), row});
}

void Board::measured(Measurements numbers) {
  page_->blocks.emplace_back(Measured{std::move(numbers), lesson_.timing});
}

void Board::product(std::string_view step) {
  const std::string& op = trace_.step(step).origin.op;
  if (op != "matmul" && op != "matmul_transposed") {
    throw std::invalid_argument(fmt::format("board: {} is no product, its op is {}", step, op));
  }
  page_->blocks.emplace_back(Product{std::string(step)});
}

void Board::links(std::string_view top_name, const std::vector<std::string>& top, std::string_view bottom_name,
                  const std::vector<std::string>& bottom, bool shifted) {
  page_->blocks.emplace_back(Links{std::string(top_name), top, std::string(bottom_name), bottom, shifted});
}

void Board::by_hand(std::string_view step, const Index& index) {
  static_cast<void>(trace_.step(step).value.at(index));
  page_->blocks.emplace_back(ByHand{std::string(step), index});
}

void Board::notice(std::string_view pattern, std::vector<NamedValue> values) {
  page_->blocks.emplace_back(Notice{{std::string(pattern), std::move(values)}});
}

void Board::aside(std::string_view pattern, std::vector<NamedValue> values) {
  page_->blocks.emplace_back(Aside{{std::string(pattern), std::move(values)}});
}

void Board::ask(std::string_view question, std::string_view answer, std::vector<NamedValue> values) {
  page_->blocks.emplace_back(Ask{{std::string(question), {}}, {std::string(answer), std::move(values)}});
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

namespace {

/// The word after an option in a command; empty where the command does not have the option.
std::string_view value_in(std::string_view command, std::string_view option) {
  for (std::size_t begin = 0; begin < command.size();) {
    const std::size_t end = std::min(command.find(' ', begin), command.size());
    const std::size_t next = std::min(end + 1, command.size());
    if (command.substr(begin, end - begin) == option) return command.substr(next, command.find(' ', next) - next);
    begin = next;
  }
  return "";
}

bool is_size(std::string_view option) {
  return option == "--d-model" || option == "--heads" || option == "--head";
}

}  // namespace

void Board::experiment(std::string_view options, std::string_view question) {
  if (options.starts_with("lessons/run")) {
    page_->blocks.emplace_back(Experiment{std::string(options), std::string(question)});
    return;
  }
  // The sizes that the reader chose need not go together with others, and of fewer heads there may be no third.
  const bool other_sizes = !value_in(options, "--d-model").empty() || !value_in(options, "--heads").empty();
  const std::string head(value_in(options, "--head"));
  for (const NamedValue& option : lesson_.options) {
    if (option.name == "heads" && !head.empty() && !other_sizes && std::stoul(head) > std::stoul(option.value.words()))
      return;
  }
  std::string command = "lessons/run " + lesson_.name.substr(0, lesson_.name.find('_'));
  std::string same(options);  // what is left of the options when those chosen already are taken out
  for (const ChosenOption& chosen : lesson_.chosen) {
    const std::string again = chosen.name + " " + shell_word(chosen.value);
    for (const std::string& spelling : {again, fmt::format("{} \"{}\"", chosen.name, chosen.value)}) {
      const std::size_t place = same.find(spelling);
      if (place != std::string::npos) same.erase(place, spelling.size());
    }
    const bool replaced = !value_in(options, chosen.name).empty() || (other_sizes && is_size(chosen.name));
    if (!replaced && is_handy(chosen.value)) command += " " + again;
  }
  if (same.find_first_not_of(' ') == std::string::npos) return;
  page_->blocks.emplace_back(Experiment{command.append(" ").append(options), std::string(question)});
}

void Board::experiment_why(std::string_view step, const Index& index, std::string_view question) {
  const Step& named = trace_.step(step);
  const bool all_kept = std::all_of(lesson_.chosen.begin(), lesson_.chosen.end(),
                                    [](const ChosenOption& chosen) { return is_handy(chosen.value); });
  if (!all_kept) return;
  std::string places = address(named, index).substr(named.name.size());
  const bool plain = places.find_first_of("\"'\\") == std::string::npos;
  if (!plain || !is_handy(places)) {  // places by their numbers, which no word can be in the way of
    places = "[";
    for (const std::size_t place : index) places += fmt::format("{}#{}", places.size() > 1 ? ", " : "", place);
    places += "]";
  }
  for (std::size_t blank = 0; (blank = places.find(", ")) != std::string::npos;) places.erase(blank + 1, 1);
  experiment(fmt::format("--explain '{}{}'", page_->short_name(named.name), places), question);
}

void Board::option(std::string_view name, const Value& value) {
  for (NamedValue& option : lesson_.options) {
    if (option.name != name) continue;
    option.value = value;
    return;
  }
  lesson_.options.push_back({std::string(name), value});
}

void Board::follow(std::string_view prefix) {
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
