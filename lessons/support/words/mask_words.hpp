#pragma once

#include "board/board.hpp"
#include "support/world/world.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>

namespace attn {

// Sentences of the lesson about masks, computed from its numbers.

/// The word that would give most to the word right after it. Needs two words.
[[nodiscard]] std::size_t worst_reader_ahead(const Tensor& weights);

/// "\"dog\" must guess \"barked\", and gives it 0.622. All later words together get 0.831."
[[nodiscard]] std::string what_is_read_ahead(const World& world, const Tensor& weights, std::size_t i);

/// How many rows of erased weights are below 1, and what is left in row i.
[[nodiscard]] std::string what_erasing_leaves(const World& world, const Tensor& erased, std::size_t i);

/// What word i gives to hidden words where their scores are 0 and not -inf.
[[nodiscard]] std::string what_zeros_get(const World& world, const Tensor& weights, const Tensor& mask, std::size_t i);

/// How far each word's context moved with the lesson's own mask, [seq_len], and which ways of hiding leak: the rows of
/// `ways` are ways, and only the last word may move.
[[nodiscard]] std::string what_the_probe_finds(const World& world, const Tensor& moved, const Step& ways);

/// What word i gives to the last word where that is padding, and hidden as a column or as a row of the mask.
[[nodiscard]] std::string what_padding_gets(const World& world, const Tensor& scaled, std::size_t i);

}  // namespace attn
