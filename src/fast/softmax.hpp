#pragma once

#include "fast/level.hpp"

#include <cstddef>

namespace attn::fast {

/// weights[i, j] = e^scores[i, j] / (the sum of row i's), for `rows` rows that lie one after the other. A row of -inf
/// alone, or with a NaN or +inf in it, gives NaN. `weights` may be `scores`.
void softmax(const float* scores, std::size_t rows, std::size_t columns, float* weights, std::size_t threads,
             const Kernels& kernels = best_kernels());

}  // namespace attn::fast
