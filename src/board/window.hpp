#pragma once

#include <cstddef>
#include <vector>

namespace attn {

// Which rows or columns of a table are shown where not all have room.

/// Stands in a window where places are left out.
inline constexpr std::size_t gap_mark = static_cast<std::size_t>(-1);

/// 0, 1, ... count - 1.
[[nodiscard]] std::vector<std::size_t> counted(std::size_t count);

/// At most `fit` of the places in `all`, in their order: first those that are wanted (the first wanted first), then
/// from the start. A gap_mark stands wherever some are left out; it takes no place of its own, the caller reckons with
/// it.
[[nodiscard]] std::vector<std::size_t> windowed(const std::vector<std::size_t>& all,
                                                const std::vector<std::size_t>& wanted, std::size_t fit);

/// Places in a window, without its gaps.
[[nodiscard]] std::size_t shown_count(const std::vector<std::size_t>& window);

}  // namespace attn
