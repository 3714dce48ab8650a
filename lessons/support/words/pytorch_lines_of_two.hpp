#pragma once

#include "support/program/options.hpp"
#include "support/world/one_head.hpp"

#include <string>
#include <vector>

namespace attn {

/// PyTorch lines for a text that asks and another that is asked: up to the queries `Q` of the one and the keys `K` of
/// the other, of one head. From there on X is the rows of the text that is asked, so that pytorch_lines_of_values go on
/// to its values. They print nothing.
[[nodiscard]] std::vector<std::string> pytorch_lines_of_two(const OneHead& asking, const OneHead& asked,
                                                            const Options& options);

/// The same, and then their weights, which they print.
[[nodiscard]] std::vector<std::string> pytorch_lines_of_cross_weights(const OneHead& asking, const OneHead& asked,
                                                                      const Options& options);

}  // namespace attn
