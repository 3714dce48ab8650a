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
#include <charconv>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string_view>

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

/// "some/folder/", from "some/folder/file"; "./" where no folder is named.
std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "./" : path.substr(0, slash + 1);
}

std::string real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
  return real ? real.get() : "";
}

/// The descriptor that a name such as /dev/fd/3 stands for; -1 for other names.
int descriptor_named(const std::string& path) {
  const std::string descriptors = real_path("/dev/fd");  // on Linux this is /proc/PID/fd
  if (descriptors.empty() || real_path(folder_of(path)) != descriptors) return -1;
  const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
  int descriptor = -1;
  const auto [stopped_at, error] = std::from_chars(name.data(), name.data() + name.size(), descriptor);
  return error == std::errc() && stopped_at == name.data() + name.size() ? descriptor : -1;
}

/// Where a chain of links ends: a name of a descriptor (which /dev/stdout links to), or no link. The last link may
/// point to a file that is not there yet.
std::string follow_links(std::string path) {
  for (int links = 0; links < 40; ++links) {
    std::array<char, PATH_MAX> target{};
    const ssize_t length = ::readlink(path.c_str(), target.data(), target.size());
    if (length < 0 || descriptor_named(path) >= 0) return path;
    const std::string next(target.data(), static_cast<std::size_t>(length));
    path = next.starts_with('/') ? next : folder_of(path) + next;
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
  FileBeside(const std::string& target, const std::string& place)
      : target_(target), path_(folder_of(target) + ".page.XXXXXX") {
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

[[noreturn]] void refuse(const std::string& place, int error) {
  throw std::invalid_argument(fmt::format("{}: cannot write the page: {}", place, std::strerror(error)));
}

}  // namespace

void require_place_for_page(const std::string& file) {
  if (file.empty()) return;
  const std::string place = "--out " + quoted(file);
  const std::string target = follow_links(file);
  if (descriptor_named(target) >= 0) return;
  struct stat old {};
  const bool exists = ::stat(target.c_str(), &old) == 0;
  if (!exists && errno != ENOENT) refuse(place, errno);
  if (exists && S_ISDIR(old.st_mode)) refuse(place, EISDIR);
  if (exists && ::access(target.c_str(), W_OK) != 0) refuse(place, errno);
  if (exists && !S_ISREG(old.st_mode)) return;
  // The page is written beside the file that it replaces.
  if (::access(folder_of(target).c_str(), W_OK | X_OK) != 0) refuse(place, errno);
}

void write_page(const std::string& page, const std::string& file) {
  if (file.empty()) return write_all(STDOUT_FILENO, page, "standard output");

  require_place_for_page(file);
  const std::string place = "--out " + quoted(file);
  const std::string target = follow_links(file);
  const int descriptor = descriptor_named(target);
  if (descriptor >= 0) return write_all(descriptor, page, place);
  struct stat old {};
  const bool exists = ::stat(target.c_str(), &old) == 0;
  if (exists && !S_ISREG(old.st_mode)) return write_directly(page, target, place);

  FileBeside beside(target, place);
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
  return (no_color == nullptr || *no_color == '\0') && terminal != nullptr && *terminal != '\0' &&
         std::strcmp(terminal, "dumb") != 0;
}

}  // namespace attn
