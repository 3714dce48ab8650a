#include "lessons/checker/checked_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace checker {

double as_step_holds(double x) {
  const bool too_large = std::abs(x) > static_cast<double>(std::numeric_limits<float>::max());
  return too_large ? std::copysign(INFINITY, x) : x;
}

std::size_t count_of(const Shape& shape) {
  std::size_t count = 1;
  for (const std::size_t size : shape) count *= size;
  return count;
}

Shape broadcast(const Shape& a, const Shape& b) {
  Shape both(std::max(a.size(), b.size()), 1);
  for (std::size_t k = 1; k <= both.size(); ++k) {
    const std::size_t of_a = k <= a.size() ? a[a.size() - k] : 1;
    const std::size_t of_b = k <= b.size() ? b[b.size() - k] : 1;
    require(of_a == of_b || of_a == 1 || of_b == 1, "{} and {} cannot be spread over each other", a, b);
    both[both.size() - k] = of_a == 1 ? of_b : of_a;
  }
  return both;
}

std::size_t partner(std::size_t k, const Shape& a, const Shape& b) {
  std::size_t place = 0;
  std::size_t stride = 1;
  for (std::size_t axis = 0; axis < b.size(); ++axis) {
    const std::size_t size = a[a.size() - 1 - axis];
    const std::size_t b_size = b[b.size() - 1 - axis];
    if (b_size != 1) place += (k % size) * stride;
    k /= size;
    stride *= b_size;
  }
  return place;
}

void require_spreads(const Array& b, const Array& a) {
  require(broadcast(a.shape, b.shape) == a.shape, "{} cannot be spread over {}", b.shape, a.shape);
}

}  // namespace checker
