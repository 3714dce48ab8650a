#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>

namespace attn {

/// Draws sizes that are unlike each other, so that a swapped axis or a skipped tail shows: 1, 2, 3, 5, 7 or 17.
class RandomSizes {
 public:
  explicit RandomSizes(std::uint32_t seed) : engine_(seed) {}

  [[nodiscard]] std::size_t operator()() {
    constexpr std::array<std::size_t, 6> sizes = {1, 2, 3, 5, 7, 17};
    return sizes[engine_() % sizes.size()];
  }

  /// Less than `end`.
  [[nodiscard]] std::size_t below(std::size_t end) { return engine_() % end; }

 private:
  std::mt19937 engine_;
};

}  // namespace attn
