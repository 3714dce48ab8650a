#pragma once

#include "tensor/tensor.hpp"

#include <string>

namespace attn {

/// got is close to want when |got - want| <= atol + rtol * |want|.
/// An infinity must be met exactly; NaN is close to NaN and to nothing else.
struct Tolerance {
  double atol = 0.0;
  double rtol = 0.0;
};

[[nodiscard]] bool is_close(double got, double want, Tolerance tolerance);

/// Where two tensors differ most (the first such place): the place, both values, and the difference.
struct Difference {
  double largest = 0.0;  // |got - want| at the worst place; +inf where only one is NaN or an infinity is not met
  Index where;           // empty when there is no element, and for a single number
  float got = 0.0F;
  float want = 0.0F;
};

/// Throws std::invalid_argument, naming both shapes, when they differ.
[[nodiscard]] Difference largest_difference(const Tensor& got, const Tensor& want);

/// True when every element is close. Throws when the shapes differ.
[[nodiscard]] bool all_close(const Tensor& got, const Tensor& want, Tolerance tolerance);

}  // namespace attn
