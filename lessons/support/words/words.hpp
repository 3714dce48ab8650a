#pragma once

#include "board/trace.hpp"
#include "board/value.hpp"
#include "support/program/options.hpp"
#include "support/world/world.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace attn {

class Board;

// Words for sentences that are computed from the numbers, so that they stay true for any text and seed.

/// How prose names a token: "sat" in quotes, or, where the text has the word before, "the" (number 2).
[[nodiscard]] std::string name_of(const World& world, std::size_t token);

/// "a", "a and b", "a, b and c".
[[nodiscard]] std::string listed(const std::vector<std::string>& items);

/// Who chose the weights: "The weights were made by hand, to be read. ..."
[[nodiscard]] std::string where_weights_come_from(const Options& options);

/// Who filled in the embedding table: "Here they were filled in by hand; ..."
[[nodiscard]] std::string how_channels_were_filled(const Options& options);

/// "Shown are the first 7 of 512 channels.", where no channel has a meaning.
[[nodiscard]] std::string channels_shown(std::size_t d_model);

/// What the channels beside the sentence tell of these embeddings: where they have a meaning, that, and whether all
/// others are 0; else how many are shown.
[[nodiscard]] std::string what_channels_tell(const World& world, const Tensor& embeddings);

/// What a reader must know of this text: words that are not among the known ones, with what became of them, and a text
/// that is longer than the crafted world is made for. A sentence each.
[[nodiscard]] std::vector<std::string> remarks_on_text(const World& world);

/// What each row of a head (from 1) in W_Q, W_K or W_V reads, one after the other: "4·verb, 2·prep - 2·one, cos, sin".
[[nodiscard]] std::string recipes(const World& world, const Tensor& weight, std::size_t head);

/// A notice for each of these sentences, which are taken as they are.
void notice_each(Board& board, const std::vector<std::string>& sentences);

/// How the columns of a head (from 1) of the crafted world read X: "W_Q reads, column by column: 4·verb, 2·noun, ...".
[[nodiscard]] std::string what_Q_and_K_read(const World& world, std::size_t head);
[[nodiscard]] std::string what_V_reads(const World& world, std::size_t head);

/// Labels for a table with one row per head: "1 adjective → noun", or "head 1" where heads have no names.
[[nodiscard]] std::vector<std::string> head_labels(const World& world);

/// Which keys fit the query of token i best: "What \"sat\" looks for fits \"cat\" (8.992) best, then \"mat\" (8.726)."
[[nodiscard]] std::string what_fits_best(const World& world, const Tensor& scores, std::size_t i);

/// Where row i of some weights looks: "\"sat\" gives 0.51 to \"cat\" and 0.45 to \"mat\": 96 % of it all."
[[nodiscard]] std::string where_it_looks(const World& world, const Tensor& weights, std::size_t i);

/// To whom token i gives most, by row `row` of some weights over the tokens of `asked`: "most to \"cat\" (0.510)",
/// "most to
/// \"the\" and \"the\" (number 2) (0.300 each)", "as much to each word (0.143)", "all to \"cat\"", "nan". `itself`
/// is the token that is called so, where one text asks itself.
[[nodiscard]] std::string whom_it_gives_most(const World& asked, const Tensor& weights, std::size_t row,
                                             std::optional<std::size_t> itself = {});

/// What there is to say of such a row when its weights are nan: "The weights of \"sat\" are nan, ...".
[[nodiscard]] std::string weights_are_nan(const std::string& word);

/// Whether row i of a matrix has a nan in it.
[[nodiscard]] bool has_nan(const Tensor& matrix, std::size_t i);

/// The largest numbers of row i among these columns, with their names: "noun 0.97, animal 0.54 and thing 0.45".
[[nodiscard]] std::string contents_of(const Step& step, std::size_t i, const std::vector<std::size_t>& columns);

// Places in tensors.

/// The places of row i of a matrix, largest number first. NaN comes last.
[[nodiscard]] std::vector<std::size_t> largest_first(const Tensor& matrix, std::size_t i);

/// Of these columns, the one in which row i is farthest from 0.
[[nodiscard]] std::size_t largest_of(const Tensor& matrix, std::size_t i, const std::vector<std::size_t>& columns);

/// How large the number is that is farthest from 0; of nothing, 0.
[[nodiscard]] float largest_size(const Tensor& a);

/// 0, 1, ..., count - 1.
[[nodiscard]] std::vector<std::size_t> first_columns(std::size_t count);

/// The channels to show: those named, or where none has a meaning the first seven.
[[nodiscard]] std::vector<std::size_t> channels_to_show(const World& world, const std::vector<std::size_t>& named);

/// The channels that these weights read: the columns in which one of them is not 0. Where that is more than fits beside
/// each other, or none, the first seven.
[[nodiscard]] std::vector<std::size_t> channels_read(const std::vector<Tensor>& weights);

/// The columns of Q, K and V that belong to a head (from 1); of a wide head the first four.
[[nodiscard]] std::vector<std::size_t> first_columns_of_head(const World& world, std::size_t head);

/// Whether a matrix has nothing but 0 outside these columns.
[[nodiscard]] bool others_are_zero(const Tensor& matrix, const std::vector<std::size_t>& columns);

/// How many elements are exactly 1.
[[nodiscard]] std::size_t count_of_ones(const Tensor& mask);

/// How many elements are exactly this number.
[[nodiscard]] std::size_t count_of(const Tensor& tensor, float number);

// Differences. One rule for all sentences: nan is told, never taken for 0. Where both results are nan there is nothing
// to compare; nan against a number is nan. An infinity that both have is no difference.

/// The largest difference between two results, for a sentence: "0.31". Where there is nan, in words: "0.31 (both are
/// nan in 7 of 49 places)", "nan (both are nan)", "nan (nan against a number in 7 of 49 places)".
[[nodiscard]] Value difference_of(const Tensor& got, const Tensor& want);

/// The same for a sentence that is made here.
[[nodiscard]] std::string difference_in_words(const Tensor& got, const Tensor& want);
[[nodiscard]] std::string in_words(const Value& difference);

/// Whether such a difference is 0, with no nan on either side.
[[nodiscard]] bool is_none(const Value& difference);

}  // namespace attn
