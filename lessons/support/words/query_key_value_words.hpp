#pragma once

#include "support/program/options.hpp"
#include "support/world/world.hpp"
#include "tensor/compute.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>

namespace attn {

// Sentences of the lesson about query, key and value, computed from its numbers.

/// Which channels of X are shown: those that the weights read, or of a world without meaning the first few.
[[nodiscard]] std::string which_channels(const World& world);

/// How many numbers of W_Q do something, and who chose them.
[[nodiscard]] std::string what_W_Q_holds(const Options& options, const Tensor& W_Q);

/// How the columns of Q, K and V of a head (from 1) of the crafted world read X: "Column by column: W_Q reads
/// 4·verb, 2·noun, ...; W_K 2·noun, ...; W_V noun, ..."
[[nodiscard]] std::string what_columns_read(const World& world, std::size_t head);

/// Two results of the same shape, one of them with the transpose forgotten: that nothing complains, and by how much the
/// numbers are wrong.
[[nodiscard]] std::string how_far_wrong(const Tensor& right, const Tensor& wrong);

/// What softmax makes of a row of scores, [1, seq_len], when 1 was added to all of K or to all of Q.
[[nodiscard]] std::string what_softmax_feels(const Tensor& scores, const Tensor& with_bias_on_K,
                                             const Tensor& with_bias_on_Q, const Compute& compute = {});

}  // namespace attn
