#include "fast/workspace.hpp"

#include <cstdint>
#include <vector>

namespace attn::fast {

float* workspace(std::size_t floats) {
  thread_local std::vector<float> memory;
  constexpr std::size_t alignment = 64 / sizeof(float);  // of the largest vector, and of a line of the cache
  if (memory.size() < floats + alignment) memory.resize(floats + alignment);
  const std::uintptr_t past = reinterpret_cast<std::uintptr_t>(memory.data()) / sizeof(float) % alignment;
  return memory.data() + (alignment - past) % alignment;
}

}  // namespace attn::fast
