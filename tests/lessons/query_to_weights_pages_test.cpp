#include "catch.hpp"
#include "lessons/run_lesson.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

// The pages of lessons 04 to 07 as a reader sees them: their length, and the commands that they tell to try.

namespace {

const std::vector<std::string> lessons = {"04_query_key_value", "05_scores", "06_scaling", "07_softmax"};

/// The commands under `try`, each as one line.
std::vector<std::string> commands_of(const std::string& page) {
  std::vector<std::string> commands;
  for (std::size_t begin = page.find("lessons/run "); begin != std::string::npos;
       begin = page.find("lessons/run ", begin + 1)) {
    std::string command;
    std::size_t end = begin;
    bool continued = true;
    while (continued) {
      const std::size_t start = page.find_first_not_of(' ', end);
      end = std::min(page.find("  ", start), page.find('\n', start));
      command += page.substr(start, end - start);
      continued = command.ends_with(" \\");  // a backslash continues a command on the next line
      if (continued) command.pop_back();
      if (continued) ++end;
    }
    commands.push_back(command);
  }
  return commands;
}

}  // namespace

TEST_CASE("the page of scores counts a row whose own score is the largest, whatever the last digit of a sum",
          "[words]") {
  // Here "sat" fits itself best. Its product with its own key, added up in another order, ends in another digit.
  const Ran page = run_lesson("05_scores", {"--weights", "torch", "--d-model", "8", "--heads", "1"});
  CHECK_THAT(page.output, ContainsSubstring("fits itself (0.092) best") && ContainsSubstring("In 1 of 7 rows"));
}

TEST_CASE("the pages of lessons 04 to 07 have 60 to 150 lines", "[page]") {
  for (const std::string& lesson : lessons) {
    for (const char* weights : {"crafted", "torch"}) {
      CAPTURE(lesson, weights);
      const std::string page = run_lesson(lesson, {"--weights", weights}).output;
      const auto lines = std::count(page.begin(), page.end(), '\n');
      CHECK(lines >= 60);
      CHECK(lines <= 150);
    }
  }
}

TEST_CASE("what lessons 04 to 07 tell to try runs whatever head and sizes the reader has chosen", "[page][try]") {
  for (const std::string& lesson : lessons) {
    for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
             {"--head", "3", "--mask", "causal"},
             {"--weights", "torch", "--d-model", "8", "--heads", "1"},
             {"--weights", "torch", "--d-model", "15", "--heads", "5", "--head", "2"}}) {
      const Ran page = run_lesson(lesson, options);
      REQUIRE(page.status == 0);
      const std::vector<std::string> commands = commands_of(page.output);
      CHECK(commands.size() >= 2);
      for (const std::string& command : commands) {
        CAPTURE(lesson, written(options), command);
        const Ran tried = run_command_of_page(command);
        CAPTURE(tried.output.substr(0, 200));
        CHECK(tried.status == 0);
      }
    }
  }
}
