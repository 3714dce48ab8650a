#include "support/program/pause.hpp"

#include "support/program/output.hpp"

#include "catch.hpp"

#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <poll.h>
#include <csignal>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

/// A reader at a terminal: the pages are read in a child process, whose keyboard and screen are here.
class Reader {
 public:
  /// `early` is typed before the program asks for keys.
  explicit Reader(const std::vector<std::string>& parts, const std::string& early = "")
      : Reader([&parts] { return parts; }, early) {}

  explicit Reader(const std::function<std::vector<std::string>()>& draw, const std::string& early = "") {
    int end_of_child = -1;
    REQUIRE(::openpty(&terminal_, &end_of_child, nullptr, nullptr, nullptr) == 0);
    press(early);
    child_ = ::fork();
    if (child_ == 0) {
      ::setpgid(0, 0);  // a process can be stopped only when its parent is of another group
      ::close(terminal_);
      ::dup2(end_of_child, STDIN_FILENO);
      ::dup2(end_of_child, STDOUT_FILENO);
      ::alarm(60);  // a reader who waits for ever fails the test, and does not hold it up
      try {
        attn::read_part_by_part(draw);
      } catch (const std::exception&) {
        ::_exit(1);  // what is thrown must not run the other tests a second time, here
      }
      ::_exit(0);
    }
    ::close(end_of_child);
    REQUIRE(child_ > 0);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() {
    if (terminal_ >= 0) ::close(terminal_);
    if (child_ > 0) ::waitpid(child_, nullptr, 0);
  }

  void press(const std::string& keys) const {  // all at once
    REQUIRE(::write(terminal_, keys.data(), keys.size()) == static_cast<ssize_t>(keys.size()));
  }

  /// What appears until `awaited` has; all that appears when it does not within ten seconds.
  std::string see(const std::string& awaited) const {
    std::string seen;
    char letter = 0;
    pollfd ready{.fd = terminal_, .events = POLLIN, .revents = 0};
    while (seen.find(awaited) == std::string::npos && ::poll(&ready, 1, 10000) == 1) {
      if (::read(terminal_, &letter, 1) != 1) break;
      seen += letter;
    }
    return seen;
  }

  /// Keys are echoed and come line by line, as a shell expects.
  [[nodiscard]] bool terminal_is_as_usual() const {
    termios mode{};
    REQUIRE(::tcgetattr(terminal_, &mode) == 0);
    return (mode.c_lflag & ICANON) != 0 && (mode.c_lflag & ECHO) != 0;
  }

  void make_wide(unsigned short columns) const {
    const winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    REQUIRE(::ioctl(terminal_, TIOCSWINSZ, &size) == 0);
  }

  void go_away() {
    ::close(terminal_);
    terminal_ = -1;
  }

  void send(int signal_number) const { ::kill(child_, signal_number); }

  /// The wait status at the end, or at a stop.
  int wait_for_end() {
    int status = 0;
    ::waitpid(child_, &status, WUNTRACED);
    if (!WIFSTOPPED(status)) child_ = -1;
    return status;
  }

 private:
  int terminal_ = -1;
  pid_t child_ = -1;
};

const std::vector<std::string> three_parts = {"one\n", "two\n", "three\n"};
const std::string first_prompt = "-- 1 of 3   any key: next, b: back, q: quit ";
const std::string second_prompt = "-- 2 of 3   any key: next, b: back, q: quit ";
const std::string last_prompt = "-- 3 of 3   any key: end, b: back, q: quit ";

}  // namespace

TEST_CASE("a paused page goes on at any key, back at b, and ends after the last part", "[pause]") {
  Reader reader(three_parts);
  CHECK(reader.see(first_prompt) == "one\r\n" + first_prompt);
  CHECK_FALSE(reader.terminal_is_as_usual());
  reader.press(" ");
  CHECK_THAT(reader.see(second_prompt), ContainsSubstring("two\r\n" + second_prompt));
  reader.press("b");
  CHECK_THAT(reader.see(first_prompt), ContainsSubstring("one\r\n" + first_prompt));
  reader.press("b");  // there is nothing before the first part: it is shown again
  CHECK_THAT(reader.see(first_prompt), ContainsSubstring("one\r\n" + first_prompt));
  reader.press("\n");
  reader.see(second_prompt);
  reader.press("\x1b[C");  // an arrow is one key, though it sends three bytes
  CHECK_THAT(reader.see(last_prompt), ContainsSubstring("three\r\n" + last_prompt));
  reader.press("\x1b[D");
  reader.see(second_prompt);
  reader.press("x");
  reader.see(last_prompt);
  reader.press("x");
  CHECK(reader.wait_for_end() == 0);
  CHECK(reader.terminal_is_as_usual());
}

TEST_CASE("of several keys typed at once each counts", "[pause]") {
  Reader reader(three_parts);
  reader.see(first_prompt);
  const auto [keys, seen] = GENERATE(table<std::string, std::string>({
      {"  ", "three\r\n" + last_prompt},
      {"  b", "three\r\n"},
      {"\x1b[C\x1b[C", "three\r\n" + last_prompt},
      {"\x1bOC\x1bOC", "three\r\n" + last_prompt},
      {"\x1b[1;5C\x1b[15~", "three\r\n" + last_prompt},
      {"\xc3\xa9\xf0\x9f\x90\x88", "three\r\n" + last_prompt},  // two letters of several bytes each
  }));
  CAPTURE(keys);
  reader.press(keys);
  CHECK_THAT(reader.see(seen), ContainsSubstring(seen));
  reader.press("q");
  CHECK(reader.wait_for_end() == 0);
}

TEST_CASE("left, up and page up go back, as terminals spell them", "[pause]") {
  const std::string key = GENERATE("b", "B", "\x1b[D", "\x1bOD", "\x1b[A", "\x1bOA", "\x1b[5~");
  CAPTURE(key);
  Reader reader(three_parts);
  reader.see(first_prompt);
  reader.press(" ");
  reader.see(second_prompt);
  reader.press(key + "q");
  CHECK_THAT(reader.see(first_prompt), ContainsSubstring("one\r\n" + first_prompt));
  CHECK(reader.wait_for_end() == 0);
}

TEST_CASE("keys that are typed before the page is there count, and so does an end of input", "[pause]") {
  Reader early_keys(three_parts, "  ");
  CHECK_THAT(early_keys.see(last_prompt), ContainsSubstring("three\r\n" + last_prompt));
  early_keys.press("q");
  CHECK(early_keys.wait_for_end() == 0);
  Reader early_end(three_parts, "\x04");
  CHECK_THAT(early_end.see(first_prompt), ContainsSubstring("one\r\n" + first_prompt));
  CHECK(early_end.wait_for_end() == 0);
  CHECK(early_end.terminal_is_as_usual());
}

TEST_CASE("Ctrl-Space, which sends a zero, is a key like others", "[pause]") {
  Reader reader(three_parts);
  reader.see(first_prompt);
  reader.press(std::string(2, '\0'));
  CHECK_THAT(reader.see(last_prompt), ContainsSubstring("three\r\n" + last_prompt));
  reader.press("q");
  CHECK(reader.wait_for_end() == 0);
}

TEST_CASE("a terminal that gets another width is drawn for from the next key on", "[pause]") {
  Reader reader([] {
    const std::string width = std::to_string(attn::terminal_columns());
    return std::vector<std::string>{"one at " + width + "\n", "two at " + width + "\n"};
  });
  reader.see("q: quit ");
  reader.make_wide(123);
  reader.press(" ");
  CHECK_THAT(reader.see("q: quit "), ContainsSubstring("two at 123\r\n-- 2 of 2   any key: end, b: back, q: quit "));
  reader.make_wide(30);  // no room for the whole prompt
  reader.press("b");
  CHECK_THAT(reader.see("-- 1 of 2 "), ContainsSubstring("one at 30\r\n-- 1 of 2 "));
  reader.make_wide(31);
  reader.press("q");
  CHECK(reader.see("any key").find("any key") == std::string::npos);
  CHECK(reader.wait_for_end() == 0);
}

TEST_CASE("q, and the end of input, end a paused page", "[pause]") {
  const std::string key = GENERATE("q", "Q", "\x04");
  Reader reader(three_parts);
  reader.see(first_prompt);
  reader.press(key);
  CHECK(reader.wait_for_end() == 0);
  CHECK(reader.terminal_is_as_usual());
}

TEST_CASE("a terminal that goes away ends a paused page, also in the middle of a key", "[pause]") {
  const std::string keys = GENERATE("", "\x1b", "\x1b[", "\x1b[1;", "\x1bO", "\xf0\x9f");
  Reader reader(three_parts);
  reader.see(first_prompt);
  reader.press(keys);
  reader.go_away();
  const int status = reader.wait_for_end();
  CAPTURE(status);
  CHECK(WIFEXITED(status));
}

// The thread sanitizer holds a signal back until the program's next call, which a program that waits for a key never
// makes.
#if !defined(SIGNALS_ARE_HELD_BACK)
TEST_CASE("a signal ends a paused page and gives the terminal back", "[pause]") {
  const int signal_number = GENERATE(SIGINT, SIGTERM, SIGHUP, SIGQUIT);
  Reader reader(three_parts);
  reader.see(first_prompt);
  reader.send(signal_number);
  const int status = reader.wait_for_end();
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == signal_number);
  CHECK(reader.terminal_is_as_usual());
}

TEST_CASE("a paused page can be stopped and goes on where it was", "[pause]") {
  Reader reader(three_parts);
  reader.see(first_prompt);
  reader.send(SIGTSTP);
  CHECK(WIFSTOPPED(reader.wait_for_end()));
  CHECK(reader.terminal_is_as_usual());
  reader.send(SIGCONT);
  CHECK_THAT(reader.see(first_prompt), ContainsSubstring(first_prompt));  // the shell has written over it
  reader.press(" ");
  reader.see(second_prompt);
  CHECK_FALSE(reader.terminal_is_as_usual());
  reader.press("q");
  CHECK(reader.wait_for_end() == 0);
  CHECK(reader.terminal_is_as_usual());
}
#endif

TEST_CASE("pausing needs a terminal", "[pause]") {
  const int input = ::dup(STDIN_FILENO);
  int ends[2] = {};
  REQUIRE(::pipe(ends) == 0);
  ::dup2(ends[0], STDIN_FILENO);
  CHECK_THROWS_WITH(attn::read_part_by_part([] { return three_parts; }),
                    "--pause needs a terminal to wait for your keys: leave it out in a pipe or a script");
  ::dup2(input, STDIN_FILENO);
  for (const int descriptor : {input, ends[0], ends[1]}) ::close(descriptor);
}
