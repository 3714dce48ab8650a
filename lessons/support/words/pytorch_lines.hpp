#pragma once

#include "support/program/options.hpp"
#include "support/world/world.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

/// PyTorch lines that compute the weights and the context of one head (from 1), and in the torch world the output of
/// all. They need nothing but PyTorch, print the page's numbers, and fit a page of 80 columns.
[[nodiscard]] std::vector<std::string> pytorch_lines(const World& world, const Options& options, std::size_t head);

// Pieces for lessons that show fewer steps or others.

/// The lines up to `s`, the scaled scores of one head (from 1): [seq_len, seq_len], nothing hidden yet. In them X and K
/// have their names too. They print nothing.
[[nodiscard]] std::vector<std::string> pytorch_lines_to_scaled(const World& world, const Options& options,
                                                               std::size_t head);

/// Lines that go on from there: `mask`, and `s` with -inf where it hides; none where the options hide nothing.
[[nodiscard]] std::vector<std::string> pytorch_lines_of_mask(const World& world, const Options& options);

/// Both together, and then a lesson's own lines.
[[nodiscard]] std::vector<std::string> pytorch_lines_to_masked(const World& world, const Options& options,
                                                               std::size_t head,
                                                               const std::vector<std::string>& then = {});

/// Lines that go on from a mask: the weights, and that PyTorch's two functions take a mask with opposite signs.
[[nodiscard]] std::vector<std::string> pytorch_lines_of_polarity(std::size_t head_dim);

/// Lines that go on from pytorch_lines_to_scaled: `V`, the values of the same head.
[[nodiscard]] std::vector<std::string> pytorch_lines_of_values(const World& world, std::size_t head);

/// The lines up to Q, K and V of one head (from 1), which they print.
[[nodiscard]] std::vector<std::string> pytorch_lines_to_Q_K_V(const World& world, const Options& options,
                                                              std::size_t head);

/// The lines up to the scaled scores of one head (from 1), and how 1,000 pairs of a query and a key spread: both
/// printed.
[[nodiscard]] std::vector<std::string> pytorch_lines_of_scaling(const World& world, const Options& options,
                                                                std::size_t head);

/// The lines up to the weights of one head (from 1), printed with the row sums of right and wrong axis, and with powers
/// that overflow.
[[nodiscard]] std::vector<std::string> pytorch_lines_of_softmax(const World& world, const Options& options,
                                                                std::size_t head);

/// Lines that go on from pytorch_lines_to_masked: `V`, and the context.
[[nodiscard]] std::vector<std::string> pytorch_lines_of_context(const World& world, std::size_t head);

// The lines of the first lessons, each of which prints what its page shows.

/// The ids of the tokens, by a dictionary of those in use.
[[nodiscard]] std::vector<std::string> pytorch_lines_of_ids(const World& world, const Options& options);

/// The embeddings, and their largest difference from the one-hot product.
[[nodiscard]] std::vector<std::string> pytorch_lines_of_embeddings(const World& world, const Options& options);

/// The positions, and X.
[[nodiscard]] std::vector<std::string> pytorch_lines_of_X(const World& world, const Options& options);
/// The lines for all heads at once: up to `concat`, and `W_O` and `b_O`; then a lesson's own lines.
[[nodiscard]] std::vector<std::string> pytorch_lines_to_concat(const World& world, const Options& options,
                                                               const std::vector<std::string>& then);

// Pieces for lessons that write lines of their own.

/// `table`, the embedding table; before it, where PyTorch draws or reads it, the lines for that.
[[nodiscard]] std::vector<std::string> pytorch_lines_of_table(const World& world, const Options& options);

/// `P`, the positions [seq_len, d_model]; a single 0 where there are none.
[[nodiscard]] std::vector<std::string> pytorch_lines_of_positions(const World& world, const Options& options,
                                                                  std::size_t seq_len);

/// `W_Q` and `W_K` [head_dim, d_model] of one head (from 1), made by hand.
[[nodiscard]] std::vector<std::string> pytorch_lines_of_head_weights(const World& world, std::size_t head);

}  // namespace attn
