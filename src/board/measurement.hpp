#pragma once

#include <string>
#include <vector>

namespace attn {

/// A value that was measured while the page was made.
struct Measurement {
  std::string name;
  double value = 0.0;
};

/// Measured values of one kind, in the order in which each is compared with the one before.
struct Measurements {
  std::string unit;  // "GFLOP/s"
  std::vector<Measurement> rows;
  bool compared = true;  // false where the values are parts of one whole: none is so many times the one before
  double peak = 0.0;     // the most that a value could be, where that is known: then each has its share of it
};

}  // namespace attn
