#pragma once

#include "board/origin.hpp"

#include <cstddef>
#include <vector>

namespace attn {

/// A cache as a processor has it, but small: it keeps copies of lines of memory, a few numbers side by side each. A
/// line may lie in one set only, and where its set is full, the line of the set that was not used for longest goes out.
class Cache {
 public:
  /// Throws std::invalid_argument where there is no number in a line, no set, or no line in a set.
  explicit Cache(const CacheLayout& layout);

  /// Reads or writes the number at an address, counted in numbers. True: a miss, its line had to be fetched.
  bool access(std::size_t address);

  [[nodiscard]] std::size_t hits() const { return hits_; }
  [[nodiscard]] std::size_t misses() const { return misses_; }

 private:
  CacheLayout layout_;
  std::vector<std::vector<std::size_t>> sets_;  // the lines that lie in each
  std::size_t hits_ = 0;
  std::size_t misses_ = 0;
};

}  // namespace attn
