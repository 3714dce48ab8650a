#include "support/output.hpp"

#include "support/quoted.hpp"

#include <fmt/core.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fcntl.h>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace attn {
namespace {

[[noreturn]] void fail(const std::string& place, int error) {
  if (error == EPIPE) throw std::runtime_error(fmt::format("{}: the reader closed it before the page ended", place));
  throw std::runtime_error(fmt::format("{}: cannot write the page: {}", place, std::strerror(error)));
}

void write_all(int descriptor, const std::string& page, const std::string& place) {
  std::size_t done = 0;
  while (done < page.size()) {
    const ssize_t count = ::write(descriptor, page.data() + done, page.size() - done);
    if (count >= 0) {
      done += static_cast<std::size_t>(count);
    } else if (errno == EAGAIN) {  // the other side asked not to block; wait until it takes more
      pollfd ready{.fd = descriptor, .events = POLLOUT, .revents = 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      fail(place, errno);
    }
  }
}

/// Where a chain of links ends; the last one may point to a file that is not there yet.
std::string follow_links(std::string path) {
  for (int links = 0; links < 40; ++links) {
    std::array<char, PATH_MAX> target{};
    const ssize_t length = ::readlink(path.c_str(), target.data(), target.size());
    if (length < 0) return path;  // no link
    std::string next(target.data(), static_cast<std::size_t>(length));
    const std::size_t slash = path.rfind('/');
    const bool is_relative = next.empty() || next.front() != '/';
    if (is_relative && slash != std::string::npos) next.insert(0, path, 0, slash + 1);
    path = next;
  }
  return path;  // links in a circle: opening it says so
}

/// What a new file may be: everything but execution, less what the umask takes.
mode_t new_file_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

/// A file beside the one to be replaced, removed again unless it took its place.
class FileBeside {
 public:
  FileBeside(const std::string& target, const std::string& place) : target_(target), path_(target + ".XXXXXX") {
    descriptor_ = ::mkstemp(path_.data());
    if (descriptor_ < 0) fail(place, errno);
  }
  FileBeside(const FileBeside&) = delete;
  FileBeside& operator=(const FileBeside&) = delete;
  ~FileBeside() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!path_.empty()) ::unlink(path_.c_str());
  }

  [[nodiscard]] int descriptor() const { return descriptor_; }

  void take_the_place(mode_t mode, const std::string& place) {
    if (::fchmod(descriptor_, mode) != 0) fail(place, errno);
    if (::fsync(descriptor_) != 0 && errno != EINVAL) fail(place, errno);  // some disks say only now that they are full
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) fail(place, errno);
    if (::rename(path_.c_str(), target_.c_str()) != 0) fail(place, errno);
    path_.clear();
  }

 private:
  std::string target_;
  std::string path_;
  int descriptor_ = -1;
};

void write_directly(const std::string& page, const std::string& file, const std::string& place) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_NOCTTY);
  if (descriptor < 0) fail(place, errno);
  try {
    write_all(descriptor, page, place);
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  if (::close(descriptor) != 0) fail(place, errno);
}

}  // namespace

void write_page(const std::string& page, const std::string& file) {
  if (file.empty()) return write_all(STDOUT_FILENO, page, "standard output");

  const std::string place = "--out " + quoted(file);
  struct stat old {};
  const bool exists = ::stat(file.c_str(), &old) == 0;
  if (!exists && errno != ENOENT) fail(place, errno);
  if (exists && S_ISDIR(old.st_mode)) fail(place, EISDIR);
  if (exists && !S_ISREG(old.st_mode)) return write_directly(page, file, place);
  if (exists && ::access(file.c_str(), W_OK) != 0) fail(place, errno);

  FileBeside beside(follow_links(file), place);
  write_all(beside.descriptor(), page, place);
  beside.take_the_place(exists ? old.st_mode & 07777 : new_file_mode(), place);
}

void report_write_errors_instead_of_dying() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

bool stdout_is_terminal() {
  return ::isatty(STDOUT_FILENO) == 1;
}

std::size_t terminal_columns() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool terminal_wants_color() {
  const char* const no_color = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  return (no_color == nullptr || *no_color == '\0') && terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
}

}  // namespace attn
