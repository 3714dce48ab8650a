#pragma once

#include <string>
#include <vector>

/// What a lesson's executable printed (standard error too) and how it ended.
struct Ran {
  int status = -1;
  std::string output;
};

/// Runs a built lesson as a reader would, with no terminal: run_lesson("00_tour", {"--text", "the dog"}).
/// Measured times are left out of its page unless the options say `--timing on`.
[[nodiscard]] Ran run_lesson(const std::string& lesson, const std::vector<std::string>& options);

/// Runs a command line of the page, such as `lessons/run 00 --mask causal`, on the lesson that was built, also without
/// times.
[[nodiscard]] Ran run_command_of_page(const std::string& command);

/// Runs lessons/run of the checkout with these words, which must ask for nothing to be built.
[[nodiscard]] Ran run_lessons_run(const std::string& words);

/// "--text 'the dog' --mask causal", for messages of tests.
[[nodiscard]] std::string written(const std::vector<std::string>& options);

/// The names of all lessons: "00_tour", ...
[[nodiscard]] std::vector<std::string> lesson_names();
