#pragma once

#include "board/trace.hpp"
#include "support/record/measured_products.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>

namespace attn {

// Sentences of the lesson on blocked products, computed from the counts that counted_accesses.hpp records.

/// How many operations the scores of these queries and keys take, and those of a long text.
[[nodiscard]] std::string what_scores_take(const Tensor& Q, const Tensor& K);

/// What the order of the loops does to reads of B.
[[nodiscard]] std::string what_the_order_does(const Trace& trace);

/// What a block does, and what keeps it from doing more.
[[nodiscard]] std::string what_a_block_does(const Trace& trace);

/// What sums in registers save.
[[nodiscard]] std::string what_a_tile_does(const Trace& trace);

/// What a copy of the block costs and saves.
[[nodiscard]] std::string what_a_copy_does(const Trace& trace);

/// Whether the seven ways give the scores of these queries and keys alike.
[[nodiscard]] std::string whether_ways_agree(const Tensor& Q, const Tensor& K);

/// What was measured on, and how far it is from the first way to the last.
[[nodiscard]] std::string what_was_measured(const MeasuredProducts& measured);

/// Where way 6 gains more than the numbers in an instruction: what else does. Else nothing.
[[nodiscard]] std::string why_vectors_gain_more(const MeasuredProducts& measured);

/// Which ways miss less than the way before and were slower, and whether threads were. Nothing where none was.
[[nodiscard]] std::string which_were_slower(const MeasuredProducts& measured);

}  // namespace attn
