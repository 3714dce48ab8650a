#include "board/text_face.hpp"

#include "board/arcs.hpp"
#include "board/arithmetic.hpp"
#include "board/by_hand.hpp"
#include "board/digits.hpp"
#include "board/explanation.hpp"
#include "board/long_lines.hpp"
#include "board/map.hpp"
#include "board/measured.hpp"
#include "board/page.hpp"
#include "board/panels.hpp"
#include "board/shade.hpp"
#include "board/table.hpp"
#include "text/unicode.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn {

namespace {

constexpr std::size_t margin = page_margin;
constexpr std::size_t prose_width = 66;  // a comfortable line, however wide the terminal is
constexpr std::size_t text_width = 80;   // formulas and headings keep to this, so that the eye finds their right end

std::string shape_of(const Step& step, bool transposed = false) {
  Shape shape = step.value.shape();
  if (transposed && shape.size() >= 2) std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  return to_string(shape);
}

/// "Q [7, 4] · Kᵀ [4, 7] → scores [7, 7]"
std::string shapes_text(const Trace& trace, const Page& page, const std::string& name) {
  const Step& step = trace.step(name);
  const std::string& op = step.origin.op;
  std::string inputs;
  for (std::size_t k = 0; k < step.origin.inputs.size(); ++k) {
    const Step& input = trace.step(step.origin.inputs[k]);
    const bool transposed = k == 1 && (op == "matmul_transposed" || op == "linear");
    const bool product = op == "matmul" || op == "matmul_transposed" || (op == "linear" && k == 1);
    const char* joint = product                            ? " · "
                        : op == "add" || op == "linear"    ? " + "
                        : op == "gather" || op == "rotate" ? " at "
                                                           : ", ";
    if (k > 0) inputs += joint;
    inputs += fmt::format("{}{} {}", page.short_name(input.name), transposed ? "ᵀ" : "", shape_of(input, transposed));
  }
  const std::string result = fmt::format("{} {}", page.short_name(name), shape_of(step));
  return inputs.empty() ? result : fmt::format("{} → {}", inputs, result);
}

/// Draws the blocks of a page, one after the other, as lines of text.
class TextFace {
 public:
  TextFace(const Board& board, const TextStyle& style) : board_(board), page_(board.page()), style_(style) {
    context_ = {.trace = &board.trace(),
                .page = &page_,
                .worked = {},
                .style = style,
                .width = style.width > margin + 20 ? style.width - margin : 20};
    mark_worked();
  }

  /// `answers_at_once`: a part of its own after each question, for a reader who pauses there; else all at the page's
  /// end.
  std::vector<std::string> parts(bool answers_at_once) {
    for (const Block& block : page_.blocks) {
      if (std::holds_alternative<Part>(block)) parts_.emplace_back();
      separate(block);
      std::visit([&](const auto& shown) { draw(shown); }, block);
      previous_ = &block;
      if (answers_at_once && !answers_.empty()) put_answers();
    }
    if (!answers_.empty()) put_answers();
    return std::move(parts_);
  }

 private:
  void put_answers() {
    parts_.emplace_back();
    for (const std::string& answer : answers_) {
      put({});
      prose(answer, "answer");
    }
    answers_.clear();
  }

  [[nodiscard]] std::string text(const std::string& words) const { return glyphs(words, style_.ascii); }
  [[nodiscard]] std::string filled(const Sentence& sentence) const { return text(fill(sentence, style_.precision)); }
  [[nodiscard]] std::size_t board_width() const { return context_.width; }
  [[nodiscard]] std::size_t right_edge() const { return std::min(style_.width, text_width); }

  /// The numbers worked out are in the accent colour, and so are those they are made of, which matter less.
  void mark_worked() {
    std::vector<WorkedCell> operands;
    for (const Block& block : page_.blocks) {
      if (const auto* arcs = std::get_if<Arcs>(&block)) context_.worked.push_back({arcs->step, {arcs->row, arcs->row}});
      const auto* by_hand = std::get_if<ByHand>(&block);
      if (by_hand == nullptr) continue;
      context_.worked.push_back({by_hand->step, by_hand->index});
      const Working working = work_out(board_.trace(), board_.trace().step(by_hand->step), by_hand->index);
      for (std::size_t k = 0; k < working.terms.size(); ++k) {
        for (const Operand& factor : working.terms[k].factors) {
          const bool chosen = working.form == Working::Form::softmax && k == working.chosen;
          (chosen ? context_.worked : operands).push_back({factor.step->name, factor.index});
        }
      }
    }
    context_.worked.insert(context_.worked.end(), operands.begin(), operands.end());
  }

  // Lines.

  void put(const Line& line) {
    if (parts_.empty()) parts_.emplace_back();
    parts_.back() += painted(line, style_.color) + "\n";
  }

  /// A line of the board, with a label in the margin.
  void put(Line line, const std::string& label) {
    line.insert(line.begin(), {padded_right(label.empty() ? "" : " " + label, margin), Ink::faint});
    put(line);
  }

  /// Text at the left of the board and a remark at its right edge, or below when there is no room.
  void put(const std::string& left, const std::string& right, const std::string& label, Ink ink = Ink::plain) {
    const std::size_t room = right_edge() - margin;
    const std::size_t used = display_width(left) + display_width(right);
    if (right.empty() || used + 2 <= room) {
      put({{left, ink}, {right.empty() ? "" : std::string(room - used, ' ')}, {right, Ink::faint}}, label);
    } else {
      put({{left, ink}}, label);
      put({{padded_left(right, room), Ink::faint}}, "");
    }
  }

  void prose(const std::string& words, const std::string& label, Ink ink = Ink::plain) {
    std::string once = label;
    for (const std::string& line : wrapped(words, std::min(board_width(), prose_width))) {
      put({{line, ink}}, std::exchange(once, ""));
    }
  }

  // White space says what belongs together.

  template <typename... Kinds>
  [[nodiscard]] static bool is(const Block* block) {
    return block != nullptr && (std::holds_alternative<Kinds>(*block) || ...);
  }

  void separate(const Block& block) {
    if (previous_ == nullptr) return;
    const bool card = is<Formula, Shapes, Code>(previous_) && is<Formula, Shapes, Code>(&block);
    const bool opens = is<Part>(previous_) && is<Say>(&block);
    const bool remark = is<ByHand, Notice, Aside>(previous_) && is<Notice, Aside>(&block);
    const bool list = is<Experiment>(previous_) && is<Experiment>(&block);
    const bool workings = is<ByHand>(previous_) && is<ByHand>(&block);
    const bool picture = is<Arcs>(previous_) && is<Table>(&block);
    const bool told = is<Say>(previous_) && is<Table>(&block);
    const bool close = page_.dense && (told || is<ByHand, Notice, Formula>(&block));
    const bool questions = is<Ask>(previous_) && is<Ask>(&block);
    const bool legend = std::exchange(ends_with_legend_, false) && is<ByHand, Notice, Aside, Table>(&block);
    if (!(card || opens || remark || list || workings || picture || questions || close || legend)) put({});
  }

  /// The label, unless the block before has the same.
  template <typename Kind>
  [[nodiscard]] std::string label_once(const char* label) const {
    return is<Kind>(previous_) ? "" : label;
  }

  // Blocks.

  void draw(const Title& title) {
    const std::string number = board_.lesson().name.substr(0, board_.lesson().name.find('_'));
    const std::string right = text(title.subtitle.empty() ? "Attention, step by step" : title.subtitle);
    const std::string left = shortened(filled(title.text), right_edge() - margin, style_.ascii);
    Line line = {{padded_right(number, margin), Ink::bold}, {left, Ink::bold}};
    const std::size_t used = width_of(line) + display_width(right);
    if (used + 2 <= right_edge()) {
      line.push_back({std::string(right_edge() - used, ' ')});
      line.push_back({right, Ink::faint});
      put(line);
    } else {
      put(line);
      put({{padded_left(right, right_edge()), Ink::faint}});
    }
  }

  void draw(const Map& map) {
    std::vector<Line> lines = draw_map(map, style_);
    for (Line& line : lines) line.insert(line.begin(), {"   "});  // with its widest stage in brackets, 80 columns
    const bool fits =
        std::all_of(lines.begin(), lines.end(), [&](const Line& line) { return width_of(line) <= style_.width; });
    if (fits) {
      for (const Line& line : lines) put(line);
    } else {
      prose(text(map_in_words(map)), "");
    }
  }

  void draw(const Part& part) {
    ++part_number_;
    const std::string heading = text(part.heading);
    const std::string way = text(part.way);
    Line line = {{padded_right(std::to_string(part_number_), margin), Ink::bold}, {heading, Ink::bold}};
    const std::size_t used = width_of(line) + display_width(way);
    if (used + 2 <= right_edge()) {
      line.push_back({std::string(right_edge() - used, ' ')});
      line.push_back({way, Ink::faint});
      put(line);
    } else {
      put(line);
      put({{padded_left(way, right_edge()), Ink::faint}});
    }
  }

  void draw(const Say& say) { prose(filled(say.text), ""); }

  void draw(const Formula& formula) {
    const std::string words = text(formula.text);
    const std::string label = label_once<Formula>("formula");
    if (display_width(words) <= board_width()) {
      put(words, text(formula.source), label);
    } else {
      prose(words, label);
      put({{padded_left(text(formula.source), right_edge() - margin), Ink::faint}}, "");
    }
  }

  void draw(const Shapes& shapes) {
    const std::string words = text(shapes_text(board_.trace(), page_, shapes.step));
    std::string label = label_once<Shapes>("shapes");
    for (const std::string& line : wrapped(words, board_width())) put({{line}}, std::exchange(label, ""));
  }

  void draw(const Code& code) {
    std::string label = "code";
    for (const std::string& line : code.lines) {
      // A comment at the end of a line gives way where there is no room for it; a long line goes on below, further in.
      std::string rest = text(line);
      const std::size_t comment = rest.find(" //");
      if (display_width(rest) > board_width() && comment != std::string::npos) {
        rest.erase(rest.find_last_not_of(' ', comment) + 1);
      }
      while (display_width(rest) > board_width()) {
        const std::size_t room = bytes_within(rest, board_width());
        std::size_t cut = rest.rfind(' ', room);
        if (cut == std::string::npos || cut < 8) cut = room;
        put({{rest.substr(0, cut)}}, std::exchange(label, ""));
        rest = "    " + rest.substr(rest[cut] == ' ' ? cut + 1 : cut);
      }
      put({{rest}}, std::exchange(label, ""));
    }
    // Said once, until the code comes from elsewhere.
    const bool own = code.file == board_.lesson().sources.front().name;
    if (code.file != code_file_ && !own) {
      put({{padded_left(code.file, right_edge() - margin), Ink::faint}}, "");
    }
    code_file_ = code.file;
  }

  void draw(const Table& table) {
    put_all(draw_table(table, context_));
    if (draws_squares(table, context_)) {
      std::vector<std::string> steps;
      for (const TableEntry& entry : table.entries) steps.push_back(entry.step);
      explain_squares(steps, /*spelled_out=*/true);
    }
    if (marks_of(table, context_) != Marks{}) explain_marks();
  }

  void draw(const Arcs& arcs) {
    for (Line& line : draw_arcs(arcs, context_)) put(std::move(line), "");
  }

  void draw(const Panels& panels) {
    put_all(draw_panels(panels, context_));
    std::vector<std::string> steps;
    for (const TableEntry& entry : panels.entries) steps.push_back(entry.step);
    explain_squares(steps);
  }
  void draw(const Bars& bars) { put_all(draw_bars(bars, context_)); }
  void draw(const Measured& measured) {
    std::vector<Line> lines = draw_measured(measured, context_);
    std::string label = measured.shown ? label_once<Measured>("measured") : "";
    // Where tables follow each other, all were measured here and now.
    if (measured.shown && label.empty()) lines.erase(lines.begin());
    for (Line& line : lines) put(std::move(line), std::exchange(label, ""));
  }
  void draw(const Product& product) {
    put_all(draw_product(product, context_));
    const std::vector<std::string>& factors = board_.trace().step(product.step).origin.inputs;
    explain_squares({product.step, factors[0], factors[1]});
  }
  void draw(const Links& links) { put_all(draw_links(links, context_)); }

  /// Said once, under the first table that has marks, for all kinds of marks that the page has.
  void explain_marks() {
    if (std::exchange(marks_explained_, true)) return;
    Marks marks;
    for (const Block& block : page_.blocks) {
      if (const auto* table = std::get_if<Table>(&block)) marks = marks | marks_of(*table, context_);
    }
    put_remark(!marks.others   ? "(Marked: shares of 1/4 or more.)"
               : !marks.shares ? "(Marked: a quarter of the largest or more.)"
                               : "(Marked: shares from 1/4 on; others from a quarter of the largest.)");
  }

  /// Said once, unless squares of another kind come later. `spelled_out`: nan and inf are words, not squares.
  void explain_squares(const std::vector<std::string>& steps, bool spelled_out = false) {
    OtherSquares others;
    for (const std::string& name : steps) {
      for (const float value : board_.trace().step(name).value.values()) {
        (std::isinf(value) ? others.hidden : others.below_0) |= value < 0.0F;
        if (spelled_out) continue;
        others.nan |= std::isnan(value);
        others.infinite |= std::isinf(value) && value > 0.0F;
      }
    }
    const bool known = squares_explained_ && (known_squares_ | others) == known_squares_;
    squares_explained_ = true;
    known_squares_ = known_squares_ | others;
    if (known) return;
    put_remark(legend_of_squares(others, style_.ascii));
    ends_with_legend_ = true;  // which parts the squares from what follows
  }

  void put_remark(const std::string& remark) {
    for (const std::string& line : wrapped(remark, board_width())) put({{line, Ink::faint}}, "");
  }

  void put_all(std::vector<Line> lines) {
    for (Line& line : lines) put(std::move(line), "");
  }

  void draw(const ByHand& by_hand) {
    const Step& step = board_.trace().step(by_hand.step);
    const Working working = work_out(board_.trace(), step, by_hand.index);
    std::string label = label_once<ByHand>("by hand");
    put_working(by_hand_lines(working, page_, style_, board_width()), label);
  }

  /// The label stands beside the first line, and is empty afterwards.
  void put_working(const std::vector<std::string>& lines, std::string& label) {
    for (const std::string& line : lines) {
      for (const std::string& piece : broken_at_equals(text(line), board_width())) {
        put({{piece}}, std::exchange(label, ""));
      }
    }
  }

  /// The level in the margin, the working on the board. Level 0 is the number that was asked for. The numbers of a
  /// level that were given stand together at its end.
  void draw(const Explanation& asked) {
    const Cell cell{.step = &board_.trace().step(asked.step), .index = asked.index};
    const auto numbers = explain(board_.trace(), cell, asked.depth, explained_, style_, board_width());
    const std::size_t last = numbers.back().level;
    for (std::size_t level = 0; level <= last; ++level) {
      if (level > 0) put({});
      std::string label = level_name(level);
      std::string given;
      for (const ExplainedNumber& number : numbers) {
        if (number.level != level) continue;
        if (number.given) {
          given += (given.empty() ? "given: " : ", ") + number.lines.front();
          continue;
        }
        put_working(number.lines, label);
      }
      for (const std::string& line : wrapped(text(given), board_width())) put({{line}}, std::exchange(label, ""));
    }
  }

  [[nodiscard]] static std::string level_name(std::size_t level) {
    return level == 0 ? "why" : fmt::format("{} down", level);
  }

  void draw(const Notice& notice) { prose(filled(notice.text), label_once<Notice>("notice")); }

  void draw(const Aside& aside) { prose(filled(aside.text), "", Ink::faint); }

  void draw(const Ask& ask) {
    prose(filled(ask.question), label_once<Ask>("ask"));
    answers_.push_back(filled(ask.answer));
  }

  void draw(const PyTorch& pytorch) {
    std::string label = "PyTorch";
    for (const std::string& line : pytorch.lines) {
      for (const std::string& piece : broken_python(text(line), board_width())) {
        put({{piece}}, std::exchange(label, ""));
      }
    }
  }

  void draw(const Experiment& experiment) {
    const std::string command = text(experiment.command);
    const std::string question = text(experiment.question);
    const std::string label = label_once<Experiment>("try");
    if (display_width(command) + 2 + display_width(question) <= right_edge() - margin) {
      put(command, question, label);
    } else {
      std::string once = label;
      for (const std::string& line : broken_at_options(command, board_width())) put({{line}}, std::exchange(once, ""));
      for (const std::string& line : wrapped(question, board_width() - 4)) put({{"    " + line, Ink::faint}}, "");
    }
  }

  const Board& board_;
  const Page& page_;
  TextStyle style_;
  TableContext context_;
  std::vector<std::string> parts_;
  std::vector<std::string> answers_;
  std::vector<Cell> explained_;  // numbers that an explanation on this page has worked out
  const Block* previous_ = nullptr;
  std::size_t part_number_ = 0;
  bool marks_explained_ = false;
  bool squares_explained_ = false;
  bool ends_with_legend_ = false;
  OtherSquares known_squares_;
  std::string code_file_;
};

}  // namespace

std::vector<std::string> render_text_parts(const Board& board, const TextStyle& style) {
  return TextFace(board, style).parts(/*answers_at_once=*/true);
}

std::string render_text(const Board& board, const TextStyle& style) {
  std::string page;
  for (const std::string& part : TextFace(board, style).parts(/*answers_at_once=*/false)) page += part;
  return page;
}

}  // namespace attn
