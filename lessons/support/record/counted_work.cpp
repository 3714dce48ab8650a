#include "support/record/counted_work.hpp"

#include <cmath>
#include <vector>

namespace attn {

CountedWork count_additive(const Tensor& query, const Tensor& key, const Tensor& v) {
  CountedWork work{.scores = Tensor({query.dim(0), key.dim(0)})};
  std::vector<double> hidden;  // of all pairs
  for (std::size_t i = 0; i < query.dim(0); ++i) {
    for (std::size_t j = 0; j < key.dim(0); ++j) {
      for (std::size_t d = 0; d < v.dim(0); ++d) {
        hidden.push_back(std::tanh(static_cast<double>(query(i, d)) + static_cast<double>(key(j, d))));
        ++work.tanhs;
      }
    }
  }
  work.kept = hidden.size();
  std::size_t next = 0;
  for (float& score : work.scores.values()) {
    double sum = 0.0;
    for (std::size_t d = 0; d < v.dim(0); ++d) {
      sum += static_cast<double>(v(d)) * hidden[next++];
      ++work.multiplications;
    }
    score = static_cast<float>(sum);
  }
  return work;
}

CountedWork count_dot(const Tensor& query, const Tensor& key) {
  CountedWork work{.scores = Tensor({query.dim(0), key.dim(0)})};
  for (std::size_t i = 0; i < query.dim(0); ++i) {
    for (std::size_t j = 0; j < key.dim(0); ++j) {
      double sum = 0.0;
      for (std::size_t d = 0; d < query.dim(1); ++d) {
        sum += static_cast<double>(query(i, d)) * static_cast<double>(key(j, d));
        ++work.multiplications;
      }
      work.scores(i, j) = static_cast<float>(sum);
      ++work.kept;
    }
  }
  return work;
}

}  // namespace attn
