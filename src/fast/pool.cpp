#include "fast/pool.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace attn::fast {

namespace {

using Work = std::function<void(std::size_t item)>;

/// Waits until `signal` is no longer `old`: awake for some microseconds, as the next work mostly comes at once, then
/// asleep. Waking a sleeping thread takes longer than a small product.
std::uint64_t wait_for_change(const std::atomic<std::uint64_t>& signal, std::uint64_t old) {
  for (int spins = 0; spins < 4000; ++spins) {
    const std::uint64_t now = signal.load(std::memory_order_acquire);
    if (now != old) return now;
    if (spins % 64 == 63) std::this_thread::yield();  // who is waited for may need this very core
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  signal.wait(old, std::memory_order_acquire);
  return signal.load(std::memory_order_acquire);
}

thread_local bool inside_work = false;

/// The workers of the whole program. They are started when first needed, wait between one work and the next, and end
/// with the program.
class Pool {
 public:
  /// Does all items together with `helpers` workers, or does nothing and returns false: while another thread's are
  /// done, when the program ends, and in a process that fork() made, where there are no workers.
  bool run(std::size_t items, std::size_t helpers, const Work& work) {
    if (getpid() != process_) return false;
    const std::unique_lock<std::mutex> lock(busy_, std::try_to_lock);
    if (!lock.owns_lock() || signal_ == stop) return false;
    try {
      while (workers_.size() < helpers) workers_.emplace_back([this, index = workers_.size()] { serve(index); });
    } catch (const std::system_error&) {
      helpers = workers_.size();  // the system gives no more threads: go on with those there are
    }

    work_ = &work;
    items_ = items;
    next_item_ = helpers + 1;
    failure_ = nullptr;
    helping_ = helpers;
    // Round and helpers are one number: no worker can see this round with the helpers of the last.
    announce(++round_ << 16U | helpers);
    take_items(0);
    for (std::uint64_t left = helping_; left > 0;) left = wait_for_change(helping_, left);
    if (failure_) std::rethrow_exception(failure_);
    return true;
  }

  /// Ends the workers, after the work that is being done.
  void close() {
    if (getpid() != process_ || inside_work) return;  // who ends the program from within its work leaves them running
    const std::lock_guard<std::mutex> lock(busy_);
    announce(stop);
    for (std::thread& worker : workers_) worker.join();
  }

 private:
  static constexpr std::uint64_t stop = ~std::uint64_t{0};

  void announce(std::uint64_t signal) {
    signal_ = signal;
    signal_.notify_all();
  }

  void serve(std::size_t index) {
    for (std::uint64_t seen = 0; (seen = wait_for_change(signal_, seen)) != stop;) {
      if (index >= (seen & 0xffffU)) continue;
      take_items(index + 1);
      if (--helping_ == 0) helping_.notify_one();
    }
  }

  /// Every thread begins with an item of its own, so that in the same work done again it finds its numbers in its
  /// cache. Then it takes the next item, until none is left.
  void take_items(std::size_t first) {
    inside_work = true;
    try {
      for (std::size_t item = first; item < items_; item = next_item_++) (*work_)(item);
    } catch (...) {
      next_item_ = items_;
      const std::lock_guard<std::mutex> lock(failing_);
      if (!failure_) failure_ = std::current_exception();
    }
    inside_work = false;
  }

  const pid_t process_ = getpid();
  std::mutex busy_;
  std::vector<std::thread> workers_;
  std::uint64_t round_ = 0;
  std::atomic<std::uint64_t> signal_ = 0;

  // The work of this round.
  const Work* work_ = nullptr;
  std::size_t items_ = 0;
  std::atomic<std::size_t> next_item_ = 0;
  std::atomic<std::uint64_t> helping_ = 0;
  std::mutex failing_;
  std::exception_ptr failure_;
};

}  // namespace

void for_each_item(std::size_t items, std::size_t threads, const Work& work) {
  // Never destroyed, as other threads and other objects' destructors may still ask for work while the program ends.
  static Pool& pool = *new Pool;
  [[maybe_unused]] static const int at_exit = std::atexit([] { pool.close(); });
  const std::size_t workers = std::min({items, threads, most_threads});
  if (workers > 1 && !inside_work && pool.run(items, workers - 1, work)) return;
  for (std::size_t item = 0; item < items; ++item) work(item);
}

}  // namespace attn::fast
