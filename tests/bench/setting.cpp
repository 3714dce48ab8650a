#include "setting.hpp"

#include "fast/level.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <thread>

#include <fmt/core.h>

namespace attn::bench {

namespace {

#if defined(NDEBUG) && defined(__OPTIMIZE__)
constexpr bool optimised = true;
#else
constexpr bool optimised = false;
#endif

#if defined(__clang__)
constexpr std::string_view compiler = "clang++ " __clang_version__;
#else
constexpr std::string_view compiler = "g++ " __VERSION__;
#endif

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "a processor that /proc/cpuinfo does not name";
}

/// How many programs wanted a core on average in the last minute.
double load() {
  double last_minute = 0.0;
  std::ifstream("/proc/loadavg") >> last_minute;
  return last_minute;
}

}  // namespace

bool start_bench(int argc, char** argv, std::vector<std::string>* others) {
  if (!optimised) {
    fmt::print(stderr,
               "this build has assertions or no optimisation, so its speed means nothing: run tests/bench/run\n");
    std::exit(2);
  }
  // Who sets these for all programs mostly holds OpenBLAS back.
  unsetenv("OPENBLAS_CORETYPE");
  unsetenv("OPENBLAS_L2_SIZE");

  bool quick = false;
  for (int i = 1; i < argc; ++i) {
    if (argv[i] == std::string_view("--quick")) {
      quick = true;
    } else if (others != nullptr) {
      others->emplace_back(argv[i]);
    } else {
      fmt::print(stderr, "{}: unknown argument \"{}\"\n", argv[0], argv[i]);
      std::exit(2);
    }
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // a row appears when it is measured, in a pipe too
  return quick;
}

void print_setting() {
  fmt::print("{}, {} cores; our level: {}\n", processor(), std::thread::hardware_concurrency(),
             fast::best_kernels().level);
  fmt::print("{}, build type {}\n", compiler, BENCH_BUILD_TYPE);
  if (load() > 0.5)
    fmt::print("Other programs were at work in the last minute: load {:.1f}. Do not trust this run.\n", load());
}

void print_goal(const std::string& what, double measured, double at_least) {
  if (measured >= at_least) {
    fmt::print("  met     {}: {:.3f} (at least {:.2f})\n", what, measured, at_least);
  } else {
    fmt::print("  MISSED  {}: {:.3f} (at least {:.2f}), by {:.1f} %\n", what, measured, at_least,
               100.0 * (1.0 - measured / at_least));
  }
}

void print_unknown_goal(const std::string& what, double at_least) {
  fmt::print("  ?       {}: not measured (at least {:.2f})\n", what, at_least);
}

}  // namespace attn::bench
