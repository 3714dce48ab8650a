#include "support/program/output.hpp"

#include "support/program/quoted.hpp"

#include "catch.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <dirent.h>
#include <fcntl.h>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>

namespace {

/// A folder of its own, removed with its files.
class Folder {
 public:
  Folder() {
    REQUIRE(::mkdtemp(path_.data()) != nullptr);
    path_.pop_back();  // the terminating zero of the template
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    for (const std::string& name : names()) ::unlink((path_ + "/" + name).c_str());
    ::rmdir(path_.c_str());
  }

  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

  [[nodiscard]] std::set<std::string> names() const {
    std::set<std::string> names;
    DIR* const folder = ::opendir(path_.c_str());
    while (const dirent* const entry = ::readdir(folder)) {
      const std::string name = entry->d_name;
      if (name != "." && name != "..") names.insert(name);
    }
    ::closedir(folder);
    return names;
  }

 private:
  std::string path_ = std::string("/tmp/output test.XXXXXX") + '\0';
};

std::string content(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

void put(const std::string& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

mode_t mode_of(const std::string& file) {
  struct stat status {};
  REQUIRE(::stat(file.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

std::string complaint(const std::string& page, const std::string& file) {
  try {
    attn::write_page(page, file);
    return "";
  } catch (const std::exception& error) {
    return error.what();
  }
}

/// A file as one of this process's descriptors.
class Descriptor {
 public:
  Descriptor(const std::string& file, int flags) : number_(::open(file.c_str(), flags, 0600)) { REQUIRE(number_ > 2); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(number_); }

  [[nodiscard]] std::string number() const { return std::to_string(number_); }

 private:
  int number_;
};

}  // namespace

TEST_CASE("a page goes to a new file, with the mode that the umask leaves", "[output]") {
  const Folder folder;
  const mode_t old_mask = ::umask(027);
  attn::write_page("page\n", folder.file("new"));
  ::umask(old_mask);
  CHECK(content(folder.file("new")) == "page\n");
  CHECK(mode_of(folder.file("new")) == 0640);
  CHECK(folder.names() == std::set<std::string>{"new"});
}

TEST_CASE("a page takes the place of an older one and keeps its mode", "[output]") {
  const Folder folder;
  put(folder.file("page"), "a much longer page than the new one\n");
  REQUIRE(::chmod(folder.file("page").c_str(), 0604) == 0);
  attn::write_page("short\n", folder.file("page"));
  CHECK(content(folder.file("page")) == "short\n");
  CHECK(mode_of(folder.file("page")) == 0604);
  CHECK(folder.names() == std::set<std::string>{"page"});
}

TEST_CASE("whoever has the old page open reads on in the old page", "[output]") {
  const Folder folder;
  put(folder.file("page"), "old");
  std::ifstream reader(folder.file("page"));
  attn::write_page("new", folder.file("page"));
  std::string read;
  reader >> read;
  CHECK(read == "old");
}

TEST_CASE("a link stays a link, and the page goes where it points", "[output]") {
  const Folder folder;
  REQUIRE(::symlink("second", folder.file("first").c_str()) == 0);
  REQUIRE(::symlink(folder.file("target").c_str(), folder.file("second").c_str()) == 0);
  for (const std::string page : {"the target is not there yet", "now it is"}) {
    attn::write_page(page, folder.file("first"));
    CHECK(content(folder.file("target")) == page);
    CHECK(folder.names() == std::set<std::string>{"first", "second", "target"});
    struct stat status {};
    REQUIRE(::lstat(folder.file("first").c_str(), &status) == 0);
    CHECK(S_ISLNK(status.st_mode));
  }
}

TEST_CASE("a device and a pipe are written to directly", "[output]") {
  attn::write_page("page", "/dev/null");
  struct stat status {};
  REQUIRE(::stat("/dev/null", &status) == 0);
  CHECK(S_ISCHR(status.st_mode));

  const Folder folder;
  REQUIRE(::mkfifo(folder.file("pipe").c_str(), 0600) == 0);
  const int reader = ::open(folder.file("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  attn::write_page("through the pipe", folder.file("pipe"));
  char text[32] = {};
  CHECK(::read(reader, text, sizeof text) == 16);
  CHECK(std::string(text) == "through the pipe");
  ::close(reader);
}

TEST_CASE("a descriptor is written to where it stands, whatever it leads to", "[output]") {
  const Folder folder;
  for (const std::string names : {"/dev/fd/", "/proc/self/fd/"}) {
    put(folder.file("log"), "before\n");
    {
      const Descriptor log(folder.file("log"), O_WRONLY | O_APPEND);
      attn::write_page("page\n", names + log.number());
      REQUIRE(::symlink((names + log.number()).c_str(), folder.file("link").c_str()) == 0);
      attn::write_page("and again\n", folder.file("link"));
      ::unlink(folder.file("link").c_str());
    }
    CHECK(content(folder.file("log")) == "before\npage\nand again\n");
    CHECK(folder.names() == std::set<std::string>{"log"});
  }
  CHECK_THAT(complaint("page", "/dev/fd/999"), ContainsSubstring("Bad file descriptor"));
}

TEST_CASE("a name may be as long as names can be", "[output]") {
  const Folder folder;
  const std::string name(255, 'n');
  attn::write_page("page", folder.file(name));
  CHECK(content(folder.file(name)) == "page");
  CHECK(folder.names() == std::set<std::string>{name});
}

TEST_CASE("a place where no page can be written is bad input, known before there is a page", "[output]") {
  const Folder folder;
  const auto refusal = [](const std::string& file) {
    try {
      attn::require_place_for_page(file);
      return std::string();
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
  };
  CHECK(refusal("/tmp") == "--out \"/tmp\": cannot write the page: Is a directory");
  CHECK(refusal(folder.file("no/page")) ==
        "--out \"" + folder.file("no/page") + "\": cannot write the page: No such file or directory");
  put(folder.file("file"), "old");
  CHECK_THAT(refusal(folder.file("file/page")), ContainsSubstring("Not a directory"));
  CHECK_THAT(refusal(folder.file("new/")), ContainsSubstring("No such file or directory"));
  for (const std::string& good : {std::string(), folder.file("new"), folder.file("file"), std::string("new"),
                                  std::string("/dev/null"), std::string("/dev/stdout")}) {
    CAPTURE(good);
    CHECK(refusal(good).empty());
  }
  CHECK(content(folder.file("file")) == "old");
  CHECK(folder.names() == std::set<std::string>{"file"});
}

TEST_CASE("weights that do not arrive are told as weights", "[output]") {
  const auto words = [](const std::string& file) {
    try {
      attn::require_place_for_weights(file);
      attn::write_weights("weights", file);
      return std::string();
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
  };
  CHECK(words("/tmp") == "--save-weights \"/tmp\": cannot write the weights: Is a directory");
  CHECK(words("/dev/full") == "--save-weights \"/dev/full\": cannot write the weights: No space left on device");
  const Folder folder;
  CHECK(words(folder.file("new")).empty());
  CHECK(content(folder.file("new")) == "weights");
}

TEST_CASE("where its folder does not let a page be replaced it is written over", "[output]") {
  // The folder's mode means something to others than root. A sticky folder lets nobody rename over another's file.
  const auto [folder_mode, owner_writes] = GENERATE(table<mode_t, bool>({{0555, false}, {01777, true}}));
  if (::geteuid() != 0 && owner_writes) return;  // it takes root to make a file another's
  constexpr uid_t nobody = 65534;
  const Folder folder;
  for (const std::string old : {"a much longer page than the one that comes\n", "old\n"}) {
    put(folder.file("page"), old);
    REQUIRE(::chmod(folder.file("page").c_str(), 0666) == 0);
    if (!owner_writes && ::geteuid() == 0) REQUIRE(::chown(folder.file("").c_str(), nobody, nobody) == 0);
    REQUIRE(::chmod(folder.file("").c_str(), folder_mode) == 0);
    std::fflush(nullptr);  // the child inherits what is not written yet
    const pid_t child = ::fork();
    if (child == 0) {
      if (::geteuid() == 0 && ::setuid(nobody) != 0) ::_exit(1);
      const std::string words = complaint("the new page\n", folder.file("page"));
      const bool refused = complaint("page", folder.file("new")).find("Permission denied") != std::string::npos;
      if (!words.empty() || refused != !owner_writes) ::_exit(2);
      const rlimit limit{.rlim_cur = 1000, .rlim_max = 1000};  // stands for a full disk
      ::setrlimit(RLIMIT_FSIZE, &limit);
      attn::report_write_errors_instead_of_dying();
      const std::string too_large = complaint(std::string(100000, 'x'), folder.file("page"));
      ::_exit(too_large.find("cannot write the page: File too large") != std::string::npos ? 0 : 3);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    REQUIRE(::chmod(folder.file("").c_str(), 0755) == 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    CHECK(content(folder.file("page")) == "the new page\n");
    CHECK(folder.names() == (owner_writes ? std::set<std::string>{"new", "page"} : std::set<std::string>{"page"}));
    ::unlink(folder.file("new").c_str());
  }
}

TEST_CASE("a page that does not arrive is told, with the place and the cause", "[output]") {
  const Folder folder;
  CHECK(complaint("page", "/dev/full") == "--out \"/dev/full\": cannot write the page: No space left on device");
  CHECK(complaint("page", "/tmp") == "--out \"/tmp\": cannot write the page: Is a directory");
  CHECK(complaint("page", folder.file("no/page")) ==
        "--out \"" + folder.file("no/page") + "\": cannot write the page: No such file or directory");
  REQUIRE(::symlink("circle", folder.file("circle").c_str()) == 0);
  CHECK_THAT(complaint("page", folder.file("circle")), ContainsSubstring("symbolic links"));
}

TEST_CASE("a page that did not fit leaves the old one as it was and nothing beside it", "[output]") {
  const Folder folder;
  put(folder.file("page"), "old");
  std::fflush(nullptr);  // the child inherits what is not written yet
  const pid_t child = ::fork();
  if (child == 0) {  // in a child, because of the limit on the size of files, which stands for a full disk
    const rlimit limit{.rlim_cur = 1000, .rlim_max = 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    attn::report_write_errors_instead_of_dying();
    const std::string words = complaint(std::string(100000, 'x'), folder.file("page"));
    ::_exit(words == "--out " + attn::quoted(folder.file("page")) + ": cannot write the page: File too large" ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(content(folder.file("page")) == "old");
  CHECK(folder.names() == std::set<std::string>{"page"});
}

TEST_CASE("a closed pipe is an error to tell, not a signal to die of", "[output]") {
  attn::report_write_errors_instead_of_dying();
  int ends[2] = {};
  REQUIRE(::pipe(ends) == 0);
  ::close(ends[0]);
  const int standard_output = ::dup(STDOUT_FILENO);
  ::dup2(ends[1], STDOUT_FILENO);
  const std::string words = complaint("page", "");
  ::dup2(standard_output, STDOUT_FILENO);
  ::close(standard_output);
  ::close(ends[1]);
  CHECK(words == "standard output: the reader closed it before the page ended");
}

TEST_CASE("a slow reader that asked not to be waited for still gets the whole page", "[output]") {
  int ends[2] = {};
  REQUIRE(::pipe(ends) == 0);
  REQUIRE(::fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0);
  const std::string page(1000000, 'x');  // a pipe holds less
  std::fflush(nullptr);                  // the child inherits what is not written yet
  const pid_t writer = ::fork();
  if (writer == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    ::_exit(complaint(page, "").empty() ? 0 : 1);
  }
  ::close(ends[1]);
  std::size_t received = 0;
  std::array<char, 4096> block{};
  for (ssize_t count = 0; (count = ::read(ends[0], block.data(), block.size())) > 0;) {
    received += static_cast<std::size_t>(count);
    ::usleep(100);
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(writer, &status, 0);
  CHECK(status == 0);
  CHECK(received == page.size());
}

TEST_CASE("colour is wanted by a terminal that has it, unless NO_COLOR says more than nothing", "[output]") {
  ::setenv("TERM", "xterm", 1);
  ::unsetenv("NO_COLOR");
  CHECK(attn::terminal_wants_color());
  ::setenv("NO_COLOR", "", 1);
  CHECK(attn::terminal_wants_color());
  ::setenv("NO_COLOR", "1", 1);
  CHECK_FALSE(attn::terminal_wants_color());
  ::unsetenv("NO_COLOR");
  ::setenv("TERM", "dumb", 1);
  CHECK_FALSE(attn::terminal_wants_color());
  ::setenv("TERM", "", 1);
  CHECK_FALSE(attn::terminal_wants_color());
  ::unsetenv("TERM");
  CHECK_FALSE(attn::terminal_wants_color());
}
