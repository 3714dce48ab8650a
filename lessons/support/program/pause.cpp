#include "support/program/pause.hpp"

#include "support/program/output.hpp"

#include <fmt/core.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace attn {
namespace {

// A signal handler can reach nothing but globals.
termios usual_mode;
termios key_by_key;
// What stands on the screen while a key is awaited.
std::array<char, 80> prompt;
volatile std::sig_atomic_t prompt_size = 0;

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
/// that; what the shell wrote meanwhile stands where the prompt was, so the prompt is written again.
extern "C" void restore_terminal_and_obey(int signal_number) {
  const int saved_errno = errno;
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &usual_mode);
  std::signal(signal_number, SIG_DFL);
  ::raise(signal_number);
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &key_by_key);
  catch_signals();
  if (::write(STDOUT_FILENO, prompt.data(), static_cast<std::size_t>(prompt_size)) < 0) errno = saved_errno;
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
    if (::ioctl(STDIN_FILENO, FIONREAD, &early_bytes_) != 0) early_bytes_ = 0;
  }
  KeyByKey(const KeyByKey&) = delete;
  KeyByKey& operator=(const KeyByKey&) = delete;
  ~KeyByKey() {
    ::tcsetattr(STDIN_FILENO, TCSADRAIN, &usual_mode);
    for (const int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP}) std::signal(signal_number, SIG_DFL);
  }

  /// What one key sends, such as "q", "\x1b[D" or the bytes of an é; empty at the end of input.
  std::string read();

 private:
  std::optional<char> read_byte();
  bool take_more(std::string& key);

  int early_bytes_ = 0;  // typed before keys came one by one, and not read yet
};

/// The next byte typed; nothing at the end of input.
std::optional<char> KeyByKey::read_byte() {
  char byte = 0;
  ssize_t count = 0;
  do {
    count = ::read(STDIN_FILENO, &byte, 1);
  } while (count < 0 && errno == EINTR);
  if (count != 1) return std::nullopt;
  // A terminal that is read line by line keeps an end of input (Ctrl-D) as a zero. One that comes later is Ctrl-Space.
  const bool early = early_bytes_ > 0;
  if (early) --early_bytes_;
  if (early && byte == '\0') return std::nullopt;
  return byte;
}

/// Takes one byte more of a key. They come together: the next one is there at once, or it belongs to another key.
bool KeyByKey::take_more(std::string& key) {
  pollfd keyboard{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  if (::poll(&keyboard, 1, 50) != 1) return false;
  const std::optional<char> byte = read_byte();
  if (byte) key += *byte;
  return byte.has_value();
}

std::string KeyByKey::read() {
  const std::optional<char> first = read_byte();
  if (!first) return "";
  std::string key(1, *first);
  if (key == "\x1b") {
    // ESC O and a letter, or ESC [ and numbers up to a letter or ~.
    take_more(key);
    if (key == "\x1bO") take_more(key);
    if (key == "\x1b[") {
      while (take_more(key) && key.back() < '@') continue;
    }
  }
  const auto byte = static_cast<unsigned char>(*first);
  const std::size_t length = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;  // of a letter in UTF-8
  while (key.size() < length && take_more(key)) continue;
  return key;
}

enum class Key { next, back, quit };

Key meaning_of(const std::string& key) {
  const auto is_one_of = [&key](std::initializer_list<std::string_view> keys) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  if (is_one_of({"", "q", "Q", "\x04"})) return Key::quit;  // the last is Ctrl-D
  // Left and up in both spellings of terminals, and page up.
  if (is_one_of({"b", "B", "\x1b[D", "\x1bOD", "\x1b[A", "\x1bOA", "\x1b[5~"})) return Key::back;
  return Key::next;
}

/// Shows the prompt while it waits for a key.
Key ask(KeyByKey& keys, std::size_t shown, std::size_t count) {
  std::string words = fmt::format("-- {} of {} ", shown, count);
  const std::string meanings = fmt::format("  {}, b: back, q: quit ", shown < count ? "any key: next" : "any key: end");
  // A prompt that went on in the next line could not be wiped away.
  if (terminal_columns() == 0 || words.size() + meanings.size() < terminal_columns()) words += meanings;
  words.copy(prompt.data(), prompt.size());
  prompt_size = static_cast<std::sig_atomic_t>(std::min(words.size(), prompt.size()));
  write_page(words, "");
  const Key key = meaning_of(keys.read());
  prompt_size = 0;
  write_page(fmt::format("\r{:{}}\r", "", words.size()), "");
  return key;
}

}  // namespace

void require_terminal_for_pause() {
  if (::isatty(STDIN_FILENO) != 1 || !stdout_is_terminal()) {
    throw std::invalid_argument("--pause needs a terminal to wait for your keys: leave it out in a pipe or a script");
  }
}

void read_part_by_part(const std::function<std::vector<std::string>()>& draw) {
  require_terminal_for_pause();
  KeyByKey keys;
  std::size_t columns = terminal_columns();
  std::vector<std::string> parts = draw();
  std::size_t part = 0;
  while (part < parts.size()) {
    write_page(parts[part], "");
    const Key key = ask(keys, part + 1, parts.size());
    if (key == Key::quit) return;
    if (key == Key::next) ++part;
    if (key == Key::back && part > 0) --part;
    if (terminal_columns() != columns) {
      columns = terminal_columns();
      parts = draw();
    }
  }
}

}  // namespace attn
