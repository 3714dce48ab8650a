#include "attention_problem.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>
#include <stdexcept>

namespace attn::bench {

AttentionProblem::AttentionProblem(std::size_t seq_len, bool causal)
    : seq_len_(seq_len),
      causal_(causal),
      tensors_(3 * num_heads * seq_len * head_dim),
      context_(num_heads * seq_len * head_dim) {
  // Uniform numbers in [-1, 1] make scores with a deviation of 8/3, or 1/3 when scaled: queries 6 times as large make
  // some weights a hundred times as large as others.
  std::mt19937 engine(1);
  for (float& number : tensors_) number = static_cast<float>(engine()) * 0x1p-31F - 1.0F;
  std::for_each(tensors_.begin(), tensors_.begin() + static_cast<std::ptrdiff_t>(context_.size()),
                [](float& number) { number *= 6.0F; });

  const std::size_t size = seq_len * head_dim;
  for (std::size_t h = 0; h < num_heads; ++h) {
    fast::AttentionHead head = {.seq_len_q = seq_len,
                                .seq_len_kv = seq_len,
                                .head_dim = head_dim,
                                .value_dim = head_dim,
                                .query = {tensors_.data() + h * size, head_dim, 1},
                                .key = {tensors_.data() + (num_heads + h) * size, head_dim, 1},
                                .value = {tensors_.data() + (2 * num_heads + h) * size, head_dim, 1},
                                .context = context_.data() + h * size,
                                .context_row = head_dim,
                                .scale = 1.0F / std::sqrt(static_cast<float>(head_dim))};
    if (causal) head.last_visible = 0;
    heads_.push_back(head);
  }
}

void AttentionProblem::attend(std::size_t threads) {
  fast::attend(heads_.data(), heads_.size(), threads);
}

std::vector<double> AttentionProblem::context_of(std::size_t h, std::size_t i) const {
  const fast::AttentionHead& head = heads_[h];
  const std::size_t keys = causal_ ? i + 1 : seq_len_;
  std::vector<double> weights(keys);
  for (std::size_t j = 0; j < keys; ++j) {
    for (std::size_t d = 0; d < head_dim; ++d) weights[j] += double{*head.query.at(i, d)} * double{*head.key.at(j, d)};
    weights[j] *= double{head.scale};
  }
  const double largest = *std::max_element(weights.begin(), weights.end());
  double sum = 0.0;
  for (double& weight : weights) sum += weight = std::exp(weight - largest);
  std::vector<double> context(head_dim);
  for (std::size_t j = 0; j < keys; ++j) {
    for (std::size_t d = 0; d < head_dim; ++d) context[d] += weights[j] / sum * double{*head.value.at(j, d)};
  }
  return context;
}

bool is_close(double actual, double expected) {
  return std::abs(actual - expected) <= 1e-5 + 1e-5 * std::abs(expected);
}

bool AttentionProblem::is_right() const {
  if (std::any_of(context_.begin(), context_.end(), [](float number) { return std::isnan(number); })) return false;
  const std::size_t step = seq_len_ / 7;
  for (std::size_t h = 0; h < num_heads; ++h) {
    for (std::size_t i = h; i < seq_len_; i += step) {
      const std::vector<double> expected = context_of(h, i);
      for (std::size_t d = 0; d < head_dim; ++d) {
        if (!is_close(double{heads_[h].context[i * head_dim + d]}, expected[d])) return false;
      }
    }
  }
  return true;
}

double AttentionProblem::operations() const {
  const auto length = static_cast<double>(seq_len_);
  const double pairs = causal_ ? length * (length + 1) / 2 : length * length;
  return 4.0 * static_cast<double>(num_heads * head_dim) * pairs;
}

double AttentionProblem::tensor_bytes() const {
  return static_cast<double>((tensors_.size() + context_.size()) * sizeof(float));
}

double AttentionProblem::score_bytes() const {
  return static_cast<double>(num_heads * seq_len_ * seq_len_ * sizeof(float));
}

double AttentionProblem::workspace_bytes() const {
  return static_cast<double>(fast::best_kernels().attention_size(heads_[0]) * sizeof(float));
}

void AttentionProblem::write_tensors(const std::string& file) const {
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(tensors_.data()),
            static_cast<std::streamsize>(tensors_.size() * sizeof(float)));
  if (!out.flush()) throw std::runtime_error("cannot write " + file);
}

}  // namespace attn::bench
