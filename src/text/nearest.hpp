#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// How many letters must be added, dropped or changed to make one word the other (Levenshtein's distance, by bytes).
[[nodiscard]] std::size_t edit_distance(std::string_view from, std::string_view to);

/// The candidate that was probably meant: one that begins as `typed` does, else the one with the fewest edits; capital
/// letters count as small ones. Empty when there are no candidates.
[[nodiscard]] std::string nearest(std::string_view typed, const std::vector<std::string>& candidates);

}  // namespace attn
