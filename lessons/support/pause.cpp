#include "support/pause.hpp"

#include "support/output.hpp"

#include <fmt/core.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <string_view>

namespace attn {
namespace {

// A signal handler can reach nothing but globals.
termios usual_mode;
termios key_by_key;

extern "C" void restore_terminal_and_obey(int signal_number);

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = restore_terminal_and_obey;
  action.sa_flags = SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP}) {
    ::sigaction(signal_number, &action, nullptr);
  }
}

/// Gives the terminal back, then lets the signal do what it always does. Only a stop (Ctrl-Z) ever comes back from
/// that.
extern "C" void restore_terminal_and_obey(int signal_number) {
  const int saved_errno = errno;
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &usual_mode);
  std::signal(signal_number, SIG_DFL);
  ::raise(signal_number);
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &key_by_key);
  catch_signals();
  errno = saved_errno;
}

/// While it lives, keys arrive one by one and are not echoed.
class KeyByKey {
 public:
  KeyByKey() {
    ::tcgetattr(STDIN_FILENO, &usual_mode);
    key_by_key = usual_mode;
    key_by_key.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    key_by_key.c_cc[VMIN] = 1;
    key_by_key.c_cc[VTIME] = 0;
    catch_signals();
    ::tcsetattr(STDIN_FILENO, TCSADRAIN, &key_by_key);
  }
  KeyByKey(const KeyByKey&) = delete;
  KeyByKey& operator=(const KeyByKey&) = delete;
  ~KeyByKey() {
    ::tcsetattr(STDIN_FILENO, TCSADRAIN, &usual_mode);
    for (const int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP}) std::signal(signal_number, SIG_DFL);
  }
};

enum class Key { next, back, quit };

Key read_key() {
  std::array<char, 16> bytes{};  // an arrow key sends several at once
  ssize_t count = 0;
  do {
    count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
  } while (count < 0 && errno == EINTR);
  if (count <= 0) return Key::quit;

  const std::string_view key(bytes.data(), static_cast<std::size_t>(count));
  const std::string_view end_of_input = "\x04";  // Ctrl-D
  const std::string_view left = "\x1b[D";
  const std::string_view up = "\x1b[A";
  const std::string_view page_up = "\x1b[5~";
  if (key == "q" || key == "Q" || key == end_of_input) return Key::quit;
  if (key == "b" || key == "B" || key == left || key == up || key == page_up) return Key::back;
  return Key::next;
}

Key ask(std::size_t shown, std::size_t count) {
  const std::string prompt = fmt::format("-- {} of {}   {}, b: back, q: quit ", shown, count,
                                         shown < count ? "any key: next" : "any key: end");
  write_page(prompt, "");
  const Key key = read_key();
  write_page(fmt::format("\r{:{}}\r", "", prompt.size()), "");
  return key;
}

}  // namespace

void require_terminal_for_pause() {
  if (::isatty(STDIN_FILENO) != 1 || !stdout_is_terminal()) {
    throw std::invalid_argument("--pause needs a terminal to wait for your keys: leave it out in a pipe or a script");
  }
}

void read_part_by_part(const std::vector<std::string>& parts) {
  require_terminal_for_pause();
  const KeyByKey keys;
  std::size_t part = 0;
  while (part < parts.size()) {
    write_page(parts[part], "");
    const Key key = ask(part + 1, parts.size());
    if (key == Key::quit) return;
    if (key == Key::next) ++part;
    if (key == Key::back && part > 0) --part;
  }
}

}  // namespace attn
