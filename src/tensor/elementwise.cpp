#include "tensor/elementwise.hpp"

#include "tensor/layout.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>

namespace attn {

namespace {

// What a beginner most often meant, when two shapes do not fit.
std::string likely_cause(const Shape& a, const Shape& b) {
  const bool a_is_longer = a.size() >= b.size();
  const Shape& longer = a_is_longer ? a : b;
  const Shape& shorter = a_is_longer ? b : a;
  const char* short_name = a_is_longer ? "b" : "a";

  if (a.size() == b.size() && a.size() >= 2) {
    Shape swapped = b;
    std::swap(swapped[b.size() - 1], swapped[b.size() - 2]);
    if (swapped == a) return "is a transpose missing?";
  }
  if (shorter.size() < longer.size() && std::equal(shorter.begin(), shorter.end(), longer.begin())) {
    Shape with_ones = shorter;
    with_ones.resize(longer.size(), 1);
    return fmt::format("to line {} up with the first axes, reshape it to {}", short_name, to_string(with_ones));
  }
  return "two sizes fit when they are equal or one of them is 1";
}

template <typename Operation>
Tensor combine(const char* name, const Tensor& a, const Tensor& b, Operation operation) {
  Tensor result(broadcast_shape(name, a.shape(), b.shape()));
  const std::vector<std::size_t> a_offsets = broadcast_offsets(a.shape(), result.shape());
  const std::vector<std::size_t> b_offsets = broadcast_offsets(b.shape(), result.shape());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result.values()[i] = operation(a.values()[a_offsets[i]], b.values()[b_offsets[i]]);
  }
  return result;
}

template <typename Operation>
Tensor each(const Tensor& a, Operation operation) {
  Tensor result = a;
  for (float& x : result.values()) x = operation(x);
  return result;
}

// Runs a function in double and rounds its result to float once.
template <typename Function>
Tensor each_in_double(const Tensor& a, Function function) {
  return each(a, [&](float x) { return static_cast<float>(function(static_cast<double>(x))); });
}

}  // namespace

Shape broadcast_shape(const char* operation, const Shape& a, const Shape& b) {
  Shape result(std::max(a.size(), b.size()), 1);
  for (std::size_t from_right = 1; from_right <= result.size(); ++from_right) {
    const std::size_t a_size = from_right <= a.size() ? a[a.size() - from_right] : 1;
    const std::size_t b_size = from_right <= b.size() ? b[b.size() - from_right] : 1;
    if (a_size != b_size && a_size != 1 && b_size != 1) {
      throw std::invalid_argument(
          fmt::format("{}: a is {} and b is {}: shapes are matched from the right, and there {} meets {}: {}",
                      operation, to_string(a), to_string(b), a_size, b_size, likely_cause(a, b)));
    }
    result[result.size() - from_right] = a_size == 1 ? b_size : a_size;
  }
  return result;
}

Tensor add(const Tensor& a, const Tensor& b) {
  return combine("add", a, b, [](float x, float y) { return x + y; });
}

Tensor subtract(const Tensor& a, const Tensor& b) {
  return combine("subtract", a, b, [](float x, float y) { return x - y; });
}

Tensor multiply(const Tensor& a, const Tensor& b) {
  return combine("multiply", a, b, [](float x, float y) { return x * y; });
}

Tensor divide(const Tensor& a, const Tensor& b) {
  return combine("divide", a, b, [](float x, float y) { return x / y; });
}

Tensor scale(const Tensor& a, float factor) {
  return each(a, [factor](float x) { return x * factor; });
}

Tensor exp(const Tensor& a) {
  return each_in_double(a, [](double x) { return std::exp(x); });
}

Tensor log(const Tensor& a) {
  return each_in_double(a, [](double x) { return std::log(x); });
}

Tensor tanh(const Tensor& a) {
  return each_in_double(a, [](double x) { return std::tanh(x); });
}

Tensor relu(const Tensor& a) {
  // Written so that NaN, which is not below 0, passes through.
  return each(a, [](float x) { return x < 0.0F ? 0.0F : x; });
}

Tensor abs(const Tensor& a) {
  return each(a, [](float x) { return std::fabs(x); });
}

Tensor gelu(const Tensor& a) {
  // 1 + erf(t) is erfc(-t), which keeps its digits where erf(t) is nearly -1.
  return each_in_double(a, [](double x) { return x * 0.5 * std::erfc(-x / std::numbers::sqrt2); });
}

Tensor gelu_tanh(const Tensor& a) {
  const double root_of_2_over_pi = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
  return each_in_double(a, [root_of_2_over_pi](double x) {
    return x * 0.5 * (1.0 + std::tanh(root_of_2_over_pi * (x + 0.044715 * x * x * x)));
  });
}

}  // namespace attn
