#include "support/record/measured_threads.hpp"

#include "attention/kinds/attention.hpp"
#include "attention/kinds/fused_attention.hpp"
#include "support/record/measured_time.hpp"
#include "tensor/matmul.hpp"
#include "tensor/random.hpp"
#include "tensor/softmax.hpp"

#include <algorithm>
#include <functional>

namespace attn {

double ThreadTimes::alone() const {
  return std::max(0.0, one - products - softmax) / one;
}

ThreadTimes measure_threads() {
  Random random(0);
  const auto drawn = [&] { return random.uniform({8, 512, 64}, -1.0F, 1.0F); };
  const Tensor query = drawn();
  const Tensor key = drawn();
  const Tensor value = drawn();
  const auto with = [](std::size_t threads) { return Compute{.kind = Matmul::blocked, .threads = threads}; };
  const Tensor scores = matmul_transposed(query, key, with(1));
  const Tensor weights = softmax(scores, -1, with(1));

  const auto seconds = [](const std::function<float()>& work) { return least_seconds(work, {.runs = 3}); };
  const auto steps = [&](std::size_t threads) {
    return seconds([&] { return attention(query, key, value, {.compute = with(threads)}).context(0, 0, 0); });
  };
  const auto fused = [&](std::size_t threads) {
    return seconds([&] { return fused_attention(query, key, value, {.threads = threads})(0, 0, 0); });
  };
  return {.products = seconds([&] {
            return matmul_transposed(query, key, with(1))(0, 0, 0) + matmul(weights, value, with(1))(0, 0, 0);
          }),
          .softmax = seconds([&] { return softmax(scores, -1, with(1))(0, 0, 0); }),
          .one = steps(1),
          .two = steps(2),
          .fused_one = fused(1),
          .fused_two = fused(2)};
}

double speedup_by_amdahl(double alone, std::size_t threads) {
  return 1.0 / (alone + (1.0 - alone) / static_cast<double>(threads));
}

}  // namespace attn
