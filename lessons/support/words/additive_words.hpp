#pragma once

#include "support/world/one_head.hpp"
#include "support/world/world.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

// Sentences of the lesson about additive attention, computed from its numbers.

/// What a reader must know of the two texts, each sentence once.
[[nodiscard]] std::vector<std::string> remarks_on_both(const OneHead& text, const OneHead& memory);

/// The channels that are 0 where a word is not of their kind, and so are read at a glance.
[[nodiscard]] std::vector<std::size_t> clear_channels(const World& world);

/// Of these places of a list, the one whose number is farthest from 0.
[[nodiscard]] std::size_t largest_in(const Tensor& list, const std::vector<std::size_t>& places);

/// What is left of each word in the mean of so many.
[[nodiscard]] std::string what_fixed_keeps(std::size_t seq_len_kv);

/// Where a row of weights [1, seq_len_kv] looks in the memory.
[[nodiscard]] std::string what_is_found(const OneHead& text, const OneHead& memory, const Tensor& weights);

/// By how much a key of 2 moves tanh in the unit that the query, [1, units], leaves nearest to 0, and in the farthest.
[[nodiscard]] std::string where_tanh_is_steep(const Tensor& asked);

}  // namespace attn
