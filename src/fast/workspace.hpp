#pragma once

#include <cstddef>

namespace attn::fast {

/// Memory of this thread for so many floats, beginning where a vector may. It stays until the thread ends, so that the
/// next call need not ask the system for it.
[[nodiscard]] float* workspace(std::size_t floats);

}  // namespace attn::fast
