#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// How many letters must be added, dropped, changed or exchanged with their neighbour to make one word the other
/// (Damerau's and Levenshtein's distance, by bytes; no letter is moved twice).
[[nodiscard]] std::size_t edit_distance(std::string_view from, std::string_view to);

/// The candidate that was probably meant: one that begins as `typed` does, else the one with the fewest edits; capital
/// letters count as small ones. Empty when there are no candidates.
[[nodiscard]] std::string nearest(std::string_view typed, const std::vector<std::string>& candidates);

/// The same, but only a candidate that can be a slip of the pen: it begins as `typed` does, or differs in at most a
/// third of its letters. Else nothing.
[[nodiscard]] std::optional<std::string> near_one(std::string_view typed, const std::vector<std::string>& candidates);

}  // namespace attn
