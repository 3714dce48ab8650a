#include "text/nearest.hpp"

#include <algorithm>
#include <utility>

namespace attn {

namespace {

constexpr std::size_t longest = 64;  // letters compared: the distance costs length times length

std::string small_letters(std::string_view word) {
  std::string small(word.substr(0, longest));
  for (char& letter : small) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return small;
}

}  // namespace

std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> two_above(to.size() + 1);
  std::vector<std::size_t> above(to.size() + 1);
  std::vector<std::size_t> row(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::swap(two_above, above);
    std::swap(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t changed = above[j - 1] + (from[i - 1] == to[j - 1] ? 0U : 1U);
      row[j] = std::min({changed, above[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
  }
  return row[to.size()];
}

namespace {

/// 0 for a candidate that begins so.
std::size_t distance_between(const std::string& word, const std::string& candidate) {
  const std::string other = small_letters(candidate);
  return word.size() > 2 && other.starts_with(word) ? 0 : edit_distance(word, other);
}

}  // namespace

std::string nearest(std::string_view typed, const std::vector<std::string>& candidates) {
  const std::string word = small_letters(typed);
  const auto distance = [&](const std::string& candidate) { return distance_between(word, candidate); };
  const auto best =
      std::min_element(candidates.begin(), candidates.end(),
                       [&](const std::string& a, const std::string& b) { return distance(a) < distance(b); });
  return best == candidates.end() ? "" : *best;
}

std::optional<std::string> near_one(std::string_view typed, const std::vector<std::string>& candidates) {
  if (candidates.empty()) return std::nullopt;
  std::string best = nearest(typed, candidates);
  const std::string word = small_letters(typed);
  if (3 * distance_between(word, best) > std::max(word.size(), small_letters(best).size())) return std::nullopt;
  return best;
}

}  // namespace attn
