// Programs that end while threads are at work. Each argument is a way to end; the exit status is 0 when it ends well.
// Run by exit_test.sh, which waits only so long.

#include "fast/pool.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

namespace {

using attn::fast::for_each_item;

std::atomic<int> done = 0;

void some_work(std::size_t threads) {
  for_each_item(50, threads, [](std::size_t) { ++done; });
}

/// Made before the pool and destroyed after it.
struct Late {
  ~Late() { some_work(3); }
};

int end_by(const std::string& way) {
  if (way == "return") some_work(4);
  if (way == "another thread goes on") {
    std::thread([] {
      for (;;) some_work(4);
    }).detach();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  if (way == "from within work") {
    for_each_item(50, 2, [](std::size_t item) {
      if (item == 25) std::exit(0);
    });
  }
  if (way == "a destructor works") {
    static Late late;
    some_work(2);
  }
  if (way == "in a forked process") {
    some_work(3);
    const pid_t child = fork();
    if (child == 0) {
      done = 0;
      some_work(3);
      std::exit(done == 50 ? 0 : 1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  return count == 2 ? end_by(arguments[1]) : 2;
}
