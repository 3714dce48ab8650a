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
  std::vector<std::size_t> row(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t changed = diagonal + (from[i - 1] == to[j - 1] ? 0U : 1U);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[to.size()];
}

std::string nearest(std::string_view typed, const std::vector<std::string>& candidates) {
  const std::string word = small_letters(typed);
  const auto distance = [&](const std::string& candidate) {
    const std::string other = small_letters(candidate);
    return word.size() > 2 && other.starts_with(word) ? 0 : edit_distance(word, other);
  };
  const auto best =
      std::min_element(candidates.begin(), candidates.end(),
                       [&](const std::string& a, const std::string& b) { return distance(a) < distance(b); });
  return best == candidates.end() ? "" : *best;
}

}  // namespace attn
