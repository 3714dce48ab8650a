#include "support/record/cache_simulator.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

namespace attn {

Cache::Cache(const CacheLayout& layout) : layout_(layout), sets_(layout.sets) {
  if (layout.line > 0 && layout.sets > 0 && layout.places > 0) return;
  throw std::invalid_argument(fmt::format("cache: lines of {} numbers, {} sets, {} lines in a set: it needs 1 of each",
                                          layout.line, layout.sets, layout.places));
}

bool Cache::access(std::size_t address) {
  //> access
  const std::size_t line = address / layout_.line;
  std::vector<std::size_t>& set = sets_[line % layout_.sets];
  const auto found = std::find(set.begin(), set.end(), line);
  const bool miss = found == set.end();
  if (!miss) {
    set.erase(found);
  } else if (set.size() == layout_.places) {
    set.erase(set.begin());  // the one not used for longest
  }
  set.push_back(line);  // the last one used stands last
  //< access
  ++(miss ? misses_ : hits_);
  return miss;
}

}  // namespace attn
