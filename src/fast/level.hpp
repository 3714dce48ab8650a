#pragma once

#include <cstddef>
#include <vector>

namespace attn::fast {

struct AttentionHead;
struct Product;

/// The kernels as compiled for one level of the processor: kernels.cpp is compiled once for each.
struct Kernels {
  const char* level;          // "plain loops", "base", "AVX2", "AVX-512", on Arm "NEON"
  std::size_t vector_floats;  // how many floats one instruction handles

  void (*multiply)(const Product&, float* packed);
  std::size_t packed_size;  // floats
  std::size_t tile_rows;
  std::size_t tile_columns;

  void (*attend)(const AttentionHead&, std::size_t first_query, float* workspace);
  std::size_t (*attention_size)(const AttentionHead&);  // floats of workspace
  std::size_t query_block;

  void (*softmax_row)(const float* scores, std::size_t columns, float* weights);

  // For measuring: as many multiplications and additions as there can be. See peak_kernel.hpp.
  void (*reach_for_peak)(std::size_t rounds, float* numbers);
  std::size_t peak_operations;  // in a round
};

/// All that this processor can run, the fastest last; plain loops among them where tests are built. The one place where
/// levels are chosen.
[[nodiscard]] const std::vector<const Kernels*>& kernels_here();

/// The fastest of them.
[[nodiscard]] const Kernels& best_kernels();

}  // namespace attn::fast
