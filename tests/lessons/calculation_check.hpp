#pragma once

#include "lessons/printed_page.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Reads calculations by hand back from their lines, as a reader does, and holds them against arithmetic and against
/// the trace: the printed operands are the trace's numbers rounded, they give what stands after the equals sign within
/// the decimals shown, and that is the trace's number rounded. Nothing is left out but zeros and a subtotal that says
/// of how many. Problems are collected as sentences, so that a failure shows them all.
class CalculationCheck {
 public:
  CalculationCheck(const TraceOfPage& trace, std::size_t precision) : trace_(trace), precision_(precision) {}

  /// The lines of one calculation, or of several below each other.
  void check(const std::vector<std::string>& lines);

  std::vector<std::string> problems;
  std::vector<Place> worked_out;  // the numbers that the lines work out, in their order
  std::size_t rounded = 0;        // how many say that they are rounded

 private:
  /// What a number is the sum of: a product of two numbers, or one number.
  struct Operands {
    double left = 0.0;
    double right = 0.0;
    bool single = false;
    [[nodiscard]] double product() const { return single ? left : left * right; }
  };
  /// What a line says besides its numbers.
  struct Remarks {
    bool rounded = false;
    bool others_zero = false;
    std::optional<std::string> in_table;
    std::optional<std::string> others;  // how many a subtotal stands for
  };

  void require(bool holds, const std::string& problem) {
    if (!holds) problems.push_back(problem);
  }
  [[nodiscard]] Remarks take_remarks(std::string& text);
  [[nodiscard]] std::optional<Place> place_named(const std::string& address) const;
  [[nodiscard]] std::vector<Operands> operands_of(Place at) const;
  void check_in_table(const Remarks& remarks, const Place& at, const std::string& whole);

  void check_chain(std::string chain);
  void check_summands_of(std::vector<double> left_over, const std::string& part, const Remarks& remarks,
                         const std::string& whole);
  void check_access(const Place& at, const std::string& said, const std::string& whole);
  void check_two_parts(const Place& at, const std::string& said, const Remarks& remarks, const std::string& whole);
  void check_printed_operands(const std::string& part, const std::vector<double>& named, const std::string& whole);
  void check_summands(const Place& at, const std::string& part, const Remarks& remarks, const std::string& whole);
  void check_columns(const std::vector<std::string>& lines);
  void check_softmax(const std::vector<std::string>& lines);

  // Numbers that are told in several sentences: those before the last say what it stands on.
  [[nodiscard]] bool is_told_before(const std::string& chain);
  void check_row(const Place& at, const std::string& names, const std::string& whole);
  void check_turn(const Place& at, const std::string& names, const std::string& whole);
  void check_told_sum(const std::string& told, std::vector<double> row, double exact, const std::string& whole);

  const TraceOfPage& trace_;
  std::size_t precision_;
  std::vector<std::string> told_;  // "the mean of X[sat]: (1 + 2) / 2 = 1.5", until the number that needs it
};
