#include "support/words/scaling_words.hpp"

#include "attention/mask.hpp"
#include "board/digits.hpp"
#include "support/record/spread.hpp"
#include "tensor/close.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"
#include "tensor/reduce.hpp"

#include <fmt/core.h>

#include <cmath>

namespace attn {

namespace {

std::string number(float value) {
  return fixed(static_cast<double>(value), 3);
}

}  // namespace

std::string when_one_may_divide(const OneHead& head) {
  const float factor = 1.0F / std::sqrt(static_cast<float>(head.head_dim));
  const Tensor& scaled = head.steps.scaled;
  const Tensor query_first = matmul_transposed(scale(head.Q, factor), head.K, head.world.compute);
  const Tensor mask = causal_mask(scaled.dim(0));
  const Tensor mask_first = scale(mask_fill(head.steps.scores, mask), factor);
  return fmt::format(
      "You may divide the queries instead (largest difference {}), or hide words first (lesson 08) and then divide: "
      "-inf stays -inf (largest difference {}).",
      difference_text(largest_difference(query_first, scaled).largest),
      difference_text(largest_difference(mask_first, mask_fill(scaled, mask)).largest));
}

std::string what_roots_do(const OneHead& head, const Tensor& weights) {
  const Tensor largest = max(weights, -1);  // [3]
  return fmt::format("The largest weight of {}: {} undivided, {} by √head_dim, {} by √d_model.{}", head.word,
                     number(largest(0)), number(largest(1)), number(largest(2)),
                     head.world.num_heads == 1 ? " (With a single head both roots are the same.)" : "");
}

std::string what_fresh_weights_give(const Tensor& Q, const Tensor& K, const Tensor& scaled, const Compute& compute) {
  return fmt::format(
      "Drawn evenly from -a to a, numbers have variance a^2 / 3, so a weight has 1/3 of 1/64. A number of Q adds up 64 "
      "products: 1/3 (measured {}), and so does one of K ({}). Their product has 1/3 · 1/3 = 1/9, and a score of 16 of "
      "them 16/9. Divided by √16, it has 1/9 = 0.111 again: measured {}. Words are hardly told apart: of four "
      "weights the largest is {} on average; 0.250 is even.",
      number(variance(Q)), number(variance(K)), number(variance(scaled)),
      number(mean_largest_of_four(scaled, compute)));
}

}  // namespace attn
