#include "support/record/places.hpp"

#include "attention/multi_head.hpp"
#include "tensor/rearrange.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace attn {

Tensor places(const Shape& shape) {
  Tensor result(shape);
  for (std::size_t k = 0; k < result.size(); ++k) result.values()[k] = static_cast<float>(k);
  return result;
}

std::size_t count_of_different(const Tensor& a, const Tensor& b) {
  if (a.shape() != b.shape()) {
    throw std::invalid_argument(fmt::format("count_of_different: a is {} and b is {}: compare tensors of one shape",
                                            to_string(a.shape()), to_string(b.shape())));
  }
  std::size_t count = 0;
  for (std::size_t k = 0; k < a.size(); ++k) count += a.values()[k] == b.values()[k] ? 0 : 1;
  return count;
}

void show_split(Board& board, const Tensor& numbers, const Tensor& split, const Tensor& wrong) {
  const std::vector<std::string> words = {"a", "b", "c"};
  const std::vector<std::string> rows = {"head 1 a", "head 1 b", "head 1 c", "head 2 a", "head 2 b", "head 2 c"};
  board.show("numbers", numbers, given().with_rows(words));
  board.record("split", split, split_heads("numbers", 2).with_rows(words));
  board.record("wrong", wrong, reshape("numbers").with_rows(words));
  board.record("split_rows", reshape(split, {6, 2}), reshape("split").with_rows(rows));
  board.record("wrong_rows", reshape(wrong, {6, 2}), reshape("wrong").with_rows(rows));
  board.table({{"split_rows", "split"}, {"wrong_rows", "wrong"}});
}

void show_merged(Board& board, const Tensor& split, const Tensor& merged, const Tensor& wrong) {
  const std::vector<std::string> words = {"a", "b", "c"};
  board.record("numbers", places({3, 4}), given().with_rows(words));
  board.record("split", split, split_heads("numbers", 2));
  board.record("merged", merged, merge_heads("split", 2).with_rows(words));
  board.record("wrong", wrong, reshape("split").with_rows(words));
  board.table({{"merged", "merged numbers"}, {"wrong", "wrong numbers"}});
}

Tensor dyed_last_word(std::size_t num_heads, std::size_t seq_len, std::size_t head_dim) {
  Tensor dye({num_heads, seq_len, head_dim});
  for (std::size_t h = 0; h < num_heads; ++h) {
    for (std::size_t d = 0; d < head_dim; ++d) dye(h, seq_len - 1, d) = 1.0F;
  }
  return dye;
}

void record_dye(Board& board, const Tensor& dye, const std::vector<std::string>& words) {
  const Tensor merged = merge_heads(dye);
  board.record("dye", dye, given().with_rows(words));
  board.record("dye_merged", merged, merge_heads("dye", dye.dim(0)));
  board.record("dye_reshaped", reshape(dye, merged.shape()), reshape("dye").with_rows(words));
}

std::size_t count_of_zeros(const Tensor& a) {
  return static_cast<std::size_t>(std::count(a.values().begin(), a.values().end(), 0.0F));
}

}  // namespace attn
