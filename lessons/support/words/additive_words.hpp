#pragma once

#include "attention/kinds/additive.hpp"
#include "attention/kinds/luong.hpp"
#include "board/board.hpp"
#include "support/record/additive_records.hpp"
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

/// What is left of each word of the memory in the mean of all.
[[nodiscard]] std::string what_fixed_keeps(const OneHead& memory);

/// The numbers of a row [1, units]: "-3.992 and 0.025".
[[nodiscard]] std::string units_in_words(const Tensor& row);

/// Where a row of weights [1, seq_len_kv] looks in the memory.
[[nodiscard]] std::string what_is_found(const OneHead& text, const OneHead& memory, const Tensor& weights);

/// How far the query moves the weights without tanh (from `k_alone` to `straight`) and with it (from `unasked` to
/// `weights`).
[[nodiscard]] std::string what_tanh_is_for(const Tensor& straight, const Tensor& k_alone, const Tensor& weights,
                                           const Tensor& unasked);

/// By how much a key of 2 moves tanh in the unit that the query, [1, units], leaves nearest to 0, and in the farthest.
[[nodiscard]] std::string where_tanh_is_steep(const Tensor& asked);

/// That the additive weights of all pairs have those of the one state, [1, seq_len_kv], as a row; and that Luong's
/// general scores are Q K^T of a head where W_a is that head's W_Q^T W_K.
[[nodiscard]] std::string what_all_pairs_repeat(const OneHead& text, const OneHead& memory,
                                                const AdditiveSteps& additive, const Tensor& weights,
                                                const MultiplicativeSteps& general);

/// The work as it was counted, and why the dot product won all the same; after show_work.
[[nodiscard]] std::string what_decides(const Board& board, const WorkOfBoth& counted);

}  // namespace attn
