#pragma once

#include "support/world/all_heads.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

// Sentences about several heads, computed from their numbers.

/// "Head 2 (subject – verb)", without its name where heads have none.
[[nodiscard]] std::string head_in_words(const World& world, std::size_t head);
/// The same of the head that a page follows, inside a sentence: "head 2 (subject – verb)".
[[nodiscard]] std::string followed_head(const OneHead& head);

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

/// How many heads and columns stand beside each other, where there are more: " Shown are the first 4 of 8 heads, and
/// the first 4 of 64 columns of each." Else empty.
[[nodiscard]] std::string what_of_heads_is_shown(const AllHeads& all, std::size_t most);

/// How many numbers of `split` stand elsewhere in `wrong`, which was made by reshape alone, and how many that would be
/// of a Q of this shape.
[[nodiscard]] std::string what_reshape_misplaces(const Tensor& split, const Tensor& wrong, const Shape& shape_of_Q,
                                                 std::size_t num_heads);

/// How wide a head is and how many channels it reads, and that more heads need no more weights.
[[nodiscard]] std::string what_heads_cost(const World& world);

/// Which columns of concat are those of the head that is followed, and what a name like noun#2 means.
[[nodiscard]] std::string where_a_head_lies(const AllHeads& all);

/// How far the contexts, merged rightly and by reshape alone, are from `joined`, the concat.
[[nodiscard]] std::string what_wrong_merging_misplaces(const Tensor& merged, const Tensor& wrong, const Tensor& joined,
                                                       std::size_t num_heads);

/// Which rows take colour when the last word is dyed, merged rightly and wrongly, [seq_len] each.
[[nodiscard]] std::string who_takes_colour(const Tensor& dyed, const Tensor& dyed_wrong);

/// What becomes of the average of the heads, and of concat, when the first head and the last change places. Needs two
/// heads.
[[nodiscard]] std::string what_an_average_forgets(const AllHeads& all);

/// Whose number a channel of the output would hold without W_O, and what it hears with it.
[[nodiscard]] std::string what_W_O_is_for(const AllHeads& all, std::size_t channel);

/// The numbers that divide d_model, which are the counts of heads it can be cut for: "1, 2, 4, 8 or 16".
[[nodiscard]] std::string possible_heads(std::size_t d_model);

}  // namespace attn
