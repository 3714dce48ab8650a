#include "board/address.hpp"
#include "board/arithmetic.hpp"
#include "board/by_hand.hpp"
#include "board/explanation.hpp"
#include "catch.hpp"
#include "lessons/calculation_check.hpp"
#include "lessons/printed_page.hpp"
#include "lessons/run_lesson.hpp"
#include "tensor/layout.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

// Why this number? Each number of each lesson's trace is explained, and what the explanation says is held against
// arithmetic. The traces come from the lessons as they run; the explaining is done here, for hundreds of thousands of
// numbers.

using namespace attn;

namespace {

using Json = nlohmann::json;

constexpr std::size_t width = 70;
const TextStyle style = {};  // as in a pipe: 3 decimals

std::string trace_of(const std::string& lesson, std::vector<std::string> options) {
  options.insert(options.end(), {"--face", "json"});
  const Ran ran = run_lesson(lesson, options);
  CAPTURE(lesson, written(options), ran.output.substr(0, 200));
  REQUIRE(ran.status == 0);
  return ran.output;
}

float number_of(const Json& json) {
  if (json.is_number()) return json.get<float>();
  return std::stof(json.get<std::string>());  // inf, -inf, nan
}

/// The trace as the lesson had it.
Trace read_trace(const std::string& json_text) {
  const Json json = Json::parse(json_text);
  Trace trace;
  for (const Json& step : json["steps"]) {
    std::vector<float> values;
    for (const Json& value : step["values"]) values.push_back(number_of(value));
    Origin origin{.op = step["op"], .inputs = step["inputs"]};
    for (const auto& [name, value] : step["attributes"].items()) {
      // A factor is a float in the lesson too; an epsilon is not.
      origin.attributes.push_back(
          {name, name == "factor" ? static_cast<double>(number_of(value)) : value.get<double>()});
    }
    origin.rows = step["rows"];
    origin.columns = step["columns"];
    trace.add(step["name"].get<std::string>(), Tensor(step["shape"].get<Shape>(), std::move(values)),
              std::move(origin));
  }
  return trace;
}

/// Which steps were explained before, with all that an explanation tells: the two worlds and the lessons share many.
class ExplainedBefore {
 public:
  /// Remembers the step, and says whether it is new.
  bool is_new(const Trace& trace, const Step& step) {
    std::string all = step.name + '\n' + step.origin.op + '\n';
    for (const Attribute& attribute : step.origin.attributes)
      all += fmt::format("{} {}\n", attribute.name, attribute.number);
    for (const auto* labels : {&step.rows, &step.columns}) {
      for (const std::string& label : *labels) all += label + '\n';
      all += '\n';
    }
    for (const std::string& input : step.origin.inputs) {
      all += fmt::format("{}\n", which_[&trace.step(input)]);
    }
    const std::vector<float>& values = step.value.values();
    std::string bytes(values.size() * sizeof(float), '\0');
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    const auto [place, added] = numbers_.try_emplace(all + bytes, numbers_.size());
    which_[&step] = place->second;
    return added;
  }

  void next_trace() { which_.clear(); }

 private:
  std::map<std::string, std::size_t> numbers_;
  std::map<const Step*, std::size_t> which_;  // of this trace
};

struct Counts {
  std::size_t numbers = 0;
  std::size_t explained = 0;  // the others are those of an equal step, explained before
  std::size_t rounded = 0;
};

/// Explains every number of a trace, and returns what is wrong.
std::string problems_explaining_all(const std::string& json, std::size_t precision, ExplainedBefore& before,
                                    Counts& counts) {
  const Trace trace = read_trace(json);
  const TraceOfPage numbers(json, TraceOfPage::Names::whole);
  const TextStyle precise = {.precision = precision};
  std::size_t found = 0;
  std::string problems;
  const auto report = [&](const std::string& problem) {
    if (++found <= 10) problems += problem + "\n";
  };
  before.next_trace();
  for (const Step& step : trace.steps()) {
    counts.numbers += step.value.size();
    if (!before.is_new(trace, step)) continue;
    CalculationCheck check(numbers, precision);
    for (std::size_t k = 0; k < step.value.size(); ++k) {
      const Index index = index_at(step.value.shape(), k);
      std::vector<Cell> seen;
      const auto why = explain(trace, {.step = &step, .index = index}, 0, seen, precise, width);
      check.check(why.front().lines);
      const bool about_it =
          check.worked_out.size() == 1 && check.worked_out[0].step->name == step.name &&
          check.worked_out[0].row * check.worked_out[0].step->column_count() + check.worked_out[0].column == k;
      if (!about_it) report(fmt::format("not the number {}: {}", address(step, index), why.front().lines.back()));
      for (const std::string& problem : check.problems) report(problem);
      check.worked_out.clear();
      check.problems.clear();
      ++counts.explained;
    }
    counts.rounded += check.rounded;
  }
  if (found > 10) problems += fmt::format("and {} more\n", found - 10);
  return problems;
}

/// The words with one blank between them, wherever their lines end.
std::string single_blanks(const std::string& text) {
  std::istringstream stream(text);
  std::string words;
  for (std::string word; stream >> word;) append_words(words, word);
  return words;
}

const std::vector<std::vector<std::string>> worlds = {{"--weights", "crafted"}, {"--weights", "torch"}};

}  // namespace

TEST_CASE("every number of every lesson, in both worlds, is explained by operands that give it as printed",
          "[explained]") {
  ExplainedBefore before;
  Counts counts;
  for (const std::string& lesson : lesson_names()) {
    for (const std::vector<std::string>& world : worlds) {
      CAPTURE(lesson, written(world));
      CHECK(problems_explaining_all(trace_of(lesson, world), style.precision, before, counts) == "");
    }
  }
  // "(rounded)" is for the rare sum that comes out at no number of decimals.
  CAPTURE(counts.rounded, counts.explained);
  CHECK(counts.numbers > 100000);
  CHECK(100 * counts.rounded < counts.explained);
  std::cout << fmt::format("{} numbers, {} of them different: explained ({} say that they are rounded)\n",
                           counts.numbers, counts.explained, counts.rounded);
}

TEST_CASE("every number is explained by operands that give it, with one token, hidden words, other sizes and decimals",
          "[explained]") {
  Counts counts;
  std::size_t precision = 1;
  for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
           {"--text", "cat"},
           {"--text", "the cat", "--mask", "causal", "--positions", "none"},
           {"--weights", "torch", "--d-model", "6", "--heads", "2", "--seed", "3", "--text", "the cat, the dog"},
           {"--weights", "torch", "--d-model", "3", "--heads", "1", "--text", "the dog barked"},
           {"--text", "¿Qué es, gato?", "--head", "3"}}) {
    ExplainedBefore before;
    for (const std::string& lesson : lesson_names()) {
      if (lesson.starts_with("02") || lesson.starts_with("06")) continue;  // their large tables are those of above
      CAPTURE(lesson, written(options), precision);
      CHECK(problems_explaining_all(trace_of(lesson, options), precision, before, counts) == "");
    }
    ++precision;
  }
  CAPTURE(counts.rounded, counts.explained);
  CHECK(100 * counts.rounded < counts.explained);
}

TEST_CASE("an explanation goes down to numbers that nothing lies below", "[explained]") {
  for (const std::string& lesson : lesson_names()) {
    for (const std::vector<std::string>& world : worlds) {
      const Trace trace = read_trace(trace_of(lesson, world));
      const Step& last = trace.steps().back();
      CAPTURE(lesson, written(world), last.name);
      const Index index = index_at(last.value.shape(), last.value.size() / 2);
      std::vector<Cell> seen;
      const auto numbers =
          explain(trace, {.step = &last, .index = index}, static_cast<std::size_t>(-1), seen, style, width);
      // Each number that stands in a line is explained itself, one level down or where it was met first.
      std::size_t missing = 0;
      for (const Cell& cell : seen) {
        const OnPaper paper = by_hand(work_out(trace, *cell.step, cell.index), Page(), style, width);
        for (const Operand& operand : paper.operands) {
          const auto same = [&](const Cell& other) {
            return other.step == operand.step && other.index == operand.index;
          };
          missing += std::none_of(seen.begin(), seen.end(), same) ? 1U : 0U;
        }
      }
      CHECK(missing == 0);
      CHECK(numbers.size() == seen.size());
    }
  }
}

TEST_CASE("--explain prints that explanation in every lesson", "[explained]") {
  for (const std::string& lesson : lesson_names()) {
    for (std::vector<std::string> options : worlds) {
      const Trace trace = read_trace(trace_of(lesson, options));
      const Step& last = trace.steps().back();
      const Index index = index_at(last.value.shape(), last.value.size() - 1);
      std::vector<Cell> seen;
      const auto numbers = explain(trace, {.step = &last, .index = index}, 1, seen, style, width);
      options.insert(options.end(), {"--explain", address(last, index), "--depth", "1"});
      const Ran ran = run_lesson(lesson, options);
      CAPTURE(lesson, written(options), ran.output);
      REQUIRE(ran.status == 0);
      const std::string words_of_page = single_blanks(ran.output);  // which breaks a line that is too long for it
      for (const ExplainedNumber& number : numbers) {
        for (const std::string& line : number.lines) {
          if (!number.given) CHECK_THAT(words_of_page, ContainsSubstring(single_blanks(line)));
        }
      }
    }
  }
}

TEST_CASE("an explanation that does not come out is found", "[explained]") {
  const std::string json = trace_of("00_tour", {});
  const Trace trace = read_trace(json);
  const TraceOfPage numbers(json, TraceOfPage::Names::whole);
  const auto problems = [&](const std::string& typed, const std::string& what, const std::string& with) {
    const Cell cell = find_cell(trace, "", typed);
    OnPaper paper = by_hand(work_out(trace, *cell.step, cell.index), Page(), style, width);
    std::size_t changed = 0;
    CalculationCheck right(numbers, 3);
    right.check(paper.lines);
    CAPTURE(typed, paper.lines);
    REQUIRE(right.problems.empty());
    for (std::string& line : paper.lines) {
      const std::size_t place = line.find(what);
      if (place == std::string::npos) continue;
      line.replace(place, what.size(), with);
      ++changed;
    }
    REQUIRE(changed > 0);
    CalculationCheck wrong(numbers, 3);
    wrong.check(paper.lines);
    return wrong.problems.size();
  };
  CHECK(problems("embedding_table[1,10]", "= 0 ", "= 1 ") > 0);
  CHECK(problems("embeddings[cat,noun]", "= 1", "= 0") > 0);
  CHECK(problems("positions[2,12]", "sin(0.002)", "sin(0.003)") > 0);
  CHECK(problems("X[sat,12]", "= 1.002", "= 1.003") > 0);
  CHECK(problems("head2.scores[sat,cat]", "+ 0.767", "+ 0.768") > 0);
  CHECK(problems("head2.scaled[sat,cat]", "8.992 / 2", "8.994 / 2") > 0);
  CHECK(problems("head2.weights[sat,cat]", "+ 89.65", "+ 89.66") > 0);
  CHECK(problems("head2.context[sat,animal]", "other", "2 other") > 0);
}
