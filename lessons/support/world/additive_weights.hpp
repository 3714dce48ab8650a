#pragma once

#include "attention/kinds/additive.hpp"
#include "board/board.hpp"
#include "support/program/options.hpp"
#include "support/world/one_head.hpp"
#include "support/world/world.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace attn {

/// What additive attention learns, for a world of rows of d_model numbers.
///
/// Where channels have names, it is made by hand, with two hidden units: "noun" finds nouns when a verb asks, "verb"
/// finds verbs when a noun asks. Elsewhere it is what PyTorch draws after an embedding table, with min(head_dim, 4)
/// units:
///   W, U  nn.Linear(d_model, units, bias=False) each
///   v     nn.Linear(units, 1, bias=False)
[[nodiscard]] AdditiveWeights additive_weights(const World& world, const Options& options);

/// Records them as the steps `W`, `U` and `v` [1, units].
void record_additive_weights(Board& board, const World& world, const AdditiveWeights& weights);

/// What the hidden units that were made by hand read; what is said of drawn ones elsewhere.
[[nodiscard]] std::string what_units_read(const World& world, std::size_t units);

/// PyTorch lines that print the weights of one state, row `i` of the text, over the memory, and the context.
[[nodiscard]] std::vector<std::string> pytorch_lines_of_additive(const OneHead& text, const OneHead& memory,
                                                                 const AdditiveWeights& weights,
                                                                 const Options& options);

}  // namespace attn
