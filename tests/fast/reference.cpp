#include "fast/reference.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn::fast {

namespace {

constexpr float around_c = -77.0F;

/// A matrix in `memory`, stored as it is or transposed, its rows a few numbers longer than they need to be.
Matrix random_matrix(Engine& engine, std::vector<float>& memory, std::size_t rows, std::size_t columns,
                     bool transposed) {
  const std::size_t length = (transposed ? rows : columns) + whole_number(engine, 0, 3);
  memory = normal(engine, (transposed ? columns : rows) * length + 1);
  return transposed ? Matrix{memory.data(), 1, length} : Matrix{memory.data(), length, 1};
}

bool differs(double got, double want, double slack) {
  if (std::isnan(want)) return !std::isnan(got);
  if (std::isinf(want)) return got != want;
  return !(std::abs(got - want) <= slack);
}

}  // namespace

std::vector<float> normal(Engine& engine, std::size_t count) {
  std::normal_distribution<float> distribution;
  std::vector<float> numbers(count);
  for (float& number : numbers) number = distribution(engine);
  return numbers;
}

std::size_t whole_number(Engine& engine, std::size_t from, std::size_t to) {
  return std::uniform_int_distribution<std::size_t>(from, to)(engine);
}

Expected expected_product(const Product& product) {
  Expected expected;
  for (std::size_t i = 0; i < product.rows; ++i) {
    for (std::size_t j = 0; j < product.columns; ++j) {
      double sum = 0.0;
      double absolute = 0.0;
      for (std::size_t k = 0; k < product.depth; ++k) {
        const double term = static_cast<double>(*product.a.at(i, k)) * static_cast<double>(*product.b.at(k, j));
        sum += term;
        absolute += std::abs(term);
      }
      expected.values.push_back(sum);
      expected.slack.push_back(0x1p-24 * static_cast<double>(product.depth + 1) * absolute);
    }
  }
  return expected;
}

std::string difference_from(const Expected& expected, const Product& product) {
  for (std::size_t i = 0; i < product.rows; ++i) {
    for (std::size_t j = 0; j < product.columns; ++j) {
      const std::size_t n = i * product.columns + j;
      const auto got = static_cast<double>(product.c[i * product.c_row + j]);
      if (differs(got, expected.values[n], expected.slack[n])) {
        return fmt::format("[{}, {}] of {} x {} x {} is {:.9g} and should be {:.9g}, within {:.3g}", i, j, product.rows,
                           product.columns, product.depth, got, expected.values[n], expected.slack[n]);
      }
    }
  }
  return "";
}

RandomProduct::RandomProduct(Engine& engine, std::size_t rows, std::size_t columns, std::size_t depth,
                             bool a_transposed, bool b_transposed) {
  product.rows = rows;
  product.columns = columns;
  product.depth = depth;
  product.a = random_matrix(engine, a, rows, depth, a_transposed);
  product.b = random_matrix(engine, b, depth, columns, b_transposed);
  product.c_row = columns + whole_number(engine, 0, 3);
  c.assign((rows + 2) * product.c_row + 2, around_c);
  product.c = c.data() + product.c_row + 1;
}

bool RandomProduct::untouched_around_c() const {
  const auto first = static_cast<std::size_t>(product.c - c.data());
  for (std::size_t n = 0; n < c.size(); ++n) {
    const bool inside =
        n >= first && n < first + product.rows * product.c_row && (n - first) % product.c_row < product.columns;
    if (!inside && c[n] != around_c) return false;
  }
  return true;
}

RandomHead::RandomHead(Engine& engine, std::size_t seq_len_q, std::size_t seq_len_kv, std::size_t head_dim,
                       std::size_t value_dim)
    : query(normal(engine, seq_len_q * head_dim)),
      key(normal(engine, seq_len_kv * head_dim)),
      value(normal(engine, seq_len_kv * value_dim)),
      bias(normal(engine, seq_len_q * seq_len_kv)),
      empty_row(value_dim, 0.5F),
      context(seq_len_q * value_dim, around_c) {
  head.seq_len_q = seq_len_q;
  head.seq_len_kv = seq_len_kv;
  head.head_dim = head_dim;
  head.value_dim = value_dim;
  head.query = {query.data(), head_dim, 1};
  head.key = {key.data(), head_dim, 1};
  head.value = {value.data(), value_dim, 1};
  head.context = context.data();
  head.context_row = value_dim;
  head.scale = 1.0F / std::sqrt(static_cast<float>(head_dim));
}

std::vector<double> expected_context(const AttentionHead& head) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> expected;
  for (std::size_t i = 0; i < head.seq_len_q; ++i) {
    std::vector<double> scores(head.seq_len_kv);
    double largest = -infinity;
    for (std::size_t j = 0; j < head.seq_len_kv; ++j) {
      double sum = 0.0;
      for (std::size_t k = 0; k < head.head_dim; ++k) {
        sum += static_cast<double>(*head.query.at(i, k)) * static_cast<double>(*head.key.at(j, k));
      }
      auto score = static_cast<double>(static_cast<float>(sum));
      score *= static_cast<double>(head.scale);
      const auto cap = static_cast<double>(head.soft_cap);
      if (cap > 0.0) score = cap * std::tanh(score / cap);
      const auto distance = static_cast<std::ptrdiff_t>(j) - static_cast<std::ptrdiff_t>(i);
      const double bias = head.bias.data == nullptr ? 0.0 : static_cast<double>(*head.bias.at(i, j));
      const bool hidden = distance < head.first_visible || distance > head.last_visible || bias == -infinity;
      scores[j] = hidden ? -infinity : score + bias;
      largest = std::isnan(scores[j]) ? scores[j] : std::max(largest, scores[j]);
    }
    double total = 0.0;
    for (double& score : scores) total += score = largest == -infinity ? 0.0 : std::exp(score - largest);
    for (std::size_t d = 0; d < head.value_dim; ++d) {
      double sum = 0.0;
      for (std::size_t j = 0; j < head.seq_len_kv; ++j) {
        if (scores[j] != 0.0) sum += scores[j] * static_cast<double>(*head.value.at(j, d));
      }
      const bool empty = total == 0.0;
      expected.push_back(empty && head.empty_row != nullptr ? static_cast<double>(head.empty_row[d]) : sum / total);
    }
  }
  return expected;
}

std::string difference_from(const std::vector<double>& expected, const AttentionHead& head) {
  for (std::size_t i = 0; i < head.seq_len_q; ++i) {
    for (std::size_t d = 0; d < head.value_dim; ++d) {
      const double want = expected[i * head.value_dim + d];
      const auto got = static_cast<double>(head.context[i * head.context_row + d]);
      if (differs(got, want, 2e-5 + 2e-5 * std::abs(want))) {
        return fmt::format("context[{}, {}] of {} queries, {} keys, {} and {} wide is {:.9g} and should be {:.9g}", i,
                           d, head.seq_len_q, head.seq_len_kv, head.head_dim, head.value_dim, got, want);
      }
    }
  }
  return "";
}

}  // namespace attn::fast
