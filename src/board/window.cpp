#include "board/window.hpp"

#include <algorithm>

namespace attn {

std::vector<std::size_t> counted(std::size_t count) {
  std::vector<std::size_t> places(count);
  for (std::size_t i = 0; i < count; ++i) places[i] = i;
  return places;
}

std::vector<std::size_t> windowed(const std::vector<std::size_t>& all, const std::vector<std::size_t>& wanted,
                                  std::size_t fit) {
  if (all.size() <= fit) return all;
  std::vector<bool> keep(all.size(), false);
  std::size_t kept = 0;
  const auto take = [&](std::size_t place) {
    if (kept < fit && place < all.size() && !keep[place]) {
      keep[place] = true;
      ++kept;
    }
  };
  for (const std::size_t index : wanted) {
    take(static_cast<std::size_t>(std::find(all.begin(), all.end(), index) - all.begin()));
  }
  for (std::size_t place = 0; place < all.size(); ++place) take(place);

  std::vector<std::size_t> window;
  for (std::size_t place = 0; place < all.size(); ++place) {
    if (keep[place]) window.push_back(all[place]);
    if (!keep[place] && (window.empty() || window.back() != gap_mark)) window.push_back(gap_mark);
  }
  return window;
}

std::size_t shown_count(const std::vector<std::size_t>& window) {
  return window.size() - static_cast<std::size_t>(std::count(window.begin(), window.end(), gap_mark));
}

}  // namespace attn
