#include "fast/level.hpp"

namespace attn::fast {

extern const Kernels base;
#if defined(ATTENTION_PLAIN_LEVEL)
extern const Kernels plain;
#endif
#if defined(ATTENTION_X86_LEVELS)
extern const Kernels avx2;
extern const Kernels avx512;
#endif

const std::vector<const Kernels*>& kernels_here() {
  static const std::vector<const Kernels*> here = [] {
    std::vector<const Kernels*> kernels;
#if defined(ATTENTION_PLAIN_LEVEL)
    kernels.push_back(&plain);
#endif
    kernels.push_back(&base);
#if defined(ATTENTION_X86_LEVELS)
    const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const bool has_avx512 = has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                            __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
    if (has_avx2) kernels.push_back(&avx2);
    if (has_avx512) kernels.push_back(&avx512);
#endif
    return kernels;
  }();
  return here;
}

const Kernels& best_kernels() {
  return *kernels_here().back();
}

}  // namespace attn::fast
