#include "support/words/query_key_value_words.hpp"

#include "board/digits.hpp"
#include "support/words/words.hpp"
#include "tensor/close.hpp"
#include "tensor/softmax.hpp"

#include <fmt/core.h>

namespace attn {

std::string which_channels(const World& world) {
  return world.crafted() ? "Of each row, these are the channels that the weights below read."
                         : channels_shown(world.d_model);
}

std::string what_W_Q_holds(const Options& options, const Tensor& W_Q) {
  const std::size_t used = W_Q.size() - count_of(W_Q, 0.0F);
  const std::string numbers = used == W_Q.size() ? fmt::format("None of the {} numbers of W_Q is 0.", used)
                                                 : fmt::format("{} of the {} numbers of W_Q {} not 0.", used,
                                                               W_Q.size(), used == 1 ? "is" : "are");
  switch (options.weights) {
    case Options::Weights::crafted:
      return numbers + " They were set by hand. A row is named after what it looks for.";
    case Options::Weights::torch:
      return numbers + " They are random: nobody has trained them.";
    case Options::Weights::file:
      return numbers + " They stand in the file of weights.";
  }
  return numbers;
}

std::string what_columns_read(const World& world, std::size_t head) {
  return fmt::format("Column by column: W_Q reads {}; W_K {}; W_V {}.", recipes(world, world.weights.W_Q, head),
                     recipes(world, world.weights.W_K, head), recipes(world, world.weights.W_V, head));
}

std::string how_far_wrong(const Tensor& right, const Tensor& wrong) {
  return fmt::format("Nothing complains: the shapes are equal. The numbers differ by up to {}.{}",
                     difference_text(largest_difference(right, wrong).largest),
                     right.dim(1) == 1 ? " (With a single channel a table is its own transpose.)" : "");
}

std::string what_softmax_feels(const Tensor& scores, const Tensor& with_bias_on_K, const Tensor& with_bias_on_Q,
                               const Compute& compute) {
  const Tensor shares = softmax(scores, -1, compute);
  const double felt_on_K = largest_difference(softmax(with_bias_on_K, -1, compute), shares).largest;
  const double felt_on_Q = largest_difference(softmax(with_bias_on_Q, -1, compute), shares).largest;
  return fmt::format(
      "A bias on K adds the same to every score of the row. The shares that softmax (lesson 07) makes of a row do not "
      "feel that: largest difference {}. {}",
      difference_text(felt_on_K),
      felt_on_Q > 1e-5 ? fmt::format("With a bias on Q they change by up to {}.", difference_text(felt_on_Q))
                       : fmt::format("Here a bias on Q does not change them either ({}).", difference_text(felt_on_Q)));
}

}  // namespace attn
