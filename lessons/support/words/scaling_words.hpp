#pragma once

#include "support/world/one_head.hpp"
#include "tensor/compute.hpp"
#include "tensor/tensor.hpp"

#include <string>

namespace attn {

// Sentences of the lesson about scaling, computed from its numbers.

/// That it makes no difference whether queries or scores are divided, before or after a mask: with the differences.
[[nodiscard]] std::string when_one_may_divide(const OneHead& head);

/// The largest weight of the word that the page follows, in each of three rows, [3, seq_len]: its scores undivided,
/// divided by the root of head_dim, and by that of d_model.
[[nodiscard]] std::string what_roots_do(const OneHead& head, const Tensor& weights);

/// How far queries, keys, [1000, 16], and scaled scores, [1000], spread that freshly drawn weights of nn.Linear make of
/// numbers of variance 1, and how even the weights are that softmax makes of such scores.
[[nodiscard]] std::string what_fresh_weights_give(const Tensor& Q, const Tensor& K, const Tensor& scaled,
                                                  const Compute& compute);

}  // namespace attn
