#include "rivals/blas.hpp"

#include "timing.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <dlfcn.h>
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

namespace attn::bench {

namespace {

/// The library's function of this name and type.
template <typename Function>
Function* function(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

using CblasSgemm = void(int layout, int transpose_a, int transpose_b, int m, int n, int k, float alpha, const float* a,
                        int a_row, const float* b, int b_row, float beta, float* c, int c_row);
using DnnlSgemm = int(char transpose_a, char transpose_b, std::int64_t m, std::int64_t n, std::int64_t k, float alpha,
                      const float* a, std::int64_t a_row, const float* b, std::int64_t b_row, float beta, float* c,
                      std::int64_t c_row);

BlasRival load_openblas() {
  BlasRival rival = {.name = "OpenBLAS", .version = "not here; Debian: apt-get install libopenblas0-pthread"};
  void* const library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return rival;
  auto* const sgemm = function<CblasSgemm>(library, "cblas_sgemm");
  auto* const set_threads = function<void(int)>(library, "openblas_set_num_threads");
  auto* const config = function<const char*()>(library, "openblas_get_config");
  if (sgemm == nullptr || set_threads == nullptr || config == nullptr) return rival;

  rival.here = true;
  rival.version = config();  // "OpenBLAS 0.3.21 ... Haswell MAX_THREADS=64"
  rival.use_threads = [=](std::size_t threads) { set_threads(static_cast<int>(threads)); };
  rival.multiply = [=](const FloatProduct& p) {
    constexpr int row_major = 101;
    constexpr int as_is = 111;
    constexpr int transposed = 112;
    const auto m = static_cast<int>(p.m);
    const auto n = static_cast<int>(p.n);
    const auto k = static_cast<int>(p.k);
    sgemm(row_major, as_is, p.b_transposed ? transposed : as_is, m, n, k, 1.0F, p.a, k, p.b, p.b_transposed ? k : n,
          0.0F, p.c, n);
  };
  return rival;
}

BlasRival load_onednn() {
  BlasRival rival = {.name = "oneDNN", .version = "not here; Debian: apt-get install libdnnl2 (12) or libdnnl3 (13)"};
  void* library = nullptr;
  for (const char* name : {"libdnnl.so.3", "libdnnl.so.2", "libdnnl.so"}) {
    if (library == nullptr) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  }
  if (library == nullptr) return rival;
  struct Version {
    int major, minor, patch;
  };
  auto* const sgemm = function<DnnlSgemm>(library, "dnnl_sgemm");
  auto* const set_threads = function<void(int)>(library, "omp_set_num_threads");  // of the OpenMP that it uses
  auto* const version = function<const Version*()>(library, "dnnl_version");
  if (sgemm == nullptr || set_threads == nullptr || version == nullptr) return rival;

  rival.here = true;
  rival.version = fmt::format("oneDNN {}.{}.{}", version()->major, version()->minor, version()->patch);
  rival.use_threads = [=](std::size_t threads) { set_threads(static_cast<int>(threads)); };
  rival.multiply = [=](const FloatProduct& p) {
    const auto m = static_cast<std::int64_t>(p.m);
    const auto n = static_cast<std::int64_t>(p.n);
    const auto k = static_cast<std::int64_t>(p.k);
    sgemm('N', p.b_transposed ? 'T' : 'N', m, n, k, 1.0F, p.a, k, p.b, p.b_transposed ? k : n, 0.0F, p.c, n);
  };
  return rival;
}

/// Milliseconds that OpenBLAS takes for a product of 512 x 512 matrices with the kernels of this name, on one thread.
/// It reads the name when it is loaded, so that happens in a child process, which may also meet instructions that this
/// processor does not know. 0: it did not come to a right answer.
double trial_of(const std::string& kernels) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return 0.0;
  const pid_t child = fork();
  if (child == 0) {
    if (!kernels.empty()) setenv("OPENBLAS_CORETYPE", kernels.c_str(), 1);
    const BlasRival rival = load_openblas();
    if (!rival.here) _exit(1);
    rival.use_threads(1);
    constexpr std::size_t size = 512;
    const std::vector<float> a(size * size, 0.5F);
    const std::vector<float> b(size * size, 0.25F);
    std::vector<float> c(size * size);
    const FloatProduct product = {.m = size, .n = size, .k = size, .a = a.data(), .b = b.data(), .c = c.data()};
    const auto sample = repeated([&] { rival.multiply(product); });
    std::vector<double> times;
    for (int round = 0; round < 9; ++round) times.push_back(sample());
    for (const float sum : c) {
      if (sum != 64.0F) _exit(1);
    }
    const double time = minimum(times);
    _exit(write(ends[1], &time, sizeof(time)) == sizeof(time) ? 0 : 1);
  }
  close(ends[1]);
  double time = 0.0;
  if (read(ends[0], &time, sizeof(time)) != sizeof(time)) time = 0.0;
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return time;
}

/// A release of OpenBLAS may not know a newer processor, and then choose kernels that are slow on it. A rival is to be
/// at its best: the fastest kernels are taken, and its own choice where that is nearly as fast.
BlasRival find_openblas() {
  double fastest = trial_of("") / 1.03;
  std::string chosen;
#if defined(__x86_64__)
  const std::vector<std::string> others = {"SkylakeX", "Cooperlake", "Zen", "Haswell"};
#else
  const std::vector<std::string> others = {};
#endif
  for (const std::string& kernels : others) {
    const double time = trial_of(kernels);
    if (time <= 0.0 || (fastest > 0.0 && time >= fastest)) continue;
    fastest = time;
    chosen = kernels;
  }
  if (chosen.empty()) return load_openblas();
  setenv("OPENBLAS_CORETYPE", chosen.c_str(), 1);
  BlasRival openblas = load_openblas();
  openblas.version += " (set by us: its own choice is slower)";
  return openblas;
}

}  // namespace

std::vector<BlasRival> find_blas_rivals() {
  return {find_openblas(), load_onednn()};
}

}  // namespace attn::bench
