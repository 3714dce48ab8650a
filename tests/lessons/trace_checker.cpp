#include "lessons/trace_checker.hpp"

#include "lessons/checker/checked_step.hpp"
#include "lessons/checker/ops.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace {

using Json = nlohmann::json;
using checker::Array;
using checker::Expected;
using checker::Problem;
using checker::require;
using checker::Shape;
using checker::Step;

void compare(const Step& step, const Expected& expected) {
  require(step.array.shape == expected.shape, "the shape is {}, not {}", step.array.shape, expected.shape);
  for (std::size_t k = 0; k < expected.values.size(); ++k) {
    const double got = step.array.values[k];
    const double want = checker::as_step_holds(expected.values[k]);
    const bool same = std::isfinite(want) ? std::abs(got - want) <= expected.slack[k]
                      : std::isnan(want)  ? std::isnan(got)
                                          : got == want;
    require(same, "value {} is {}, not {} (may be off by {:.2g})", k, got, want, expected.slack[k]);
  }
}

/// Reads a number; what JSON has no number for is a string.
double number_of(const Json& json) {
  if (json.is_number()) return static_cast<double>(json.get<float>());
  require(json.is_string(), "{} is no number", json.dump());
  const auto text = json.get<std::string>();
  require(text == "inf" || text == "-inf" || text == "nan", "{} is no number: only inf, -inf and nan are strings",
          json.dump());
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  return text == "inf" ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
}

void require_keys(const Json& object, const std::set<std::string>& wanted) {
  std::set<std::string> there;
  for (const auto& [key, value] : object.items()) there.insert(key);
  require(there == wanted, "the keys are {}, not {}", there, wanted);
}

std::size_t labels_in(const Json& labels) {
  for (const Json& label : labels) require(label.is_string(), "{} is no label", label.dump());
  return labels.size();
}

Step read_step(const Json& json, const std::map<std::string, Array>& earlier) {
  require_keys(json, {"name", "op", "inputs", "attributes", "formula", "rows", "columns", "shape", "values"});
  Step step{.name = json["name"], .op = json["op"], .array = {}, .inputs = {}, .attributes = {}};
  require(!step.name.empty() && earlier.count(step.name) == 0, "the name \"{}\" is empty or taken", step.name);

  const auto takes = checker::arity().find(step.op);
  require(takes != checker::arity().end(), "op \"{}\" is not known here: add it to the checker", step.op);
  for (const Json& input : json["inputs"]) {
    const auto found = earlier.find(input.get<std::string>());
    require(found != earlier.end(), "the input {} is no earlier step", input.dump());
    step.inputs.push_back(&found->second);
  }
  const auto [fewest, most] = takes->second;
  require(step.inputs.size() >= fewest && step.inputs.size() <= most, "op {} has {} inputs", step.op,
          step.inputs.size());
  const bool from_nothing = step.op == "given" || step.op == "tokenize" || step.op == "sinusoid";
  require(json["formula"].get<std::string>().empty() == (step.op == "given" || step.op == "tokenize"),
          "op {} has the formula {}", step.op, json["formula"].dump());
  require(from_nothing == step.inputs.empty(), "op {} has {} inputs", step.op, step.inputs.size());
  for (const auto& [key, value] : json["attributes"].items()) step.attributes[key] = number_of(value);

  for (const Json& size : json["shape"]) {
    require(size.is_number_unsigned(), "{} is no size", size.dump());
    step.array.shape.push_back(size);
  }
  for (const Json& value : json["values"]) step.array.values.push_back(number_of(value));
  const Shape& shape = step.array.shape;
  require(step.array.values.size() == checker::count_of(shape), "{} has {} values", shape, step.array.values.size());
  const std::size_t row_count = shape.empty() ? 0 : shape[shape.size() == 1 ? 0 : shape.size() - 2];
  const std::size_t column_count = shape.size() < 2 ? 0 : shape.back();
  require(labels_in(json["rows"]) == row_count, "{} has {} row labels", shape, json["rows"].size());
  require(labels_in(json["columns"]) == column_count, "{} has {} column labels", shape, json["columns"].size());

  if (step.op == "tokenize") {
    require(shape.size() == 1, "tokens are a list, not {}", shape);
    for (const double id : step.array.values)
      require(id >= 0.0 && id == std::floor(id), "an id is a whole number, not {}", id);
  }
  return step;
}

/// The options repeated in the trace fit its steps.
void check_options(const Json& options, const std::map<std::string, Array>& steps) {
  require(options.is_object(), "options is no object");
  const bool of_a_case = options.contains("case") && options["case"].is_string();
  const bool of_a_text = options.contains("text") && options["text"].is_string();
  require(of_a_case || of_a_text, "options has no text, and no case");
  if (options.contains("d_model") && steps.count("X") == 1) {
    require(steps.at("X").shape.back() == options["d_model"], "X is {}, but options says d_model {}",
            steps.at("X").shape, options["d_model"].dump());
  }
}

}  // namespace

std::set<std::string> ops_of_traces() {
  std::set<std::string> ops;
  for (const auto& [op, inputs] : checker::arity()) ops.insert(op);
  return ops;
}

std::vector<std::string> problems_of_trace(const std::string& json_text) {
  std::vector<std::string> problems;
  std::map<std::string, Array> steps;
  try {
    // Text that is not valid UTF-8 is refused here.
    const Json trace = Json::parse(json_text);
    require_keys(trace, {"format", "lesson", "options", "steps"});
    require(trace["format"] == "attention-steps/1", "the format is {}", trace["format"].dump());
    require(trace["lesson"].is_string(), "the lesson has no name");
    require(!trace["steps"].empty(), "there are no steps");
    for (const Json& json : trace["steps"]) {
      const std::string where = json.contains("name") ? json["name"].dump() : "a step without a name";
      try {
        Step step = read_step(json, steps);
        try {
          if (step.op != "given" && step.op != "tokenize") compare(step, checker::recompute(step));
        } catch (const Problem& problem) {
          problems.push_back(fmt::format("{}: {}", where, problem.what()));
        }
        steps[step.name] = std::move(step.array);
      } catch (const Problem& problem) {
        problems.push_back(fmt::format("{}: {}", where, problem.what()));
      }
    }
    check_options(trace["options"], steps);
  } catch (const Problem& problem) {
    problems.emplace_back(problem.what());
  } catch (const Json::exception& error) {
    problems.push_back(fmt::format("not the form of a trace: {}", error.what()));
  }
  return problems;
}
