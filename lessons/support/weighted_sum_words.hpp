#pragma once

#include "support/one_head.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>

namespace attn {

// Sentences of the lesson about weighted sums, computed from its numbers.

/// "Half cat, half mat": where a word's two largest shares are about a half each; empty where they are not.
[[nodiscard]] std::string half_and_half(const World& world, const Tensor& weights, std::size_t i);

/// The row whose largest share brings least, against what another word brings; where no row has one, `otherwise`.
[[nodiscard]] std::size_t most_misleading_row(const Tensor& weights, const Tensor& V, std::size_t otherwise);

/// Who has the largest share of `row`, and who brings most. `brought` is V, each row times its share.
[[nodiscard]] std::string who_brings_most(const World& world, const Tensor& weights, const Tensor& brought,
                                          std::size_t row);

/// Two words whose values differ, and hardly differ once each value is one number: `sums`, [seq_len, 1].
[[nodiscard]] std::string what_one_number_hides(const World& world, const Tensor& V, const Tensor& sums);

/// The largest difference that it makes to a context when words, shares and values stand in reverse order.
[[nodiscard]] double difference_in_reverse(const Tensor& weights, const Tensor& V);

}  // namespace attn
