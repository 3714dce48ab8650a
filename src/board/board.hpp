#pragma once

#include "board/excerpt.hpp"
#include "board/look.hpp"
#include "board/measurement.hpp"
#include "board/origin.hpp"
#include "board/trace.hpp"
#include "board/value.hpp"
#include "tensor/tensor.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

struct Page;

/// An option that the reader chose, as on the command line.
struct ChosenOption {
  std::string name;   // "--mask"
  std::string value;  // "causal"
};

/// What the board knows of the lesson that writes on it.
struct LessonInfo {
  std::string name;                       // "00_tour"
  std::vector<SourceFile> sources;        // the lesson's own file first, then those of src/attention
  std::vector<NamedValue> options;        // what changes numbers, repeated in the trace
  std::vector<ChosenOption> chosen = {};  // of these, what the reader chose: commands to try keep it
  bool timing = true;                     // show what is measured
};

/// The blackboard: the one place a lesson writes on. It keeps what was written; a face (text_face.hpp, json_face.hpp)
/// draws it. The lesson never knows which face.
///
/// Prose comes as whole sentences with named values: say("{word} looks most at {other}.", {{"word", a}, {"other", b}}).
class Board {
 public:
  explicit Board(LessonInfo lesson);
  ~Board();
  Board(Board&&) noexcept;
  Board& operator=(Board&&) noexcept;

  // The page, top to bottom.

  void title(std::string_view pattern, std::vector<NamedValue> values = {}, std::string_view subtitle = "");
  /// The way from tokens to output, drawn; `stage` is where we are.
  void map(std::string_view stage = "");
  /// Sets the page closely, with less white space. For a page that shows much.
  void dense();
  /// A new part of the page; `way` says what flows here: "Q, K → [scores] → scaled".
  void part(std::string_view heading, std::string_view way);
  void say(std::string_view pattern, std::vector<NamedValue> values = {});
  /// The formula, and where it stands: "Vaswani 2017, eq. 1".
  void formula(std::string_view text, std::string_view source);
  /// The shapes that go into a step and come out: "Q [7, 4] · Kᵀ [4, 7] → scores [7, 7]".
  void shapes(std::string_view step);
  /// The very source lines that compute each of `names` (see excerpt.hpp), cut from the lesson's own file or from
  /// `file`.
  void code(const std::vector<std::string>& names, std::string_view file = "");

  // Numbers. Every tensor that is shown is a step of the trace, with where it came from.

  /// A new step, and its table.
  void show(std::string_view name, const Tensor& value, const Origin& origin, const Look& look = {});
  /// A new step of the trace that gets no table here.
  void record(std::string_view name, const Tensor& value, const Origin& origin);
  /// The table of earlier steps, side by side. They need the same rows.
  void table(const std::vector<TableEntry>& entries, const Look& look = {});
  /// The table of some weights, and over it one row of them as arcs from a word to the words that it looks at.
  void arcs_and_table(std::string_view step, std::size_t row, const Look& look = {.shaded = true, .row_sums = true});
  /// Steps side by side as squares without digits, to compare their patterns: wrong beside right. They need equal rows.
  void panels(const std::vector<TableEntry>& entries, const PanelLook& look = {});
  /// One row of a step as long bars.
  void bars(std::string_view step, std::size_t row);
  /// Values that were measured while the page was made, each compared with the one before. They differ from run to run
  /// and from machine to machine, so they are no steps of the trace, and with --timing off a line stands for them.
  void measured(Measurements numbers);
  /// Whether measured values are shown. Where not, a lesson need not measure, and says nothing about them.
  [[nodiscard]] bool shows_times() const { return lesson_.timing; }
  /// A step of op matmul or matmul_transposed as a picture: rows at the left, columns above, results where they meet.
  void product(std::string_view step);
  /// Two rows of words, linked one to one: each to the one below it, or (`shifted`) to the one after that.
  void links(std::string_view top_name, const std::vector<std::string>& top, std::string_view bottom_name,
             const std::vector<std::string>& bottom, bool shifted = false);
  /// One number of a step worked out, with its real operands.
  void by_hand(std::string_view step, const Index& index);

  /// What to notice. Compute what it says from the numbers: the reader will change the text and the seed.
  void notice(std::string_view pattern, std::vector<NamedValue> values = {});
  /// A remark that a hurried reader may skip.
  void aside(std::string_view pattern, std::vector<NamedValue> values = {});
  /// A question; its answer comes at the end of the page.
  void ask(std::string_view question, std::string_view answer, std::vector<NamedValue> values = {});
  /// PyTorch lines that give the same numbers.
  void pytorch(const std::vector<std::string>& lines);
  /// Something to try, and what to look for. `options` are those to run this lesson again with ("--mask causal"); what
  /// the reader chose is kept beside them, and what the reader chose already is no experiment. A whole command that
  /// begins with "lessons/run" stays as it is.
  void experiment(std::string_view options, std::string_view question);
  /// The command that asks how one number came about, as something to try: --explain 'scores[sat,cat]'. Nothing where
  /// the reader's own choices are too long for a command, for then the number would be another.
  void experiment_why(std::string_view step, const Index& index, std::string_view question);

  /// An option as the lesson settled it, where the command line left it open: the trace then tells this value.
  void option(std::string_view name, const Value& value);
  /// From here on the page drops this prefix from the names of steps: "head2." makes head2.scores scores.
  void follow(std::string_view prefix);

  /// Clears the page, and writes on it instead how the numbers at these addresses came about, `depth` levels down.
  /// Throws std::invalid_argument when an address names no number (see address.hpp).
  void explain_instead(const std::vector<std::string>& addresses, std::size_t depth);

  [[nodiscard]] const LessonInfo& lesson() const { return lesson_; }
  [[nodiscard]] const Trace& trace() const { return trace_; }
  [[nodiscard]] const Page& page() const { return *page_; }

 private:
  LessonInfo lesson_;
  Trace trace_;
  std::unique_ptr<Page> page_;
};

}  // namespace attn
