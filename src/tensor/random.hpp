#pragma once

#include "tensor/tensor.hpp"

#include <cstddef>
#include <cstdint>
#include <random>

namespace attn {

/// Draws the very numbers that PyTorch 1.13 draws on a CPU with AVX2: torch.manual_seed(seed), then the calls in order.
/// The engine is mt19937 with the low 32 bits of the seed. Standard engines give the same bits everywhere and standard
/// distributions do not, so the way from bits to floats is written here.
class Random {
 public:
  explicit Random(std::uint64_t seed);

  /// torch.empty(shape).uniform_(from, to), bit for bit.
  [[nodiscard]] Tensor uniform(const Shape& shape, float from, float to);

  /// torch.randn(shape), within 5e-7 of what PyTorch draws on a processor with AVX2. (PyTorch itself draws numbers up
  /// to 2.3e-6 away from these where it has no AVX2.)
  [[nodiscard]] Tensor normal(const Shape& shape);

 private:
  std::mt19937 engine_;
  // a spare normal value of the short form (fewer than 16 numbers), kept for the next one as PyTorch keeps it
  bool has_spare_ = false;
  double spare_ = 0.0;
};

/// The weight of nn.Embedding(rows, columns): standard normal, [rows, columns].
[[nodiscard]] Tensor embedding_weight(Random& random, std::size_t rows, std::size_t columns);

/// The weight of nn.Linear(in, out): uniform in +-1/sqrt(in), [out, in].
[[nodiscard]] Tensor linear_weight(Random& random, std::size_t in, std::size_t out);

/// The bias of nn.Linear(in, out), drawn after its weight: uniform in +-1/sqrt(in), [out].
[[nodiscard]] Tensor linear_bias(Random& random, std::size_t in, std::size_t out);

}  // namespace attn
