#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
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
  [[nodiscard]] double attribute(std::string_view name) const;
  /// The attribute of that name, or `otherwise` where the origin has none.
  [[nodiscard]] double attribute_or(std::string_view name, double otherwise) const;
};

// One maker per op, named as the function on tensors that computes it: show("scores", scores,
// matmul_transposed("Q", "K")). src/board/README.md says in one line of NumPy what each op means.

[[nodiscard]] Origin given();
[[nodiscard]] Origin tokenize(std::vector<std::string> tokens);
[[nodiscard]] Origin gather(std::string_view table, std::string_view ids);
[[nodiscard]] Origin sinusoid(std::size_t positions, std::size_t d_model);
/// The same formula with another base than the paper's 10000.
[[nodiscard]] Origin sinusoid(std::size_t positions, std::size_t d_model, double base);

// Number by number.
[[nodiscard]] Origin add(std::string_view a, std::string_view b);
[[nodiscard]] Origin subtract(std::string_view a, std::string_view b);
[[nodiscard]] Origin multiply(std::string_view a, std::string_view b);
[[nodiscard]] Origin divide(std::string_view a, std::string_view b);
[[nodiscard]] Origin scale(std::string_view a, float factor);
[[nodiscard]] Origin mask_fill(std::string_view a, std::string_view mask);
[[nodiscard]] Origin exp(std::string_view a);
[[nodiscard]] Origin log(std::string_view a);
[[nodiscard]] Origin tanh(std::string_view a);
[[nodiscard]] Origin relu(std::string_view a);
[[nodiscard]] Origin gelu(std::string_view a);
[[nodiscard]] Origin gelu_tanh(std::string_view a);
[[nodiscard]] Origin abs(std::string_view a);
/// a where the kept mask is 1, 0 where it is 0; what is kept is divided by 1 - rate.
[[nodiscard]] Origin dropout(std::string_view a, std::string_view kept, double rate);

// Products.
[[nodiscard]] Origin matmul(std::string_view a, std::string_view b);
[[nodiscard]] Origin matmul_transposed(std::string_view a, std::string_view b);
[[nodiscard]] Origin linear(std::string_view x, std::string_view weight);
[[nodiscard]] Origin linear(std::string_view x, std::string_view weight, std::string_view bias);

// Along an axis.
[[nodiscard]] Origin softmax(std::string_view a, int axis);
/// Where a softmax differs from the plain one.
struct SoftmaxChoices {
  std::optional<double> empty = std::nullopt;  // what each share is in a row of nothing but -inf; else nan
  std::size_t digits = 0;                      // computed in so many binary digits: 11 in a float16; 0: in a float's
};
[[nodiscard]] Origin softmax(std::string_view a, int axis, const SoftmaxChoices& choices);
[[nodiscard]] Origin sum(std::string_view a, int axis);
[[nodiscard]] Origin mean(std::string_view a, int axis);
[[nodiscard]] Origin max(std::string_view a, int axis);
/// From that axis on to the last, all numbers are normalized together; then times scale, plus bias, where there are
/// any.
[[nodiscard]] Origin layer_norm(std::string_view x, double epsilon, int axis = -1);
[[nodiscard]] Origin layer_norm(std::string_view x, std::string_view scale, double epsilon, int axis = -1);
[[nodiscard]] Origin layer_norm(std::string_view x, std::string_view scale, std::string_view bias, double epsilon,
                                int axis = -1);
[[nodiscard]] Origin rms_norm(std::string_view x, double epsilon, int axis = -1);
[[nodiscard]] Origin rms_norm(std::string_view x, std::string_view scale, double epsilon, int axis = -1);

/// How channels turn in a rotary embedding.
struct Turning {
  double base = 10000.0;
  std::size_t rotary_dim = 0;  // how many channels turn; 0: all
  bool interleaved = true;     // neighbours turn together; false: channel p with channel p + rotary_dim / 2
};

/// Rotary embedding of x [.., seq_len, head_dim] by the places [.., seq_len] of its tokens.
[[nodiscard]] Origin rotate(std::string_view x, std::string_view places, const Turning& turning = {});

/// A cache: how many numbers a line has, how many sets there are, and how many lines lie in each.
struct CacheLayout {
  std::size_t line = 1;
  std::size_t sets = 1;
  std::size_t places = 1;  // for lines, in each set
};

/// 1 for each of the addresses, in their order, that such a cache, empty at first, must fetch from memory; 0 for those
/// whose line is there. A set that is full lets the line go that was not used for longest.
[[nodiscard]] Origin cache_misses(std::string_view addresses, const CacheLayout& cache);

// Moved about.
[[nodiscard]] Origin slice(std::string_view a, int axis, std::size_t start, std::size_t stop);
[[nodiscard]] Origin concat(const std::vector<std::string>& parts, int axis);
[[nodiscard]] Origin transpose(std::string_view a);
/// The step's own shape says how.
[[nodiscard]] Origin reshape(std::string_view a);
[[nodiscard]] Origin split_heads(std::string_view x, std::size_t num_heads);
[[nodiscard]] Origin merge_heads(std::string_view x, std::size_t num_heads);
/// Each head of [.., heads, n, head_dim] `repeats` times in a row: for queries that share their keys.
[[nodiscard]] Origin repeat_heads(std::string_view x, std::size_t repeats);

/// The op in the notation of a textbook: "Q K^T", with the inputs' names in it. Empty for `given`.
[[nodiscard]] std::string formula_of(const Origin& origin);

}  // namespace attn
