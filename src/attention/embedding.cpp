#include "attention/embedding.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

namespace attn {

namespace {

void check_table(const Tensor& table) {
  if (table.rank() != 2) {
    throw std::invalid_argument(fmt::format(
        "gather: an embedding table has the shape [vocabulary_size, d_model], not {}", to_string(table.shape())));
  }
}

/// The whole number that a float holds. A float is exact up to 2^24, far more than any vocabulary has rows.
std::size_t to_id(float value) {
  if (!(value >= 0.0F) || value != std::floor(value) || value > 16777216.0F) {
    throw std::invalid_argument(
        fmt::format("gather: {} is no id: ids are whole numbers, counted from 0, that name a row of the table", value));
  }
  return static_cast<std::size_t>(value);
}

}  // namespace

Tensor gather(const Tensor& table, const std::vector<std::size_t>& ids) {
  check_table(table);
  const std::size_t vocabulary_size = table.dim(0);
  const std::size_t d_model = table.dim(1);

  Tensor embeddings({ids.size(), d_model});  // [seq_len, d_model]
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] >= vocabulary_size) {
      throw std::invalid_argument(
          fmt::format("gather: token {} has the id {}, but the table is {}: its rows are 0 to vocabulary_size - 1, use "
                      "the ids of the vocabulary that the table was made for",
                      i, ids[i], to_string(table.shape())));
    }
    for (std::size_t d = 0; d < d_model; ++d) embeddings(i, d) = table(ids[i], d);
  }
  return embeddings;
}

Tensor gather(const Tensor& table, const Tensor& ids) {
  check_table(table);
  std::vector<std::size_t> whole_ids;
  for (const float id : ids.values()) whole_ids.push_back(to_id(id));

  Tensor rows = gather(table, whole_ids);  // [all ids in a row, d_model]
  Shape shape = ids.shape();
  shape.push_back(table.dim(1));
  return Tensor(shape, rows.values());  // [.., seq_len, d_model]
}

}  // namespace attn
