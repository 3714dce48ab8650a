#pragma once

#include "board/arithmetic.hpp"
#include "board/operands.hpp"

namespace attn {

// How a number of a layer norm or an RMS norm comes about. Its terms are the row that it was normalized in, `chosen`
// the number itself; `besides` has its scale and its bias, where there are any.

/// Fills in form, terms and what stands beside them.
void normalized(Working& working, const Inputs& in);

/// What the row has in common. An RMS norm takes no mean off: there it is 0, and the variance is the mean square.
struct RowStatistics {
  double mean = 0.0;
  double variance = 0.0;
};

[[nodiscard]] bool takes_mean_off(const Working& working);  // a layer norm does, an RMS norm does not
[[nodiscard]] RowStatistics row_statistics(const Working& working);

/// (x - mean) / sqrt(variance + epsilon) * scale + bias.
[[nodiscard]] double normalized_value(const Working& working);

}  // namespace attn
