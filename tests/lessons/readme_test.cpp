#include "catch.hpp"
#include "lessons/run_lesson.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

// What the README says of the lessons is what they are.

namespace {

std::vector<std::string> lines_of(std::istream& text) {
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

/// A lesson and its question.
using Row = std::pair<std::string, std::string>;

/// "05_scores             Who asks whom?", as lessons/run list prints it.
std::vector<Row> rows_of_list() {
  const Ran ran = run_lessons_run("list");
  REQUIRE(ran.status == 0);
  std::istringstream text(ran.output);
  std::vector<Row> rows;
  for (const std::string& line : lines_of(text)) {
    const std::size_t end = line.find(' ');
    REQUIRE(end != std::string::npos);
    rows.emplace_back(line.substr(0, end), line.substr(line.find_first_not_of(' ', end)));
  }
  return rows;
}

/// "| `05_scores` | Who asks whom? |"
std::vector<Row> rows_of_readme() {
  std::ifstream file(LESSON_SOURCES_DIR "/../README.md");
  REQUIRE(file.good());
  std::vector<Row> rows;
  bool in_table = false;
  for (const std::string& line : lines_of(file)) {
    if (line == "| lesson | question |") in_table = true;
    if (line.empty()) in_table = false;
    if (!in_table || !line.starts_with("| `")) continue;
    const std::size_t end = line.find("` | ");
    REQUIRE(end != std::string::npos);
    REQUIRE(line.ends_with(" |"));
    rows.emplace_back(line.substr(3, end - 3), line.substr(end + 4, line.size() - 2 - end - 4));
  }
  return rows;
}

}  // namespace

TEST_CASE("the README's table of lessons is what lessons/run list prints", "[readme]") {
  const std::vector<Row> list = rows_of_list();
  const std::vector<Row> readme = rows_of_readme();
  for (std::size_t k = 0; k < std::min(list.size(), readme.size()); ++k) {
    CHECK(readme[k].first == list[k].first);
    CHECK(readme[k].second == list[k].second);
  }
  CHECK(readme.size() == list.size());
  std::vector<std::string> names;
  for (const Row& row : list) names.push_back(row.first);
  CHECK(names == lesson_names());
}

TEST_CASE("each lesson tells its question with --help", "[readme]") {
  for (const auto& [lesson, question] : rows_of_list()) {
    CAPTURE(lesson);
    CHECK(question.ends_with('?'));
    const Ran ran = run_lesson(lesson, {"--help"});
    CHECK_THAT(ran.output, ContainsSubstring(lesson + ": " + question + "\n"));
  }
}
