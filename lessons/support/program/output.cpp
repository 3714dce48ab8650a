#include "support/program/output.hpp"

#include "support/program/quoted.hpp"

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
#include <utility>

namespace attn {
namespace {

/// What goes where, for messages.
struct Place {
  std::string name;  // the option and its file
  const char* content = "page";
};

std::string complaint(const Place& place, int error) {
  if (error == EPIPE) return fmt::format("{}: the reader closed it before the {} ended", place.name, place.content);
  return fmt::format("{}: cannot write the {}: {}", place.name, place.content, std::strerror(error));
}

[[noreturn]] void fail(const Place& place, int error) {
  throw std::runtime_error(complaint(place, error));
}

[[noreturn]] void refuse(const Place& place, int error) {
  throw std::invalid_argument(complaint(place, error));
}

void write_all(int descriptor, const std::string& page, const Place& place) {
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

/// Closes a descriptor, and tells whether all that was written has arrived.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  [[nodiscard]] int number() const { return number_; }

  void close(const Place& place) {
    if (::close(std::exchange(number_, -1)) != 0) fail(place, errno);
  }

 private:
  int number_;
};

/// Some disks say only now that they are full.
void flush_to_disk(int descriptor, const Place& place) {
  if (::fsync(descriptor) != 0 && errno != EINVAL) fail(place, errno);
}

/// A file beside the one to be replaced, removed again unless it took its place.
class FileBeside {
 public:
  explicit FileBeside(const std::string& target)
      : target_(target), path_(folder_of(target) + ".page.XXXXXX"), descriptor_(::mkstemp(path_.data())) {
    if (descriptor_.number() >= 0) return;
    error_ = errno;
    path_.clear();
  }
  FileBeside(const FileBeside&) = delete;
  FileBeside& operator=(const FileBeside&) = delete;
  ~FileBeside() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }

  /// Why there is none; 0: there is one.
  [[nodiscard]] int error() const { return error_; }
  [[nodiscard]] int descriptor() const { return descriptor_.number(); }

  /// Why it could not take the place; 0: it did.
  [[nodiscard]] int take_the_place(mode_t mode, const Place& place) {
    if (::fchmod(descriptor(), mode) != 0) fail(place, errno);
    flush_to_disk(descriptor(), place);
    descriptor_.close(place);
    if (::rename(path_.c_str(), target_.c_str()) != 0) return errno;
    path_.clear();
    return 0;
  }

 private:
  std::string target_;
  std::string path_;
  Descriptor descriptor_;
  int error_ = 0;
};

/// The folder does not let its file be replaced: it is read-only, others' files in it are not to be removed, or the
/// file is a mount.
bool is_kept_by_its_folder(int error) {
  return error == EACCES || error == EPERM || error == EROFS || error == EBUSY;
}

/// Writes a new file beside the target and renames it. Returns why that cannot be, where a file that is there may still
/// be written over; 0: the page is there.
int replace(const std::string& page, const std::string& target, mode_t mode, const Place& place) {
  FileBeside beside(target);
  if (beside.error() != 0) return beside.error();
  write_all(beside.descriptor(), page, place);
  return beside.take_the_place(mode, place);
}

/// Writes over a file. The disk's room for the page is taken first, so that a full disk leaves the old page as it was.
void write_over(const std::string& page, const std::string& file, const Place& place) {
  Descriptor old(::open(file.c_str(), O_WRONLY | O_NOCTTY));
  if (old.number() < 0) fail(place, errno);
  struct stat status {};
  if (::fstat(old.number(), &status) != 0) fail(place, errno);
  const auto size = static_cast<off_t>(page.size());
  if (size > status.st_size) {
    const int error = ::posix_fallocate(old.number(), status.st_size, size - status.st_size);
    if (error != 0 && error != EINVAL && error != EOPNOTSUPP) {
      static_cast<void>(::ftruncate(old.number(), status.st_size));
      fail(place, error);
    }
  }
  write_all(old.number(), page, place);
  if (::ftruncate(old.number(), size) != 0) fail(place, errno);
  flush_to_disk(old.number(), place);
  old.close(place);
}

void write_directly(const std::string& page, const std::string& file, const Place& place) {
  Descriptor device(::open(file.c_str(), O_WRONLY | O_NOCTTY));
  if (device.number() < 0) fail(place, errno);
  write_all(device.number(), page, place);
  device.close(place);
}

void require_place(const std::string& file, const Place& place) {
  const std::string target = follow_links(file);
  if (descriptor_named(target) >= 0) return;
  struct stat old {};
  const bool exists = ::stat(target.c_str(), &old) == 0;
  if (!exists && errno != ENOENT) refuse(place, errno);
  if (exists && S_ISDIR(old.st_mode)) refuse(place, EISDIR);
  if (exists && ::access(target.c_str(), W_OK) != 0) refuse(place, errno);
  if (exists) return;
  if (::access(folder_of(target).c_str(), W_OK | X_OK) != 0) refuse(place, errno);
}

void write_file(const std::string& page, const std::string& file, const Place& place) {
  require_place(file, place);
  const std::string target = follow_links(file);
  const int descriptor = descriptor_named(target);
  if (descriptor >= 0) return write_all(descriptor, page, place);
  struct stat old {};
  const bool exists = ::stat(target.c_str(), &old) == 0;
  if (exists && !S_ISREG(old.st_mode)) return write_directly(page, target, place);

  const int error = replace(page, target, exists ? old.st_mode & 07777 : new_file_mode(), place);
  if (error == 0) return;
  if (!exists || !is_kept_by_its_folder(error)) fail(place, error);
  write_over(page, target, place);
}

Place place_for_page(const std::string& file) {
  return {.name = "--out " + quoted(file), .content = "page"};
}

Place place_for_weights(const std::string& file) {
  return {.name = "--save-weights " + quoted(file), .content = "weights"};
}

Place place_for_case(const std::string& file) {
  return {.name = "--write " + quoted(file), .content = "case"};
}

}  // namespace

void require_place_for_page(const std::string& file) {
  if (!file.empty()) require_place(file, place_for_page(file));
}

void require_place_for_weights(const std::string& file) {
  if (!file.empty()) require_place(file, place_for_weights(file));
}

void write_page(const std::string& page, const std::string& file) {
  if (file.empty()) return write_all(STDOUT_FILENO, page, {.name = "standard output"});
  write_file(page, file, place_for_page(file));
}

void write_weights(const std::string& weights, const std::string& file) {
  write_file(weights, file, place_for_weights(file));
}

void write_case(const std::string& text, const std::string& file) {
  write_file(text, file, place_for_case(file));
}

void require_place_for_case(const std::string& file) {
  if (!file.empty()) require_place(file, place_for_case(file));
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
