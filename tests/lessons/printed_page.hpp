#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

// What a reader takes from a printed page: its blocks, its numbers with their decimals, its calculations. And the trace
// that the page is of, so that both can be compared.

/// A number as printed: "8.992" has 3 decimals; so has "1.652e+38", which has the exponent 38 besides.
struct Number {
  double value = 0.0;
  std::size_t decimals = 0;
  int exponent = 0;

  /// Half a unit of the last decimal: how far the number meant may be from the one printed.
  [[nodiscard]] double half_unit() const;
  /// Is this what `meant` looks like when rounded to so many decimals?
  [[nodiscard]] bool rounds(double meant) const;
};

/// Reads a whole word as a number: digits, "inf", "-inf" or "nan".
[[nodiscard]] std::optional<Number> as_number(const std::string& word);

/// A word and the columns it takes up on the screen, the margin not counted: [begin, end).
struct Word {
  std::string text;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The words of a line. A bar that touches a number is not part of it.
[[nodiscard]] std::vector<Word> words_of(const std::string& line);

/// The parts of a text between `joint`: of "a = b = c" and " = " they are a, b and c.
[[nodiscard]] std::vector<std::string> split(const std::string& text, const std::string& joint);

/// Without the blanks at its ends.
[[nodiscard]] std::string trimmed(const std::string& text);

/// Adds words to a text, after a blank where it has some already.
void append_words(std::string& text, const std::string& words);

/// Lines that belong together, without the margin: what stands beside one label, or between two blank lines.
struct Block {
  std::string label;  // "by hand", "notice", ...; empty for tables and prose
  std::vector<std::string> lines;

  /// All lines as one, with single blanks.
  [[nodiscard]] std::string joined() const;
};

[[nodiscard]] std::vector<Block> blocks_of(const std::string& page);

/// The value of a calculation as printed: numbers, + - · /, a power, e^, sin, cos, tanh, sqrt, |x|, max(x, 0),
/// brackets.
/// Nothing when it is none.
[[nodiscard]] std::optional<double> evaluated(const std::string& expression);

/// How far the value of a calculation may be off, because each number in it was rounded.
[[nodiscard]] double slack_of_printed(const std::string& expression);

/// The numbers in a calculation, in their order.
[[nodiscard]] std::vector<Number> numbers_in(const std::string& expression);

struct TraceStep {
  std::string name;
  std::string op;
  std::vector<std::string> inputs;
  std::map<std::string, double> attributes;
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::vector<std::size_t> shape;
  std::vector<double> values;

  [[nodiscard]] std::size_t row_count() const { return shape.size() == 2 ? shape[0] : 1; }
  [[nodiscard]] std::size_t column_count() const { return shape.empty() ? 1 : shape.back(); }
  [[nodiscard]] double at(std::size_t i, std::size_t j) const { return values[i * column_count() + j]; }
  [[nodiscard]] const std::vector<std::string>& last_labels() const { return shape.size() == 2 ? columns : rows; }
};

/// One number of a step.
struct Place {
  const TraceStep* step = nullptr;
  std::size_t row = 0;  // in a block of matrices: counted through all of them
  std::size_t column = 0;

  [[nodiscard]] double value() const { return step->at(row, column); }
};

class TraceOfPage {
 public:
  /// How the page names steps: those of the head that it follows without the head, or each by its whole name.
  enum class Names { followed, whole };
  explicit TraceOfPage(const std::string& json_text, Names names = Names::followed);

  /// The step that the page calls by this name: that of the head it follows, when there is one.
  [[nodiscard]] const TraceStep& on_page(const std::string& name) const;
  [[nodiscard]] const TraceStep& step(const std::string& name) const;
  [[nodiscard]] bool has(const std::string& name) const { return steps_.count(name) == 1; }
  [[nodiscard]] const std::string& head() const { return head_; }  // "head2.", empty where there is one head
  [[nodiscard]] bool crafted() const { return crafted_; }

  /// The number that an address such as `scores[sat, the#2]` at `at` means, and where the address ends.
  [[nodiscard]] std::optional<std::pair<Place, std::size_t>> address(const std::string& text, std::size_t at) const;
  /// A calculation with addresses in it, worked out with the trace's numbers, and these numbers in their order.
  [[nodiscard]] std::optional<std::pair<double, std::vector<double>>> worked_out(const std::string& expression) const;

 private:
  std::map<std::string, TraceStep> steps_;
  std::string head_;
  bool crafted_ = false;
};
