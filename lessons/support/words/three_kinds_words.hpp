#pragma once

#include "board/board.hpp"
#include "support/world/one_head.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>

namespace attn {

// Sentences of the lesson on three kinds of attention, computed from its numbers.

/// What word i gives to what stands before it, to itself, and to what comes after it.
[[nodiscard]] std::string what_it_gives_each_way(const World& world, const Tensor& weights, std::size_t i);

/// What word i, which must produce the next one, may see of it: with the mask, and what it would get without.
[[nodiscard]] std::string what_the_next_word_gets(const World& world, const Tensor& weights, const Tensor& open,
                                                  std::size_t i);

/// To whom in the memory the word that pages follow gives most, and least.
[[nodiscard]] std::string what_it_finds_in_the_memory(const OneHead& asking, const OneHead& memory,
                                                      const Tensor& weights);

/// How many ask and how many are asked, and that each row of these weights adds up to 1.
[[nodiscard]] std::string what_a_rectangle_is(const Tensor& weights);

/// What a causal mask would hide of a memory that is there as a whole.
[[nodiscard]] std::string what_a_causal_mask_hides(const OneHead& asking, const OneHead& memory);

/// What comes of queries from the memory: another shape, or where both texts are equally long, other numbers in the
/// same shape.
[[nodiscard]] std::string what_swapped_queries_give(const OneHead& asking, const OneHead& memory, const Tensor& weights,
                                                    const Tensor& swapped_weights);

/// What comes of the causal mask of the asking text on the scores between two texts: refused, or without a word.
[[nodiscard]] std::string what_the_wrong_mask_does(const OneHead& asking, const OneHead& memory);

// Masks for sentences with one token of padding at their end.

/// [1, seq_len + 1]: 1 for each word, 0 for the padding after the last.
[[nodiscard]] Tensor keep_all_but_last(const OneHead& sentence);

/// Records these masks as steps decoder_mask and cross_mask, and what they are made of.
void record_masks(Board& board, const OneHead& asking, const OneHead& memory, const Tensor& decoder_mask,
                  const Tensor& cross_mask);

}  // namespace attn
