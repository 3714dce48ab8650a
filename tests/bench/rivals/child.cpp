#include "rivals/child.hpp"

#include <array>
#include <csignal>
#include <stdexcept>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace attn::bench {

Child::Child(const std::vector<std::string>& command) {
  std::signal(SIGPIPE, SIG_IGN);  // a child that has ended is an answer, too
  std::array<int, 2> down{};
  std::array<int, 2> up{};
  if (pipe2(down.data(), O_CLOEXEC) != 0 || pipe2(up.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipes left");
  process_ = fork();
  if (process_ == 0) {
    dup2(down[0], STDIN_FILENO);
    dup2(up[1], STDOUT_FILENO);
    std::vector<char*> arguments;
    for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  close(down[0]);
  close(up[1]);
  to_ = fdopen(down[1], "w");
  from_ = fdopen(up[0], "r");
  version_ = read_line();
  if (version_ == "absent") version_.reset();
}

Child::~Child() {
  std::fclose(to_);  // the end of its input ends it
  std::fclose(from_);
  if (process_ > 0) waitpid(process_, nullptr, 0);
}

std::optional<std::string> Child::read_line() {
  std::string line;
  for (int c = std::fgetc(from_); c != '\n'; c = std::fgetc(from_)) {
    if (c == EOF) return std::nullopt;
    line.push_back(static_cast<char>(c));
  }
  return line;
}

std::optional<std::string> Child::ask(const std::string& line) {
  std::fprintf(to_, "%s\n", line.c_str());
  std::fflush(to_);
  std::optional<std::string> answer = read_line();
  if (!answer) failure_ = "it has ended";
  if (answer && answer->rfind("failed", 0) == 0) {
    failure_ = *answer;
    answer.reset();
  }
  return answer;
}

}  // namespace attn::bench
