#pragma once

#include "support/options.hpp"
#include "support/world.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

/// PyTorch lines that compute the weights and the context of one head (from 1), and in the torch world the output of
/// all. They need nothing but PyTorch, print the page's numbers, and fit a page of 80 columns.
[[nodiscard]] std::vector<std::string> pytorch_lines(const World& world, const Options& options, std::size_t head);

}  // namespace attn
