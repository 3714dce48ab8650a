#pragma once

#include <cstddef>
#include <vector>

namespace attn {

/// What a core's cache reads, writes and owns at once, on nearly every processor of today.
inline constexpr std::size_t bytes_of_line = 64;
inline constexpr std::size_t doubles_of_line = bytes_of_line / sizeof(double);

/// The cache lines of the counters of so many threads (at most 4), by their addresses and counted from the first's,
/// when they lie `apart` doubles apart (at most a line).
[[nodiscard]] std::vector<std::size_t> lines_of_counters(std::size_t threads, std::size_t apart);

/// How many additions in a second two threads do together, measured: each adds to a counter of its own in that memory.
[[nodiscard]] double additions_in_a_second(std::size_t apart);

}  // namespace attn
