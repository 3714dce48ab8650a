#pragma once

#include <cstddef>

namespace attn {

/// How a product of matrices is computed.
enum class Matmul {
  naive,    // one dot product after the other, summed in double: the truth that the other is held to
  blocked,  // by the kernels of src/fast, summed in float: for speed
};

/// How the library computes: a value that is passed along to whatever multiplies. Results agree within the rounding of
/// a float's sum, and do not depend on the number of threads. Where such a sum passes the largest float on its way, the
/// blocked result is infinite or NaN.
struct Compute {
  Matmul kind = Matmul::naive;
  std::size_t threads = 1;  // that a blocked product may use, the caller's among them; 1 to 256
};

/// Throws std::invalid_argument, with the number, unless threads is 1 to 256.
void check_compute(const Compute& compute);

}  // namespace attn
