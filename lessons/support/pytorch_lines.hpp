#pragma once

#include "support/one_head.hpp"
#include "support/options.hpp"
#include "support/world.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

/// PyTorch lines that compute the weights and the context of one head (from 1), and in the torch world the output of
/// all. They need nothing but PyTorch, print the page's numbers, and fit a page of 80 columns.
[[nodiscard]] std::vector<std::string> pytorch_lines(const World& world, const Options& options, std::size_t head);

/// PyTorch lines that compute X and what one head makes of it, W_Q, W_K, Q and K (and W_V and V), and then go on with a
/// lesson's own lines, which print what its page shows.
[[nodiscard]] std::vector<std::string> pytorch_lines_to_Q_K(const OneHead& head, const Options& options,
                                                            const std::vector<std::string>& then);
[[nodiscard]] std::vector<std::string> pytorch_lines_to_Q_K_V(const OneHead& head, const Options& options,
                                                              const std::vector<std::string>& then);

}  // namespace attn
