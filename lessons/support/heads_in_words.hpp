#pragma once

#include "support/all_heads.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

// Sentences about several heads, computed from their numbers.

/// "Head 2 (subject – verb)", without its name where heads have none.
[[nodiscard]] std::string head_in_words(const World& world, std::size_t head);

/// The rows with the largest weights: "\"quick\" gives 0.86 to \"fox\", \"brown\" 0.86 to \"fox\" and ..."
[[nodiscard]] std::string largest_weights(const World& world, const Tensor& weights);

/// Where token i looks most, head by head: "most at \"dog\" in head 1, at \"fox\" in head 2".
[[nodiscard]] std::string looks_most_at(const AllHeads& all);

/// "rows 4 to 7", or "row 4" where it is only one; `end` is the one after the last.
[[nodiscard]] std::string span(const std::string& what, std::size_t begin, std::size_t end);

/// What stands over the columns of a head's value or context, for all heads: the name where they share one, else "own".
/// Nothing where columns have no names.
[[nodiscard]] std::vector<std::string> shared_value_names(const World& world);

/// How many heads a channel of the output hears: those of which its row of W_O reads a column with a weight that is not
/// 0.
[[nodiscard]] std::size_t heads_heard(const AllHeads& all, std::size_t channel);

/// The numbers that divide d_model, which are the counts of heads it can be cut for: "1, 2, 4, 8 or 16".
[[nodiscard]] std::string possible_heads(std::size_t d_model);

}  // namespace attn
