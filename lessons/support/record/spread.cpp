#include "support/record/spread.hpp"

#include "tensor/elementwise.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"
#include "tensor/softmax.hpp"

namespace attn {

Pairs record_pairs(Board& board, Random& random) {
  Pairs pairs;
  pairs.queries = random.normal({1000, 64});
  pairs.keys = random.normal({1000, 64});
  pairs.first = ones_before({4, 16, 64}, 64);
  pairs.roots = Tensor::matrix({{2}, {4}, {8}});
  const std::vector<std::string> dims = {"dim=4", "dim=16", "dim=64"};
  board.record("queries", pairs.queries, given());
  board.record("keys", pairs.keys, given());
  board.record("first", pairs.first, given().with_rows(dims));
  board.record("roots", pairs.roots, given().with_rows(dims));
  return pairs;
}

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

void record_slopes(Board& board, const std::string& name, const std::string& of) {
  const Step& step = board.trace().step(of);
  const Tensor weights = step.value;
  const Tensor ones(weights.shape(), 1.0F);
  const Tensor rest = subtract(ones, weights);
  const std::vector<std::string> rows = step.rows;
  board.record(of + "_ones", ones, given().with_rows(rows));
  board.record(of + "_rest", rest, subtract(of + "_ones", of));
  board.record(name, multiply(weights, rest), multiply(of, of + "_rest"));
}

float move_of_weight(Tensor scores, const Index& place, float rise) {
  const float before = softmax(scores, -1).at(place);
  scores.at(place) += rise;
  return softmax(scores, -1).at(place) - before;
}

float mean_largest_of_four(const Tensor& scores) {
  const Tensor rows = reshape(scores, {scores.size() / 4, 4});
  return mean(max(softmax(rows, -1), -1), 0)();
}

}  // namespace attn
