#pragma once

#include "fast/attention.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn::bench {

inline constexpr std::size_t num_heads = 8;
inline constexpr std::size_t head_dim = 64;

/// Eight heads that attend to a text of their own: Q, K, V [8, seq_len, 64], one after the other, filled with numbers
/// that give some keys much more weight than others.
class AttentionProblem {
 public:
  AttentionProblem(std::size_t seq_len, bool causal);

  [[nodiscard]] std::size_t seq_len() const { return seq_len_; }
  [[nodiscard]] bool causal() const { return causal_; }

  /// Our fused attention fills the context, [8, seq_len, 64].
  void attend(std::size_t threads);
  [[nodiscard]] std::vector<float>& context() { return context_; }

  /// Whether the context is right for some queries of each head, computed in double by the equation.
  [[nodiscard]] bool is_right() const;

  /// Multiplications and additions of Q K^T and of the weights times V, hidden pairs left out.
  [[nodiscard]] double operations() const;
  [[nodiscard]] double tensor_bytes() const;     // Q, K, V and the context
  [[nodiscard]] double score_bytes() const;      // all scores, were they kept
  [[nodiscard]] double workspace_bytes() const;  // one thread's

  /// Writes Q, K and V, for a rival in another program.
  void write_tensors(const std::string& file) const;

 private:
  [[nodiscard]] std::vector<double> context_of(std::size_t head, std::size_t query) const;

  std::size_t seq_len_;
  bool causal_;
  std::vector<float> tensors_;
  std::vector<float> context_;
  std::vector<fast::AttentionHead> heads_;
};

/// Each as near as float sums over softmax come: 1e-5, and as much of the value.
[[nodiscard]] bool is_close(double actual, double expected);

}  // namespace attn::bench
