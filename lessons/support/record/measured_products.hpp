#pragma once

#include "board/measurement.hpp"

#include <cstddef>
#include <string>

namespace attn {

/// The seven ways as timed here and now, on matrices of random numbers.
struct MeasuredProducts {
  std::size_t size = 0;  // of all three: [size, size]
  std::size_t threads = 0;
  std::string level;                 // what src/fast runs on here: "AVX-512"
  std::size_t vector_floats = 0;     // numbers in one instruction there
  bool multiplies_and_adds = false;  // in one instruction there
  Measurements speeds;               // GFLOP/s
  double largest_difference = 0.0;   // of any way's product to the first way's, checked before the clock starts
};

/// Takes about a second.
[[nodiscard]] MeasuredProducts measure_products(std::size_t threads);

}  // namespace attn
