#include "attention/kinds/fused_attention.hpp"

#include "attention/kinds/masks.hpp"
#include "attention/scaled_dot_product.hpp"
#include "fast/attention.hpp"
#include "tensor/compute.hpp"
#include "tensor/layout.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <vector>

namespace attn {

namespace {

/// The shapes of one head, and how many heads of queries share one of keys and values.
struct Sizes {
  std::size_t seq_len_q;
  std::size_t seq_len_kv;
  std::size_t head_dim;
  std::size_t value_dim;
  std::size_t heads;  // of queries, in all sentences
  std::size_t group;
};

Sizes checked_sizes(const Tensor& query, const Tensor& key, const Tensor& value) {
  std::size_t group = 1;
  if (query.rank() == key.rank() && query.rank() >= 3 && key.dim(-3) > 0) {
    if (query.dim(-3) % key.dim(-3) != 0) {
      throw std::invalid_argument(
          fmt::format("fused attention: the heads of query ({}) must be a multiple of those of key ({}), but query is "
                      "{} and key is {}",
                      query.dim(-3), key.dim(-3), to_string(query.shape()), to_string(key.shape())));
    }
    group = query.dim(-3) / key.dim(-3);
  }
  // Everything else is as without groups: one head of a group stands for all.
  Shape one_of_each_group = query.shape();
  if (group > 1) one_of_each_group[query.rank() - 3] = key.dim(-3);
  check_attention_shapes(one_of_each_group, key.shape(), value.shape());

  std::size_t heads = 1;
  for (std::size_t axis = 0; axis + 2 < query.rank(); ++axis) heads *= query.shape()[axis];
  return {.seq_len_q = query.dim(-2),
          .seq_len_kv = key.dim(-2),
          .head_dim = query.dim(-1),
          .value_dim = value.dim(-1),
          .heads = heads,
          .group = group};
}

void check_options(const FusedOptions& options) {
  check_compute({.threads = options.threads});
  if (options.scale && !std::isfinite(*options.scale)) {
    throw std::invalid_argument(fmt::format(
        "fused attention: scale is {}, but must be finite: leave it out for 1 / sqrt(head_dim)", *options.scale));
  }
  if (options.soft_cap && !(*options.soft_cap > 0.0F && std::isfinite(*options.soft_cap))) {
    throw std::invalid_argument(fmt::format(
        "fused attention: soft_cap is {}, but must be finite and above 0: leave it out for none", *options.soft_cap));
  }
}

/// offset + steps, and where that lies farther than any text is long, as far as the kernels count.
std::ptrdiff_t distance(std::ptrdiff_t offset, std::ptrdiff_t steps) {
  constexpr std::ptrdiff_t far = std::ptrdiff_t{1} << 30;
  std::ptrdiff_t sum = 0;
  if (__builtin_add_overflow(offset, steps, &sum)) return steps < 0 ? -far : far;
  return std::clamp(sum, -far, far);
}

/// More steps than there are numbers for is no limit.
std::optional<std::ptrdiff_t> signed_steps(const std::optional<std::size_t>& steps) {
  if (!steps || *steps > static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max())) return std::nullopt;
  return static_cast<std::ptrdiff_t>(*steps);
}

/// What is added to every head's scores, as it lies in the mask's own table: axes of size 1 repeat.
struct Bias {
  Tensor table;
  std::vector<std::size_t> of_head;  // where each head's begins
  std::size_t row = 0;
  std::size_t column = 0;
};

Bias bias_of(const Mask& mask, const Tensor& query, std::size_t seq_len_kv) {
  Shape scores = query.shape();
  scores.back() = seq_len_kv;
  Bias bias{.table = additive_mask(mask), .of_head = {}, .row = 0, .column = 0};
  const Shape& shape = bias.table.shape();
  require_mask_fits(shape, scores);

  const std::size_t rows = shape.size() < 2 ? 1 : shape[shape.size() - 2];
  const std::size_t columns = shape.empty() ? 1 : shape.back();
  bias.row = rows == 1 ? 0 : columns;
  bias.column = columns == 1 ? 0 : 1;
  const Shape heads(scores.begin(), scores.end() - 2);
  const Shape tables(shape.begin(), shape.size() < 2 ? shape.begin() : shape.end() - 2);
  bias.of_head = broadcast_offsets(tables, heads);
  for (std::size_t& first : bias.of_head) first *= rows * columns;
  return bias;
}

/// For each head of values, the mean of its rows: what a query collects whose weights are all alike.
std::vector<float> mean_values(const Tensor& value) {
  const std::size_t seq_len_kv = value.dim(-2);
  const std::size_t value_dim = value.dim(-1);
  std::vector<float> means;
  for (std::size_t first = 0; first < value.size(); first += seq_len_kv * value_dim) {
    for (std::size_t d = 0; d < value_dim; ++d) {
      double sum = 0.0;
      for (std::size_t j = 0; j < seq_len_kv; ++j) {
        sum += static_cast<double>(value.values()[first + j * value_dim + d]);
      }
      means.push_back(static_cast<float>(sum / static_cast<double>(seq_len_kv)));
    }
  }
  return means;
}

}  // namespace

Tensor fused_attention(const Tensor& query, const Tensor& key, const Tensor& value, const FusedOptions& options) {
  check_options(options);
  const Sizes sizes = checked_sizes(query, key, value);
  const auto [seq_len_q, seq_len_kv, head_dim, value_dim, heads, group] = sizes;
  Shape shape = query.shape();
  shape.back() = value_dim;
  Tensor context(shape);
  const bool masked = options.mask.keep || options.mask.bias;
  const Bias bias = masked ? bias_of(options.mask, query, seq_len_kv) : Bias{};
  if (context.size() == 0 || seq_len_kv == 0) return context;

  const std::optional<std::ptrdiff_t> left = signed_steps(options.left);
  const std::optional<std::ptrdiff_t> right = signed_steps(options.right);
  const std::vector<float> zeros(value_dim, 0.0F);
  const std::vector<float> means = options.empty_rows == EmptyRows::uniform ? mean_values(value) : std::vector<float>();

  std::vector<fast::AttentionHead> all(heads);
  for (std::size_t h = 0; h < heads; ++h) {
    fast::AttentionHead& head = all[h];
    const std::size_t kv_head = h / group;
    head.seq_len_q = seq_len_q;
    head.seq_len_kv = seq_len_kv;
    head.head_dim = head_dim;
    head.value_dim = value_dim;
    head.query = {query.values().data() + h * seq_len_q * head_dim, head_dim, 1};
    head.key = {key.values().data() + kv_head * seq_len_kv * head_dim, head_dim, 1};
    head.value = {value.values().data() + kv_head * seq_len_kv * value_dim, value_dim, 1};
    head.context = context.values().data() + h * seq_len_q * value_dim;
    head.context_row = value_dim;
    head.scale = options.scale.value_or(1.0F / std::sqrt(static_cast<float>(head_dim)));
    head.soft_cap = options.soft_cap.value_or(0.0F);
    if (masked) head.bias = {bias.table.values().data() + bias.of_head[h], bias.row, bias.column};
    if (left) head.first_visible = distance(options.offset, -*left);
    if (right) head.last_visible = distance(options.offset, *right);
    if (options.empty_rows == EmptyRows::zeros) head.empty_row = zeros.data();
    if (options.empty_rows == EmptyRows::uniform) head.empty_row = means.data() + kv_head * value_dim;
  }
  fast::attend(all.data(), all.size(), options.threads);
  return context;
}

}  // namespace attn
