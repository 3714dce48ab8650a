#pragma once

#include "catch.hpp"
#include "tensor/close.hpp"
#include "tensor/layout.hpp"
#include "tensor/tensor.hpp"

#include <fmt/core.h>

#include <string>

namespace attn {

/// What is wrong with `got`: its shape, or its first element that is not close and how many there are. Empty when all
/// is well.
[[nodiscard]] inline std::string close_failure(const Tensor& got, const Tensor& want, Tolerance tolerance) {
  if (got.shape() != want.shape()) {
    return fmt::format("got has shape {} and want has shape {}", to_string(got.shape()), to_string(want.shape()));
  }
  std::string first;
  std::size_t failures = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const auto g = static_cast<double>(got.values()[i]);
    const auto w = static_cast<double>(want.values()[i]);
    if (!is_close(g, w, tolerance)) {
      if (failures == 0) {
        first = fmt::format("element {} is {:.9g} and should be {:.9g}, within {:g} + {:g} * |{:.9g}|",
                            to_string(index_at(got.shape(), i)), g, w, tolerance.atol, tolerance.rtol, w);
      }
      ++failures;
    }
  }
  if (failures == 0) return "";
  return fmt::format("{}; {} of {} elements are not close", first, failures, got.size());
}

/// Fails the test, naming element, both values and the tolerance, unless shapes agree and every element is close.
inline void check_close(const Tensor& got, const Tensor& want, Tolerance tolerance) {
  const std::string failure = close_failure(got, want, tolerance);
  if (failure.empty()) {
    SUCCEED();
  } else {
    FAIL_CHECK(failure);
  }
}

}  // namespace attn
