#include "catch.hpp"
#include "lessons/calculation_check.hpp"
#include "lessons/printed_page.hpp"
#include "lessons/run_lesson.hpp"
#include "lessons/texts.hpp"
#include "text/unicode.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <regex>
#include <string>
#include <vector>

// The pages are read back, and what they say is held against arithmetic and against the trace.

namespace {

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
    text.replace(at, what.size(), with);
  }
  return text;
}

/// Checks the pages of one set of options. Problems are collected as sentences, so that a failure shows them all.
class PageCheck {
 public:
  PageCheck(const std::string& page, const TraceOfPage& trace, std::size_t precision)
      : trace_(trace), precision_(precision), blocks_(blocks_of(page)) {
    for (const Block& block : blocks_) {
      if (block.label == "by hand") check_by_hand(block);
      if (block.label.empty()) check_table(block);
      if (block.label == "notice") check_notice(block);
    }
  }

  std::vector<std::string> problems;
  std::size_t calculations = 0;
  std::size_t rounded = 0;
  std::size_t cells = 0;
  std::size_t notices = 0;

 private:
  void require(bool holds, const std::string& problem) {
    if (!holds) problems.push_back(problem);
  }

  void check_by_hand(const Block& block) {
    CalculationCheck check(trace_, precision_);
    check.check(block.lines);
    problems.insert(problems.end(), check.problems.begin(), check.problems.end());
    calculations += check.worked_out.size();
    rounded += check.rounded;
  }

  // Tables.

  /// The steps of a table side by side, by what stands over it; none when the block is no table.
  [[nodiscard]] std::vector<const TraceStep*> steps_over(const std::vector<std::string>& lines) const {
    const std::vector<Word> words = words_of(lines[0]);
    if (words.empty()) return {};
    if (words[0].begin > 0) {
      std::vector<const TraceStep*> steps;
      for (const auto& [heading, name] :
           std::vector<std::pair<std::string, std::string>>{{"Q, looks for", "Q"},
                                                            {"K, offers", "K"},
                                                            {"V, hands over", "V"},
                                                            {"context, collected", "context"},
                                                            {"merged numbers", "merged"},
                                                            {"wrong numbers", "wrong"},
                                                            {"weights, undivided", "w_undivided"},
                                                            {"weights, divided", "w"},
                                                            {"slopes, undivided", "slope_undivided"},
                                                            {"slopes, divided", "slope"}}) {
        if (lines[0].find(heading) == std::string::npos) continue;
        // Q and K are shown with the columns of all heads; V and context are the followed head's.
        steps.push_back(name == "V" || name == "context" ? &trace_.on_page(name) : &trace_.step(name));
      }
      return steps;
    }
    if (words[0].text == "tokens") return {&trace_.step("embeddings")};
    for (const char* name : {"X_row", "one_hot", "words"}) {  // prose too begins lines with "words"
      if (words[0].text == name && trace_.has(name)) return {&trace_.step(name)};
    }
    for (const char* name : {"embeddings", "X",       "scores", "masked", "weights", "looks",  "output",   "account",
                             "compared",   "numbers", "W_Q",    "change", "row",     "scaled", "readings", "stand_ins",
                             "leaks",      "moved",   "work",   "state",  "speedup", "lines"}) {
      if (words[0].text == name) return {&trace_.on_page(name)};
    }
    return {};
  }

  [[nodiscard]] static bool may_have_sums(const TraceStep& step) {
    return step.name.ends_with("weights") || step.name == "readings" || step.name == "row" || step.name == "work";
  }

  [[nodiscard]] static bool same_label(const std::string& printed, const std::string& of_step) {
    const std::string label = attn::visible(of_step);
    if (printed == label) return true;
    const std::size_t mark = printed.find("…");
    return mark != std::string::npos && label.starts_with(printed.substr(0, mark));
  }

  void check_table(const Block& block) {
    std::size_t first_line = 0;  // arcs stand over the weights
    while (first_line < block.lines.size() && steps_over({block.lines[first_line]}).empty()) ++first_line;
    if (first_line == block.lines.size()) return;
    const std::vector<std::string> lines(block.lines.begin() + static_cast<std::ptrdiff_t>(first_line),
                                         block.lines.end());
    const std::vector<const TraceStep*> steps = steps_over(lines);
    const TraceStep& first = *steps[0];

    const std::vector<Word> over = words_of(lines[0]);
    if (over[0].text == "tokens" && (over.size() == 1 || over[1].text != "id")) return;  // the ids as a row

    // The heads: the names over the columns, and perhaps their numbers.
    std::size_t row_line = 0;
    while (row_line < lines.size() && !(words_of(lines[row_line])[0].begin == 0 && row_line > 0)) ++row_line;
    if (row_line >= lines.size()) return problems.push_back("a table without rows: " + lines[0]);
    if (words_of(lines[0]).size() == 1) return;  // stacked: the heads stand in a line of their own
    std::vector<Word> heads = words_of(lines[row_line - 1]);
    const bool headed = over[0].begin > 0;
    const bool numbered = row_line >= (headed ? 3U : 2U) && std::all_of(heads.begin(), heads.end(), [](const Word& w) {
                            return w.text == "…" || as_number(w.text).has_value();
                          });
    if (!numbered && heads[0].begin == 0) heads.erase(heads.begin());
    if (heads.empty()) return;
    bool has_sum = false;
    // Over the heat map names stand again, and gaps are no columns.
    struct Column {
      std::size_t end = 0;
      std::string head;
      bool after_gap = false;
    };
    std::vector<Column> columns;
    bool gap = false;
    const std::vector<Word> a_row = words_of(lines[row_line]);
    for (const Word& head : heads) {
      if (head.text == "…") {
        gap = true;
        continue;
      }
      const bool number_below = std::any_of(a_row.begin(), a_row.end(), [&](const Word& word) {
        return word.end == head.end && as_number(word.text).has_value();
      });
      if (!number_below) continue;
      if (head.text == "sum" && may_have_sums(first) && columns.size() > 0 && !has_sum) {
        has_sum = true;
        columns.push_back({head.end, "sum", false});
        break;
      }
      if (head.text == "id" && lines[0].starts_with("tokens")) continue;
      columns.push_back({head.end, head.text, gap});
      gap = false;
    }
    const std::size_t shown = columns.size() - (has_sum ? 1 : 0);
    if (shown == 0) return problems.push_back("a table without columns: " + lines[0]);

    std::size_t row = 0;
    bool row_gap = false;
    bool any_gap = false;
    std::size_t rows_shown = 0;
    std::size_t off = 0;
    double most_off = 0.0;
    bool all_columns = steps.size() == 1 && shown == first.column_count();
    for (std::size_t k = row_line; k < lines.size() && !(lines[k][0] == '(' && lines[k][1] != ' '); ++k) {
      const std::vector<Word> words = words_of(lines[k]);
      if (words.size() == 1 && words[0].text == "…") {
        row_gap = any_gap = true;
        continue;
      }
      ++rows_shown;
      std::vector<Number> numbers;
      for (const Column& column : columns) {
        for (const Word& word : words) {
          if (word.end == column.end) {
            if (const auto number = as_number(word.text)) numbers.push_back(*number);
          }
        }
      }
      if (numbers.size() != columns.size()) {
        problems.push_back(fmt::format("{} numbers for {} columns: {}", numbers.size(), columns.size(), lines[k]));
        continue;
      }
      // After a gap the next row is the first that fits.
      bool found = false;
      for (std::size_t i = row; i < first.row_count() && !found; ++i) {
        if (!row_gap && i > row) break;
        const std::string label = trimmed(lines[k].substr(0, lines[k].find("  ")));
        const bool label_fits =
            same_label(words[0].text, split(first.rows[i], " ")[0]) || label == attn::visible(first.rows[i]);
        found = label_fits && row_fits(steps, i, columns, numbers, numbered, has_sum);
        if (found) row = i + 1;
      }
      require(found, fmt::format("not the numbers of {}: {}", first.name, lines[k]));
      if (!found) ++row;
      row_gap = false;
      cells += numbers.size();
      if (has_sum) {
        double printed = 0.0;
        for (std::size_t c = 0; c < shown; ++c) printed += numbers[c].value;
        const double miss = std::abs(printed - numbers.back().value);
        if (miss > 0.2 * std::pow(10.0, -static_cast<double>(precision_))) {
          ++off;
          most_off = std::max(most_off, miss);
        }
      }
    }
    std::smatch hidden;
    const std::string text = block.joined();
    if (std::regex_search(text, hidden, std::regex(R"(\((\d+) of (\d+) rows)"))) {
      require(std::stoul(hidden[2].str()) == first.row_count(), "not so many rows: " + text);
      require(std::stoul(hidden[1].str()) + rows_shown == first.row_count(), "not so many rows left out: " + text);
    } else {
      require(rows_shown == first.row_count() && !any_gap, fmt::format("rows of {} are missing", first.name));
    }
    if (has_sum && all_columns) check_rounding_note(lines, off, most_off);
  }

  template <typename Columns>
  [[nodiscard]] bool row_fits(const std::vector<const TraceStep*>& steps, std::size_t i, const Columns& columns,
                              const std::vector<Number>& numbers, bool numbered, bool has_sum) {
    const std::size_t shown = columns.size() - (has_sum ? 1 : 0);
    const std::size_t per_step = shown / steps.size();
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const TraceStep& step = *steps[s];
      std::size_t j = 0;
      for (std::size_t c = s * per_step; c < (s + 1) * per_step; ++c) {
        if (numbered) {
          j = std::stoul(columns[c].head);
        } else {
          const bool may_skip = columns[c].after_gap || step.last_labels().size() != per_step;
          while (j < step.column_count() && may_skip &&
                 !(same_label(columns[c].head, step.last_labels()[j]) && fits(numbers[c], step, i, j))) {
            ++j;
          }
          if (j < step.column_count() && !same_label(columns[c].head, step.last_labels()[j])) return false;
        }
        if (j >= step.column_count() || !fits(numbers[c], step, i, j)) return false;
        ++j;
      }
    }
    if (has_sum) {
      double sum = 0.0;
      for (std::size_t j = 0; j < steps[0]->column_count(); ++j) sum += steps[0]->at(i, j);
      if (!numbers.back().rounds(sum)) return false;
    }
    return true;
  }

  /// Rounded to as many decimals as the page has; a bare 0 is exactly 0; whole only where all of the step are, or of a
  /// row that was joined from another step.
  [[nodiscard]] bool fits(const Number& number, const TraceStep& step, std::size_t i, std::size_t j) const {
    const double value = step.at(i, j);
    if (!number.rounds(value)) return false;
    if (!std::isfinite(value) || number.decimals == precision_) return true;
    if (number.decimals != 0) return false;
    const auto whole = [](double v) { return !std::isfinite(v) || v == std::floor(v); };
    bool whole_row = step.op == "concat";
    for (std::size_t k = 0; k < step.column_count(); ++k) whole_row = whole_row && whole(step.at(i, k));
    return number.value == value &&
           (value == 0.0 || whole_row || std::all_of(step.values.begin(), step.values.end(), whole));
  }

  void check_rounding_note(const std::vector<std::string>& lines, std::size_t off, double most_off) {
    std::string note;
    for (const std::string& line : lines) {
      if (!note.empty() || line.starts_with("(Rounded")) append_words(note, trimmed(line));
    }
    std::smatch found;
    std::size_t said = 0;
    if (std::regex_search(note, found, std::regex(R"((\d+) rows miss their sum by up to ([0-9.]+)\.\))"))) {
      said = std::stoul(found[1].str());
    } else if (std::regex_search(note, found, std::regex(R"((one) row misses its sum by ([0-9.]+)\.\))"))) {
      said = 1;
    }
    require(said == off, fmt::format("{} rows miss their sum, not {}: {}", off, said, note));
    if (said > 0 && off > 0) {
      const auto most = as_number(found[2].str());
      require(most && std::abs(most->value - most_off) < 1e-9,
              fmt::format("the largest miss is {}: {}", most_off, note));
    }
  }

  // Notices.

  /// The row that the page follows: that of the weights worked out by hand.
  [[nodiscard]] std::size_t followed() const {
    for (const Block& block : blocks_) {
      const std::string text = block.joined();
      const std::size_t at = text.find("scaled[");
      if (block.label != "by hand" || at != 0) continue;
      if (const auto place = trace_.address(text, 0)) return place->first.row;
    }
    // A lesson that shows one row of scores: no earlier word is written like the one that it follows.
    if (!trace_.has("scores_row")) return 0;
    const std::vector<std::string>& tokens = trace_.step("tokens").rows;
    return static_cast<std::size_t>(std::find(tokens.begin(), tokens.end(), trace_.step("scores_row").rows[0]) -
                                    tokens.begin());
  }

  /// The token that a sentence names: "the", "the" (number 2), itself.
  [[nodiscard]] std::size_t token_named(const std::string& name) const {
    if (name == "itself") return followed();
    const std::vector<std::string>& tokens = trace_.step("tokens").rows;
    std::smatch found;
    std::size_t number = 1;
    std::string word = name;
    if (std::regex_match(name, found, std::regex(R"((".*") \(number (\d+)\))"))) {
      word = found[1].str();
      number = std::stoul(found[2].str());
    }
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (fmt::format("\"{}\"", attn::visible(tokens[i])) == word && --number == 0) return i;
    }
    return tokens.size();
  }

  void check_notice(const Block& block) {
    const std::string text = block.joined();
    std::smatch found;
    static const std::string who = R"re((itself|".+?"(?: \(number \d+\))?))re";
    if (std::regex_search(text, found,
                          std::regex("What (.+) looks for fits " + who + " \\(([-0-9.]+)\\) (?:best, then|and) " + who +
                                     " \\(([-0-9.]+)\\)"))) {
      ++notices;
      const TraceStep& scores = trace_.on_page("scores");
      check_two_largest(text, scores, found[1], found[2], found[3], found[4], found[5]);
      const bool equal = text.find("equally well") != std::string::npos;
      require(!equal || found[3] == found[5], "not equally well: " + text);
    }
    if (std::regex_search(text, found,
                          std::regex("(\".+\"(?: \\(number \\d+\\))?) gives ([0-9.]+) to " + who +
                                     " and ([0-9.]+) to " + who + ": ([0-9.]+) % of it all"))) {
      ++notices;
      const TraceStep& weights = trace_.on_page("weights");
      check_two_largest(text, weights, found[1], found[3], found[2], found[5], found[4]);
      const auto percent = as_number(found[6].str());
      const auto one = as_number(found[2].str());
      const auto two = as_number(found[4].str());
      const std::size_t i = token_named(found[1].str());
      const std::size_t a = token_named(found[3].str());
      const std::size_t b = token_named(found[5].str());
      if (i < weights.row_count() && std::max(a, b) < weights.column_count() && percent && one && two) {
        require(percent->rounds(100.0 * (weights.at(i, a) + weights.at(i, b))), "not so many percent: " + text);
        require(percent->rounds(100.0 * (one->value + two->value)), "percent do not add up as printed: " + text);
      }
    }
    if (std::regex_search(text, found,
                          std::regex("(\".+\"(?: \\(number \\d+\\))?) gives all of its attention to " + who))) {
      ++notices;
      const TraceStep& weights = trace_.on_page("weights");
      require(token_named(found[1]) == followed(), "not the word that is followed: " + text);
      const std::size_t only = token_named(found[2]);
      require(only < weights.column_count() && weights.at(followed(), only) > 0.999999, "not all of it: " + text);
    }
    if (std::regex_search(text, found, std::regex(R"(the mask keeps (\d+) of (\d+))", std::regex::icase))) {
      ++notices;
      const TraceStep& mask = trace_.step("mask");
      require(std::stoul(found[2].str()) == mask.values.size(), "not so many cells: " + text);
      require(static_cast<std::ptrdiff_t>(std::stoul(found[1].str())) ==
                  std::count(mask.values.begin(), mask.values.end(), 1.0),
              "not so many kept: " + text);
    }
    if (text.find("; all others are 0.") != std::string::npos) {
      ++notices;
      const TraceStep& embeddings = trace_.step("embeddings");
      for (std::size_t i = 0; i < embeddings.row_count(); ++i) {
        for (const std::size_t j : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 15U}) {
          require(embeddings.at(i, j) == 0.0, "a channel not shown is not 0: " + text);
        }
      }
    }
    if (text.find("The channels not shown are 0.") != std::string::npos) {
      ++notices;
      const TraceStep& output = trace_.step("output");
      for (std::size_t i = 0; i < output.row_count(); ++i) {
        for (const std::size_t j : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 15U}) {
          require(output.at(i, j) == 0.0, "a channel not shown is not 0: " + text);
        }
      }
      if (std::regex_search(text, found,
                            std::regex(R"((".+") came in with (.+?) and leaves with (.+?): what it collected)"))) {
        check_contents(text, trace_.step("embeddings"), found[2]);
        check_contents(text, output, found[3]);
      }
    }
    if (std::regex_search(text, found, std::regex(R"(has collected (.+)\.$)"))) {
      ++notices;
      check_contents(text, trace_.on_page("context"), found[1]);
    }
    if (std::regex_search(text, found, std::regex(R"(Shown are the first (\d+) of (\d+) channels)"))) {
      ++notices;
      require(std::stoul(found[2].str()) == trace_.step("embeddings").column_count(), "not so many channels: " + text);
    }
    const std::regex new_words(R"re(does not know ((?:"[^"]+"(?:, | and )?)+)\.)re");
    if (std::regex_search(text, found, new_words)) {
      ++notices;
      // A new word stands in a spare row of the table, or in row 0 when none was left: after all known ones.
      const TraceStep& tokens = trace_.step("tokens");
      const double largest = *std::max_element(tokens.values.begin(), tokens.values.end());
      require(largest > 200 || largest == 0, "no token has a spare row: " + text);
    }
  }

  void check_two_largest(const std::string& text, const TraceStep& step, const std::string& word,
                         const std::string& first, const std::string& first_value, const std::string& second,
                         const std::string& second_value) {
    const std::size_t i = token_named(word);
    const std::size_t a = token_named(first);
    const std::size_t b = token_named(second);
    require(i == followed(), "not the word that is followed: " + text);
    if (i >= step.row_count() || a >= step.column_count() || b >= step.column_count() || a == b) {
      return problems.push_back("no such words: " + text);
    }
    for (std::size_t j = 0; j < step.column_count(); ++j) {
      require(step.at(i, j) <= step.at(i, a), "not the largest: " + text);
      require(j == a || step.at(i, j) <= step.at(i, b), "not the second: " + text);
    }
    require(as_number(first_value)->rounds(step.at(i, a)), "not its number: " + text);
    require(as_number(second_value)->rounds(step.at(i, b)), "not its number: " + text);
  }

  /// "noun 0.97, animal 0.54 and thing 0.45": the row's largest, the largest first.
  void check_contents(const std::string& text, const TraceStep& step, const std::string& contents) {
    const std::size_t i = followed();
    if (contents == "next to nothing") {
      for (std::size_t j = 0; j < step.column_count(); ++j) {
        const bool shown = step.name == "embeddings" || step.name == "output" ? j >= 8 && j < 15 : true;
        require(!shown || std::abs(step.at(i, j)) < 0.05, "there is more: " + text);
      }
      return;
    }
    double before = INFINITY;
    for (const std::string& item : split(replaced(contents, " and ", ", "), ", ")) {
      const std::size_t blank = item.rfind(' ');
      const auto number = as_number(item.substr(blank + 1));
      const auto label = std::find(step.columns.begin(), step.columns.end(), item.substr(0, blank));
      if (!number || label == step.columns.end()) return problems.push_back("cannot be read: " + text);
      const double value = step.at(i, static_cast<std::size_t>(label - step.columns.begin()));
      require(number->rounds(value), fmt::format("{} is {}: {}", item, value, text));
      require(std::abs(value) <= before, "not the largest first: " + text);
      before = std::abs(value);
    }
  }

  const TraceOfPage& trace_;
  std::size_t precision_;
  std::vector<Block> blocks_;
};

struct Counts {
  std::size_t pages = 0;
  std::size_t calculations = 0;
  std::size_t rounded = 0;
  std::size_t cells = 0;
  std::size_t notices = 0;
};

void check_page(const std::vector<std::string>& options, std::size_t precision, Counts& counts,
                const std::string& lesson = "00_tour") {
  std::vector<std::string> for_trace = options;
  for_trace.insert(for_trace.end(), {"--face", "json"});
  std::vector<std::string> for_page = options;
  for_page.insert(for_page.end(), {"--precision", std::to_string(precision)});
  const Ran page = run_lesson(lesson, for_page);
  CAPTURE(lesson, written(for_page));
  REQUIRE(page.status == 0);
  const TraceOfPage trace(run_lesson(lesson, for_trace).output);
  const PageCheck check(page.output, trace, precision);
  std::string problems;
  for (const std::string& problem : check.problems) problems += problem + "\n";
  CHECK(problems == "");
  CHECK(check.calculations >= (lesson == "00_tour" ? 7U : 1U));
  CHECK(check.cells > 0);
  ++counts.pages;
  counts.calculations += check.calculations;
  counts.rounded += check.rounded;
  counts.cells += check.cells;
  counts.notices += check.notices;
}

}  // namespace

TEST_CASE("a calculation is read as a reader reads it", "[printed]") {
  CHECK(evaluated("8.992 / 2") == 4.496);
  CHECK(evaluated("1.002 · 4") == 4.008);
  CHECK_THAT(*evaluated("1 - 0.5 + 2 · -3"), WithinAbs(-5.5, 1e-12));
  CHECK_THAT(*evaluated("sin(2 / 10000^(12/16))"), WithinAbs(0.002, 1e-6));
  CHECK_THAT(*evaluated("e^(9.5 - 9) / 2"), WithinAbs(0.824361, 1e-6));
  CHECK(!evaluated("Q[sat, 4] · 2"));
  CHECK(!evaluated("3 +"));
  CHECK(as_number("-0.250")->decimals == 3);
  CHECK(!as_number("0.5x"));
  CHECK(as_number("0.250")->rounds(0.2504));
  CHECK(!as_number("0.250")->rounds(0.2506));
  CHECK(!as_number("0.250")->rounds(NAN));
}

TEST_CASE("a printed number that is not the right one is found", "[printed]") {
  const Ran page = run_lesson("00_tour", {});
  const TraceOfPage trace(run_lesson("00_tour", {"--face", "json"}).output);
  const auto problems = [&](const std::string& what, const std::string& with) {
    const std::string changed = replaced(page.output, what, with);
    REQUIRE(changed != page.output);
    return PageCheck(changed, trace, 3).problems.size();
  };
  REQUIRE(PageCheck(page.output, trace, 3).problems.empty());
  CHECK(problems("sin(0.002)", "sin(0.003)") > 0);
  CHECK(problems("= sin(0.002) = 0.002", "= sin(0.002) = 0.003") > 0);
  CHECK(problems("1.000  1.002  1.000", "1.000  1.003  1.000") > 0);
  CHECK(problems("+ 0.767 ", "+ 0.768 ") > 0);
  CHECK(problems("K[cat]  · 2.0063", "K[cat]  · 2.0073") > 0);
  CHECK(problems("0.184  = 8.992", "0.184  = 8.993") > 0);
  CHECK(problems("8.992 / 2 = 4.496", "8.992 / 2 = 4.497") > 0);
  CHECK(problems("+ 89.65 +", "+ 89.66 +") > 0);
  CHECK(problems("= e^4.4959", "= e^4.4969") > 0);
  CHECK(problems("5 others", "4 others") > 0);
  CHECK(problems("(in the table: 0.965)", "(in the table: 0.966)") > 0);
  CHECK(problems("0.591▄  0.074", "0.592▄  0.074") > 0);
  CHECK(problems("0.007   1.000", "0.007   1.001") > 0);
  CHECK(problems("4 rows miss", "3 rows miss") > 0);
  CHECK(problems("by up to 0.001", "by up to 0.002") > 0);
  CHECK(problems("gives 0.51 to \"cat\"", "gives 0.51 to \"mat\"") > 0);
  CHECK(problems(": 96 %", ": 97 %") > 0);
  CHECK(problems("keeps 49 of 49", "keeps 48 of 49") > 0);
  CHECK(problems("collected noun 0.97", "collected noun 0.96") > 0);
}

TEST_CASE("numbers by hand, tables and sentences of the tour are right as printed", "[printed][tour]") {
  Counts counts;
  for (const std::string& text : proving_texts()) {
    for (const std::size_t precision : {2U, 3U, 6U}) {
      check_page({"--text", text}, precision, counts);
      check_page({"--text", text, "--weights", "torch", "--seed", std::to_string(precision)}, precision, counts);
      check_page({"--text", text, "--mask", "causal", "--head", "1"}, precision, counts);
      check_page({"--text", text, "--weights", "torch", "--mask", "causal", "--width", "120"}, precision, counts);
    }
    check_page({"--text", text, "--positions", "none", "--head", "4"}, 3, counts);
    check_page({"--text", text, "--width", "200", "--head", "3"}, 3, counts);
  }
  for (const char* text : {"the the the", "cat the", "the cat cat"}) {
    for (const char* head : {"1", "2", "3", "4"}) {
      for (const char* mask : {"none", "causal"}) {
        check_page({"--text", text, "--head", head, "--mask", mask}, 3, counts);
        check_page({"--text", text, "--head", head, "--mask", mask, "--positions", "none"}, 3, counts);
      }
    }
  }
  for (const auto& [d_model, heads] : std::vector<std::pair<const char*, const char*>>{
           {"1", "1"}, {"3", "1"}, {"5", "1"}, {"6", "3"}, {"64", "8"}, {"512", "8"}}) {
    for (std::size_t precision = 2; precision <= 6; ++precision) {
      check_page({"--weights", "torch", "--d-model", d_model, "--heads", heads}, precision, counts);
    }
  }
  for (int seed = 1; seed <= 40; ++seed) {
    check_page({"--weights", "torch", "--seed", std::to_string(seed), "--head", std::to_string(1 + seed % 4)}, 3,
               counts);
  }
  // "(rounded)" is for the rare sum that comes out at no number of decimals.
  CAPTURE(counts.rounded, counts.calculations);
  CHECK(100 * counts.rounded < counts.calculations);
  CHECK(counts.notices > counts.pages);
  std::cout << fmt::format("{} pages: {} calculations by hand ({} say that they are rounded), {} cells, {} sentences\n",
                           counts.pages, counts.calculations, counts.rounded, counts.cells, counts.notices);
}

TEST_CASE("numbers by hand and tables of the lessons on several heads are right as printed", "[printed][lessons]") {
  Counts counts;
  for (const char* lesson : {"10_multi_head", "11_concat", "12_output_projection"}) {
    check_page({}, 3, counts, lesson);
    for (const std::string& text : proving_texts()) {
      const std::size_t precision = 2 + counts.pages % 4;
      check_page({"--text", text}, precision, counts, lesson);
      check_page({"--text", text, "--weights", "torch", "--mask", "causal"}, precision, counts, lesson);
      check_page({"--text", text, "--positions", "none", "--head", "4", "--width", "120"}, 3, counts, lesson);
    }
    for (const auto& [d_model, heads] : std::vector<std::pair<const char*, const char*>>{
             {"1", "1"}, {"3", "1"}, {"4", "4"}, {"6", "3"}, {"64", "8"}, {"512", "8"}}) {
      check_page({"--weights", "torch", "--d-model", d_model, "--heads", heads, "--head", heads}, 3, counts, lesson);
    }
  }
  CHECK(100 * counts.rounded < counts.calculations);
}

TEST_CASE("numbers by hand and tables of the lessons on masks and on the cache are right as printed",
          "[printed][lessons]") {
  Counts counts;
  for (const char* lesson : {"15_mask_lab", "18_cache"}) {
    for (const std::string& text : proving_texts()) {
      check_page({"--text", text}, 3, counts, lesson);
      check_page({"--text", text, "--weights", "torch", "--seed", "2"}, 5, counts, lesson);
      check_page({"--text", text, "--positions", "none", "--head", "4", "--width", "120"}, 3, counts, lesson);
    }
  }
  CHECK(100 * counts.rounded < counts.calculations);
}

TEST_CASE("numbers by hand and tables of the lessons on threads and on the online softmax are right as printed",
          "[printed][lessons]") {
  Counts counts;
  for (const char* lesson : {"26_threads", "27_online_softmax"}) {
    for (const std::string& text : proving_texts()) {
      check_page({"--text", text}, 3, counts, lesson);
      check_page({"--text", text, "--weights", "torch", "--mask", "causal", "--seed", "2"}, 5, counts, lesson);
      check_page({"--text", text, "--positions", "none", "--head", "4", "--width", "120"}, 3, counts, lesson);
    }
  }
  CHECK(100 * counts.rounded < counts.calculations);
}

TEST_CASE("numbers by hand, tables and sentences of the lessons on embeddings and positions are right as printed",
          "[printed][lessons]") {
  Counts counts;
  for (const char* lesson : {"02_embed", "03_positions"}) {
    for (const std::string& text : proving_texts()) {
      check_page({"--text", text}, 3, counts, lesson);
      check_page({"--text", text, "--weights", "torch", "--mask", "causal"}, 5, counts, lesson);
      check_page({"--text", text, "--positions", "none", "--width", "120"}, 3, counts, lesson);
    }
    for (const char* d_model : {"1", "3", "6", "64"}) {
      check_page({"--weights", "torch", "--d-model", d_model, "--heads", "1"}, 4, counts, lesson);
    }
  }
  CAPTURE(counts.rounded, counts.calculations);
  CHECK(100 * counts.rounded < counts.calculations);
}

TEST_CASE("numbers by hand, tables and sentences of the lessons on Q, K and scores are right as printed",
          "[printed][lessons]") {
  Counts counts;
  for (const char* lesson : {"04_query_key_value", "05_scores", "06_scaling"}) {
    for (const std::string& text : proving_texts()) {
      check_page({"--text", text}, 3, counts, lesson);
      check_page({"--text", text, "--weights", "torch", "--mask", "causal"}, 5, counts, lesson);
      check_page({"--text", text, "--positions", "none", "--head", "3", "--width", "120"}, 3, counts, lesson);
    }
    for (const char* head : {"1", "2", "3", "4"}) {
      check_page({"--text", "the cat cat", "--positions", "none", "--head", head}, 3, counts, lesson);
    }
    for (const auto& [d_model, heads] : std::vector<std::pair<const char*, const char*>>{
             {"1", "1"}, {"3", "1"}, {"4", "4"}, {"6", "3"}, {"64", "8"}}) {
      check_page({"--weights", "torch", "--d-model", d_model, "--heads", heads, "--seed", "2"}, 3, counts, lesson);
    }
  }
  CAPTURE(counts.rounded, counts.calculations);
  CHECK(100 * counts.rounded < counts.calculations);
}
