#include "attention/kinds/query_key_value.hpp"

#include <fmt/core.h>

#include <stdexcept>

namespace attn {

void check_query_key_value(const char* operation, const Tensor& query, const Tensor& key, const Tensor& value) {
  for (const Tensor* x : {&query, &key, &value}) {
    if (x->rank() < 2) {
      throw std::invalid_argument(
          fmt::format("{}: query, key and value are [.., seq_len, dim], but one is {}: a single token is [1, dim]",
                      operation, to_string(x->shape())));
    }
  }
  const auto leading = [](const Tensor& x) { return Shape(x.shape().begin(), x.shape().end() - 2); };
  if (leading(query) != leading(key)) {
    throw std::invalid_argument(
        fmt::format("{}: query and key must have the same leading axes, but query is {} and key is {}: give both the "
                    "same batch",
                    operation, to_string(query.shape()), to_string(key.shape())));
  }
  if (leading(key) != leading(value) || key.dim(-2) != value.dim(-2)) {
    throw std::invalid_argument(
        fmt::format("{}: every key hands over one value, but key is {} and value is {}: make both from the same tokens",
                    operation, to_string(key.shape()), to_string(value.shape())));
  }
}

}  // namespace attn
