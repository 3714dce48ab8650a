#include "support/record/spread.hpp"

#include "tensor/elementwise.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"
#include "tensor/softmax.hpp"

#include <fmt/core.h>

namespace attn {

Pairs record_pairs(Board& board, Random& random) {
  Pairs pairs;
  pairs.queries = random.normal({1000, 64});
  pairs.keys = random.normal({1000, 64});
  pairs.roots = Tensor::matrix({{2}, {4}, {8}});
  board.record("queries", pairs.queries, given());
  board.record("keys", pairs.keys, given());
  board.record("roots", pairs.roots, given().with_rows({"dim=4", "dim=16", "dim=64"}));
  return pairs;
}

Tensor as_rows(const std::vector<Tensor>& lists) {
  std::vector<Tensor> rows;
  for (const Tensor& list : lists) rows.push_back(reshape(list, {1, list.size()}));
  return concat(rows, 0);
}

void record_sums(Board& board, const std::vector<std::size_t>& counts) {
  const Tensor products = board.trace().step("products").value;
  std::vector<Tensor> sums;
  std::vector<std::string> rows;
  std::vector<std::string> labels;
  for (const std::size_t count : counts) {
    const std::string name = fmt::format("sum_of_{}", count);
    const std::string first = fmt::format("first_{}", count);
    const bool all = count == products.dim(-1);
    if (!all) board.record(first, slice(products, -1, 0, count), slice("products", -1, 0, count));
    sums.push_back(sum(slice(products, -1, 0, count), -1));
    board.record(name, sums.back(), sum(all ? "products" : first, -1));
    rows.push_back(name + "_row");
    board.record(rows.back(), as_rows({sums.back()}), reshape(name));
    labels.push_back(fmt::format("dim={}", count));
  }
  board.record("pair_scores", as_rows(sums), concat(rows, 0).with_rows(labels));
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

void record_slopes(Board& board, const std::string& name, const std::string& of, const std::string& rest) {
  const Step& step = board.trace().step(of);
  const Tensor weights = step.value;
  const Tensor ones(weights.shape(), 1.0F);
  const std::vector<std::string> rows = step.rows;
  if (!board.trace().has("ones")) board.record("ones", ones, given().with_rows(rows));
  board.record(rest, subtract(ones, weights), subtract("ones", of));
  board.record(name, multiply(weights, subtract(ones, weights)), multiply(of, rest));
}

float move_of_weight(Tensor scores, const Index& place, float rise, const Compute& compute) {
  const float before = softmax(scores, -1, compute).at(place);
  scores.at(place) += rise;
  return softmax(scores, -1, compute).at(place) - before;
}

float mean_largest_of_four(const Tensor& scores, const Compute& compute) {
  const Tensor rows = reshape(scores, {scores.size() / 4, 4});
  return mean(max(softmax(rows, -1, compute), -1), 0)();
}

}  // namespace attn
