#include "support/spread.hpp"

#include "tensor/elementwise.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"
#include "tensor/softmax.hpp"

namespace attn {

Tensor ones_before(const std::vector<std::size_t>& counts, std::size_t width) {
  Tensor rows({counts.size(), width});
  for (std::size_t i = 0; i < counts.size(); ++i) {
    for (std::size_t d = 0; d < counts[i]; ++d) rows(i, d) = 1.0F;
  }
  return rows;
}

float variance(const Tensor& numbers) {
  const Tensor flat = reshape(numbers, {numbers.size()});
  return mean(multiply(flat, flat), 0)();
}

Tensor record_variance(Board& board, const std::string& name, const std::string& of) {
  const Tensor numbers = board.trace().step(of).value;
  const Tensor squares = multiply(numbers, numbers);
  const float one_of_many = 1.0F / static_cast<float>(numbers.dim(-1));
  Tensor result = scale(sum(squares, -1), one_of_many);
  board.record(name + "_squares", squares, multiply(of, of));
  board.record(name + "_sum", sum(squares, -1), sum(name + "_squares", -1));
  board.record(name, result, scale(name + "_sum", one_of_many));
  return result;
}

float mean_largest_of_four(const Tensor& scores) {
  const Tensor rows = reshape(scores, {scores.size() / 4, 4});
  return mean(max(softmax(rows, -1), -1), 0)();
}

}  // namespace attn
