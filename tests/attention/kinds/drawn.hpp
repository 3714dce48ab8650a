#pragma once

#include "tensor/random.hpp"
#include "tensor/tensor.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace attn {

/// Sizes and numbers for one test, drawn from its seed.
class Drawn {
 public:
  explicit Drawn(std::uint64_t seed) : engine_(static_cast<std::uint32_t>(seed)), numbers_(seed) {}

  /// 0 <= result < end.
  std::size_t below(std::size_t end) { return engine_() % end; }

  /// One of the sizes at which a swapped axis or a skipped tail shows.
  std::size_t size() {
    static constexpr std::array<std::size_t, 6> sizes = {1, 2, 3, 5, 7, 17};
    return sizes[below(sizes.size())];
  }

  Tensor tensor(const Shape& shape) { return numbers_.normal(shape); }

  /// A table of 0 and 1 in which every row keeps at least one key.
  Tensor mask(const Shape& shape) {
    Tensor mask(shape);
    const std::size_t columns = shape.back();
    for (std::size_t n = 0; n < mask.size(); ++n) mask.values()[n] = static_cast<float>(below(2));
    for (std::size_t row = 0; row < mask.size(); row += columns) mask.values()[row + below(columns)] = 1.0F;
    return mask;
  }

  /// 0 .. count - 1 in some order.
  std::vector<std::size_t> order(std::size_t count) {
    std::vector<std::size_t> result(count);
    for (std::size_t n = 0; n < count; ++n) result[n] = n;
    for (std::size_t n = count; n > 1; --n) std::swap(result[n - 1], result[below(n)]);
    return result;
  }

  Random& random() { return numbers_; }

 private:
  std::mt19937 engine_;
  Random numbers_;
};

}  // namespace attn
