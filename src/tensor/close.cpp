#include "tensor/close.hpp"

#include "tensor/layout.hpp"

#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace attn {

namespace {

void require_same_shape(const char* operation, const Tensor& got, const Tensor& want) {
  if (got.shape() != want.shape()) {
    throw std::invalid_argument(fmt::format(
        "{}: got is {} and want is {}: only equal shapes can be compared, is a reshape or a transpose missing?",
        operation, to_string(got.shape()), to_string(want.shape())));
  }
}

double difference(double got, double want) {
  if (std::isnan(got) && std::isnan(want)) return 0.0;
  if (got == want) return 0.0;  // the same infinity too, where subtracting would give NaN
  if (std::isnan(got) || std::isnan(want)) return std::numeric_limits<double>::infinity();
  return std::fabs(got - want);
}

}  // namespace

bool is_close(double got, double want, Tolerance tolerance) {
  if (std::isnan(want)) return std::isnan(got);
  if (std::isinf(want) || std::isinf(got)) return got == want;
  return std::fabs(got - want) <= tolerance.atol + tolerance.rtol * std::fabs(want);
}

Difference largest_difference(const Tensor& got, const Tensor& want) {
  require_same_shape("largest_difference", got, want);
  Difference worst;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const float g = got.values()[i];
    const float w = want.values()[i];
    const double d = difference(static_cast<double>(g), static_cast<double>(w));
    if (i == 0 || d > worst.largest) {
      worst = {.largest = d, .where = index_at(got.shape(), i), .got = g, .want = w};
    }
  }
  return worst;
}

bool all_close(const Tensor& got, const Tensor& want, Tolerance tolerance) {
  require_same_shape("all_close", got, want);
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (!is_close(static_cast<double>(got.values()[i]), static_cast<double>(want.values()[i]), tolerance)) return false;
  }
  return true;
}

}  // namespace attn
