#include "fast/softmax.hpp"

#include "fast/pool.hpp"

#include <algorithm>

namespace attn::fast {

void softmax(const float* scores, std::size_t rows, std::size_t columns, float* weights, std::size_t threads,
             const Kernels& kernels) {
  // Some thousand numbers at a time: less is not worth a thread.
  const std::size_t rows_at_a_time = std::max<std::size_t>(1, 8192 / std::max<std::size_t>(1, columns));
  for_each_item((rows + rows_at_a_time - 1) / rows_at_a_time, threads, [&](std::size_t item) {
    const std::size_t end = std::min(rows, (item + 1) * rows_at_a_time);
    for (std::size_t i = item * rows_at_a_time; i < end; ++i) {
      kernels.softmax_row(scores + i * columns, columns, weights + i * columns);
    }
  });
}

}  // namespace attn::fast
