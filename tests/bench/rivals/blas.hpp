#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace attn::bench {

/// c = a b, row after row: a [m, k], b [k, n] or, transposed, [n, k], c [m, n].
struct FloatProduct {
  std::size_t m = 0;
  std::size_t n = 0;
  std::size_t k = 0;
  bool b_transposed = false;
  const float* a = nullptr;
  const float* b = nullptr;
  float* c = nullptr;
};

/// A library that multiplies matrices, found at run time.
struct BlasRival {
  std::string name;
  std::string version;  // or, where it is not on this machine, how to get it
  bool here = false;
  std::function<void(std::size_t threads)> use_threads = {};
  std::function<void(const FloatProduct&)> multiply = {};
};

/// OpenBLAS and oneDNN. Call it before anything starts a thread: it tries OpenBLAS's kernels in child processes.
[[nodiscard]] std::vector<BlasRival> find_blas_rivals();

}  // namespace attn::bench
