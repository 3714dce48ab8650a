// Time and memory of fused attention as the text grows: tests/bench/run length

#include "attention_problem.hpp"
#include "fast/pool.hpp"
#include "setting.hpp"
#include "timing.hpp"

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

namespace attn::bench {

namespace {

constexpr std::size_t threads = 2;

/// A line of /proc/self/status, such as VmRSS: what of this process is in memory. In bytes.
double status_bytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kibibytes = 0.0;
    if (word == name + ":" && status >> kibibytes) return kibibytes * 1024.0;
  }
  return 0.0;
}

/// From now on, VmHWM is the most that is in memory at a time.
void forget_most_memory() {
  std::ofstream("/proc/self/clear_refs") << 5;
}

/// "96 KiB", "1.5 GiB".
std::string bytes(double number) {
  const char* unit = "KiB";
  number /= 1024.0;
  for (const char* larger : {"MiB", "GiB"}) {
    if (number < 1024.0) break;
    number /= 1024.0;
    unit = larger;
  }
  return fmt::format("{:.{}f} {}", number, number < 10.0 ? 1 : 0, unit);
}

struct Measured {
  double milliseconds = 0.0;
  double grown = 0.0;  // bytes in memory: the most while attending, over what was there before
  bool right = false;
};

Measured measure(AttentionProblem& problem, bool quick) {
  const auto attend = [&] { problem.attend(threads); };
  Measured measured;
  fast::for_each_item(threads, threads, [](std::size_t /*item*/) {});  // the threads are there, with their stacks
  const double before = status_bytes("VmRSS");
  forget_most_memory();
  measured.milliseconds = milliseconds_of(attend);
  measured.grown = status_bytes("VmHWM") - before;
  measured.right = problem.is_right();
  if (measured.milliseconds > 1000.0) return measured;

  const auto sample = repeated(attend);
  std::vector<double> samples;
  for (int round = 0; round < (quick ? 3 : 9); ++round) samples.push_back(sample());
  measured.milliseconds = median(samples);
  return measured;
}

/// In a process of its own, so that no memory is there from a longer text before.
Measured measure_apart(std::size_t seq_len, bool quick) {
  int ends[2] = {};
  if (pipe(ends) != 0) std::exit(1);
  const pid_t child = fork();
  if (child == 0) {
    AttentionProblem problem(seq_len, /*causal=*/false);
    const Measured measured = measure(problem, quick);
    _exit(write(ends[1], &measured, sizeof(measured)) == sizeof(measured) ? 0 : 1);
  }
  close(ends[1]);
  Measured measured;
  if (read(ends[0], &measured, sizeof(measured)) != sizeof(measured)) measured = {};
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return measured;
}

int measure_lengths(bool quick) {
  print_setting();
  fmt::print(
      "\nFused attention as the text grows: {} heads of {}, not causal, {} threads; each length in a\n"
      "process of its own. grows: times the time of half the length; 4 is expected. workspace: of all\n"
      "threads. measured: by how much the process was larger while attending than before; code that is\n"
      "read for the first time is in it, and the system counts to about half a MiB.\n\n",
      num_heads, head_dim, threads);
  fmt::print("{:>7} {:>10} {:>6} {:>7} {:>15} {:>11} {:>10} {:>15}\n", "tokens", "ms", "grows", "GF/s", "Q K V context",
             "workspace", "measured", "scores, if kept");
  double last = 0.0;
  double workspace = 0.0;
  for (std::size_t seq_len = 1024; seq_len <= (quick ? 32'768 : 65'536); seq_len *= 2) {
    const Measured measured = measure_apart(seq_len, quick);
    if (!measured.right) {
      fmt::print("{:>7}  our attention is WRONG, or ran out of memory\n", seq_len);
      return 1;
    }
    const AttentionProblem problem(seq_len, /*causal=*/false);
    workspace = static_cast<double>(threads) * problem.workspace_bytes();
    fmt::print("{:>7} {:>10.2f} {:>6} {:>7.0f} {:>15} {:>11} {:>10} {:>15}\n", seq_len, measured.milliseconds,
               last == 0.0 ? "" : fmt::format("{:.2f}", measured.milliseconds / last),
               problem.operations() / measured.milliseconds * 1e-6, bytes(problem.tensor_bytes()), bytes(workspace),
               bytes(measured.grown), bytes(problem.score_bytes()));
    last = measured.milliseconds;
  }
  fmt::print("\nGoal\n  {} workspace under 1 MiB at every length: {}\n", workspace < 1 << 20 ? "met    " : "MISSED ",
             bytes(workspace));
  return 0;
}

}  // namespace

}  // namespace attn::bench

int main(int argc, char** argv) {
  return attn::bench::measure_lengths(attn::bench::start_bench(argc, argv));
}
