#include "lessons/run_lesson.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

namespace {

std::string quoted(const std::string& word) {
  std::string result = "'";
  for (const char letter : word) result += letter == '\'' ? "'\\''" : std::string(1, letter);
  return result + "'";
}

Ran run(const std::string& command) {
  // The width of somebody's terminal and wish for no colour are not the test's.
  FILE* pipe = popen(("unset COLUMNS NO_COLOR; exec 2>&1 </dev/null; " + command).c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  Ran ran;
  std::array<char, 1 << 16> buffer{};
  for (std::size_t got = 0; (got = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    ran.output.append(buffer.data(), got);
  }
  const int ended = pclose(pipe);
  ran.status = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
  return ran;
}

/// What is measured differs from run to run, so it is left out unless a test asks for it.
std::string without_times(const std::string& options) {
  return options.find("--timing") == std::string::npos ? " --timing off " + options : " " + options;
}

}  // namespace

Ran run_lesson(const std::string& lesson, const std::vector<std::string>& options) {
  return run(quoted(LESSONS_DIR "/" + lesson) + without_times(written(options)));
}

Ran run_command_of_page(const std::string& command) {
  const std::string runner = "lessons/run ";
  if (!command.starts_with(runner)) throw std::invalid_argument("not a command that runs a lesson: " + command);
  const std::size_t end = std::min(command.find(' ', runner.size()), command.size());
  const std::string wanted = command.substr(runner.size(), end - runner.size());
  for (const std::string& lesson : lesson_names()) {
    if (lesson.starts_with(wanted + "_") || lesson == wanted) {
      return run(quoted(LESSONS_DIR "/" + lesson) + without_times(command.substr(end)));
    }
  }
  throw std::invalid_argument("there is no lesson for: " + command);
}

Ran run_lessons_run(const std::string& words) {
  return run(quoted(LESSON_SOURCES_DIR "/run") + " " + words);
}

std::string written(const std::vector<std::string>& options) {
  std::string line;
  for (const std::string& option : options) {
    if (!line.empty()) line += ' ';
    line += quoted(option);
  }
  return line;
}

std::vector<std::string> lesson_names() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(LESSON_SOURCES_DIR)) {
    const std::filesystem::path& path = file.path();
    if (path.extension() == ".cpp" && std::isdigit(static_cast<unsigned char>(path.stem().string()[0])) != 0) {
      names.push_back(path.stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}
