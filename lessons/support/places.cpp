#include "support/places.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

namespace attn {

Tensor places(const Shape& shape) {
  Tensor result(shape);
  for (std::size_t k = 0; k < result.size(); ++k) result.values()[k] = static_cast<float>(k);
  return result;
}

std::size_t count_of_different(const Tensor& a, const Tensor& b) {
  if (a.shape() != b.shape()) {
    throw std::invalid_argument(fmt::format("count_of_different: a is {} and b is {}: compare tensors of one shape",
                                            to_string(a.shape()), to_string(b.shape())));
  }
  std::size_t count = 0;
  for (std::size_t k = 0; k < a.size(); ++k) count += a.values()[k] == b.values()[k] ? 0 : 1;
  return count;
}

std::size_t count_of_zeros(const Tensor& a) {
  return static_cast<std::size_t>(std::count(a.values().begin(), a.values().end(), 0.0F));
}

}  // namespace attn
