#pragma once

#include "board/trace.hpp"
#include "support/world/one_head.hpp"
#include "tensor/compute.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

// Sentences of the lesson about weighted sums, computed from its numbers.

/// What "Orange" came in with and what it has collected, in channels that have a meaning; where they have none, how
/// many are shown. `rows` are the values of its sentence, `taken` their weighted sum.
[[nodiscard]] std::string what_orange_collects(const World& world, const Step& rows, const Step& taken,
                                               const std::vector<std::size_t>& columns);

/// Notices where the word that is followed looks ("half \"cat\", half \"mat\"", where it is so), what it has collected
/// in these columns of the step `context`, and how W_V made it; where columns have no meaning, how many are shown.
void notice_what_is_collected(Board& board, const OneHead& head, const std::vector<std::size_t>& columns);

/// The row whose largest share brings least, against what another word brings; where no row has one, `otherwise`.
[[nodiscard]] std::size_t most_misleading_row(const Tensor& weights, const Tensor& V, std::size_t otherwise);

/// Who has the largest share of `row`, and who brings most. `brought` is V, each row times its share.
[[nodiscard]] std::string who_brings_most(const World& world, const Tensor& weights, const Tensor& brought,
                                          std::size_t row);

/// Two words whose values differ, and hardly differ once each value is one number: `sums`, [seq_len, 1].
[[nodiscard]] std::string what_one_number_hides(const World& world, const Tensor& V, const Tensor& sums);

/// The largest difference that it makes to a context when words, shares and values stand in reverse order.
[[nodiscard]] double difference_in_reverse(const Tensor& weights, const Tensor& V, const Compute& compute);

}  // namespace attn
