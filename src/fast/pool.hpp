#pragma once

#include <cstddef>
#include <functional>

namespace attn::fast {

/// The most threads that work together. More than there are cores gain nothing; the number is a guard against typing.
inline constexpr std::size_t most_threads = 256;

/// Calls work(item) for every item below `items`, each once, on `threads` threads at most (1 to most_threads); the
/// caller is one of them. Returns when all is done. Which thread takes which item is left open, so no item may depend
/// on another. Inside such work, or while another thread's is being done, the caller does all of it alone. The first
/// exception that `work` throws stops the rest and reaches the caller.
void for_each_item(std::size_t items, std::size_t threads, const std::function<void(std::size_t item)>& work);

}  // namespace attn::fast
