#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

#include <fmt/core.h>

namespace attn::bench {

/// A product of [m, k] and [k, n].
struct Shape {
  std::size_t m;
  std::size_t n;
  std::size_t k;
  bool b_transposed = false;

  [[nodiscard]] double operations() const {
    return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  }
  [[nodiscard]] bool is_cube() const { return m == n && n == k; }
  [[nodiscard]] std::string name() const { return fmt::format("{}x{}x{}{}", m, n, k, b_transposed ? " T" : ""); }
};

/// What attention multiplies, and what benchmarks of libraries do.
inline std::vector<Shape> shapes_to_time() {
  std::vector<Shape> shapes;
  for (const std::size_t size : std::initializer_list<std::size_t>{64, 128, 256, 512, 1000, 1024, 2048})
    shapes.push_back({size, size, size});
  constexpr std::size_t head_dim = 64;
  constexpr std::size_t d_model = 512;
  for (const std::size_t seq_len : std::initializer_list<std::size_t>{128, 512, 2048}) {
    shapes.push_back({seq_len, seq_len, head_dim});        // as scores, from keys that were transposed before
    shapes.push_back({seq_len, seq_len, head_dim, true});  // scores: Q K^T
    shapes.push_back({seq_len, head_dim, seq_len});        // context: weights times V
    if (seq_len != d_model) shapes.push_back({seq_len, d_model, d_model});  // a projection
  }
  shapes.push_back({100, 77, 53});  // no multiple of anything
  return shapes;
}

/// A new token's projection: a row times a matrix. Memory sets its speed.
inline constexpr Shape row_times_matrix = {1, 512, 2048};

}  // namespace attn::bench
