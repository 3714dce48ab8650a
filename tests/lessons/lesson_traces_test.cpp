#include "catch.hpp"
#include "lessons/run_lesson.hpp"
#include "lessons/texts.hpp"
#include "lessons/trace_checker.hpp"

#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <vector>

// The traces of all lessons but the tour, which has tests of its own.

namespace {

void check_trace(const std::string& lesson, std::vector<std::string> options) {
  CAPTURE(lesson, written(options));
  options.insert(options.end(), {"--face", "json"});
  const Ran ran = run_lesson(lesson, options);
  CAPTURE(ran.output.substr(0, 200));
  REQUIRE(ran.status == 0);
  std::string problems;
  for (const std::string& problem : problems_of_trace(ran.output)) problems += problem + "\n";
  CHECK(problems == "");
}

std::vector<std::string> lessons_after_the_tour() {
  std::vector<std::string> names;
  for (const std::string& name : lesson_names()) {
    if (name != "00_tour") names.push_back(name);
  }
  return names;
}

}  // namespace

TEST_CASE("every number of every lesson follows from earlier ones, whatever the text", "[trace][lessons]") {
  // Each lesson takes every third text, and each text is taken by four lessons: all pairs would take minutes.
  std::size_t turn = 0;
  for (const std::string& lesson : lessons_after_the_tour()) {
    check_trace(lesson, {});
    const std::vector<std::string> texts = proving_texts();
    for (std::size_t k = turn++ % 3; k < texts.size(); k += 3) {
      check_trace(lesson, {"--text", texts[k]});
      check_trace(lesson, {"--text", texts[k], "--mask", "causal", "--head", "3"});
      check_trace(lesson, {"--text", texts[k], "--weights", "torch", "--mask", "causal", "--positions", "none"});
    }
  }
}

TEST_CASE("every number of every lesson follows from earlier ones, whatever the sizes", "[trace][lessons]") {
  for (const std::string& lesson : lessons_after_the_tour()) {
    for (const auto& [d_model, heads] :
         std::vector<std::pair<const char*, const char*>>{{"1", "1"}, {"3", "1"}, {"15", "5"}, {"16", "16"}}) {
      for (const char* text : {"cat", "the cat sat on the mat."}) {
        check_trace(lesson, {"--weights", "torch", "--d-model", d_model, "--heads", heads, "--head", heads, "--text",
                             text, "--seed", "5"});
      }
    }
    for (const char* head : {"1", "4"}) check_trace(lesson, {"--head", head, "--positions", "none"});
  }
}

TEST_CASE("in the lessons on several heads only weights, masks and index maps are given", "[trace][lessons]") {
  const std::set<std::string> may_be_given = {"embedding_table", "W_Q", "W_K", "W_V", "W_O", "b_O", "mask",
                                              "numbers",         "dye"};
  for (const char* lesson : {"10_multi_head", "11_concat", "12_output_projection"}) {
    const nlohmann::json trace = nlohmann::json::parse(run_lesson(lesson, {"--face", "json"}).output);
    for (const auto& step : trace["steps"]) {
      CAPTURE(lesson, step["name"]);
      if (step["op"] == "given") CHECK(may_be_given.count(step["name"].get<std::string>()) == 1);
    }
  }
}
