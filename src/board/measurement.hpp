#pragma once

#include <string>
#include <vector>

namespace attn {

/// A value that was measured while the page was made.
struct Measurement {
  std::string name;
  double value = 0.0;
  double peak = 0.0;  // the most that it could be; 0 where that is not known
};

/// Measured values of one kind, in the order in which each is compared with the one before.
struct Measurements {
  std::string unit;  // "GFLOP/s"
  std::vector<Measurement> rows;
  bool compared = true;  // false where the values are parts of one whole: none is so many times the one before
};

}  // namespace attn
