#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

/// A number or word that an op needs beside its inputs: the axis of a softmax, the factor of a scale.
struct Attribute {
  std::string name;
  double number = 0.0;
};

/// Where a tensor came from: the op that made it, the steps it was made of, and what else the op needed.
/// The lesson states it; a test recomputes every step from it, so a wrong origin fails.
struct Origin {
  std::string op;
  std::vector<std::string> inputs = {};  // names of earlier steps
  std::vector<Attribute> attributes = {};

  // Labels of the last two axes (of the only axis: rows), where the op does not inherit them from its inputs.
  std::vector<std::string> rows = {};
  std::vector<std::string> columns = {};

  [[nodiscard]] Origin with_rows(std::vector<std::string> labels) const;
  [[nodiscard]] Origin with_columns(std::vector<std::string> labels) const;

  /// The attribute of that name. Throws std::invalid_argument when the origin has none.
  [[nodiscard]] double attribute(const std::string& name) const;
};

// One maker per op, named as the function on tensors that computes it: show("scores", scores,
// matmul_transposed("Q", "K")). src/board/README.md says in one line of NumPy what each op means.

[[nodiscard]] Origin given();
[[nodiscard]] Origin tokenize(std::vector<std::string> tokens);
[[nodiscard]] Origin gather(const std::string& table, const std::string& ids);
[[nodiscard]] Origin sinusoid(std::size_t positions, std::size_t d_model);
[[nodiscard]] Origin add(const std::string& a, const std::string& b);
[[nodiscard]] Origin subtract(const std::string& a, const std::string& b);
[[nodiscard]] Origin multiply(const std::string& a, const std::string& b);
[[nodiscard]] Origin matmul(const std::string& a, const std::string& b);
[[nodiscard]] Origin matmul_transposed(const std::string& a, const std::string& b);
[[nodiscard]] Origin linear(const std::string& x, const std::string& weight);
[[nodiscard]] Origin linear(const std::string& x, const std::string& weight, const std::string& bias);
[[nodiscard]] Origin scale(const std::string& a, float factor);
[[nodiscard]] Origin mask_fill(const std::string& a, const std::string& mask);
[[nodiscard]] Origin softmax(const std::string& a, int axis);
[[nodiscard]] Origin slice(const std::string& a, int axis, std::size_t start, std::size_t stop);
[[nodiscard]] Origin divide(const std::string& a, const std::string& b);
[[nodiscard]] Origin exp(const std::string& a);
[[nodiscard]] Origin tanh(const std::string& a);
[[nodiscard]] Origin relu(const std::string& a);
[[nodiscard]] Origin abs(const std::string& a);
[[nodiscard]] Origin sum(const std::string& a, int axis);
[[nodiscard]] Origin max(const std::string& a, int axis);
[[nodiscard]] Origin transpose(const std::string& a);
/// The step's own shape says how.
[[nodiscard]] Origin reshape(const std::string& a);
[[nodiscard]] Origin split_heads(const std::string& x, std::size_t num_heads);
[[nodiscard]] Origin merge_heads(const std::string& x, std::size_t num_heads);
[[nodiscard]] Origin concat(const std::vector<std::string>& parts, int axis);

/// The op in the notation of a textbook: "Q K^T", with the inputs' names in it. Empty for `given`.
[[nodiscard]] std::string formula_of(const Origin& origin);

}  // namespace attn
