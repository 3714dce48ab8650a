#include "support/words/layer_words.hpp"

#include "attention/kinds/decoder_layer.hpp"
#include "attention/kinds/encoder_layer.hpp"
#include "board/digits.hpp"
#include "support/program/quoted.hpp"
#include "support/words/words.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn {

namespace {

std::string number(double x) {
  return short_number(x, 3);
}

/// The length of row i: the root of the sum of its squares.
double length_of(const Tensor& matrix, std::size_t i) {
  double squares = 0.0;
  for (std::size_t d = 0; d < matrix.dim(1); ++d) squares += std::pow(static_cast<double>(matrix(i, d)), 2);
  return std::sqrt(squares);
}

/// The variance of each row, [seq_len].
Tensor variances_of(const Tensor& matrix) {
  const Tensor means = reshape(mean(matrix, -1), {matrix.dim(0), 1});
  const Tensor centered = subtract(matrix, means);
  return mean(multiply(centered, centered), -1);
}

std::string span_of(const Tensor& list) {
  if (std::any_of(list.values().begin(), list.values().end(), [](float x) { return std::isnan(x); })) return "nan";
  const auto [least, most] = std::minmax_element(list.values().begin(), list.values().end());
  const std::string from = number(static_cast<double>(*least));
  const std::string to = number(static_cast<double>(*most));
  return from == to ? from : fmt::format("{} to {}", from, to);
}

/// Channels of token i in which X has something to say and adding it to attention changes nothing.
std::size_t swallowed(const Trace& trace, std::size_t i) {
  const Tensor& X = trace.step("X").value;
  const Tensor& attention = trace.step("attention").value;
  const Tensor& sum = trace.step("after_attention").value;
  std::size_t channels = 0;
  for (std::size_t d = 0; d < X.dim(1); ++d) {
    if (std::abs(X(i, d)) >= 0.01F && sum(i, d) == attention(i, d)) ++channels;
  }
  return channels;
}

}  // namespace

std::string what_the_sum_keeps(const Board& board, const OneHead& text, const std::vector<std::size_t>& channels) {
  const Step& X = board.trace().step("X");
  const Step& attention = board.trace().step("attention");
  if (has_nan(board.trace().step("after_attention").value, text.i)) {
    return fmt::format("Attention brings nan, and then the sum has nan: of {} not all is left.", text.word);
  }
  if (const std::size_t lost = swallowed(board.trace(), text.i); lost > 0) {
    return fmt::format(
        "In {} of {} channels the sum is attention's number alone: beside one so large a float has no room for X's. "
        "There what {} is, is lost.",
        lost, X.value.dim(1), text.word);
  }
  if (text.world.crafted()) {
    return fmt::format("What {} is, is not lost. It came in with {}; attention brings {}.", text.word,
                       contents_of(board.trace().step("embeddings"), text.i, channels),
                       contents_of(attention, text.i, channels));
  }
  const Step& sum = board.trace().step("after_attention");
  return fmt::format("What {} is, is not lost: as arrows, X is {} long, attention {}, and the sum of both {}.",
                     text.word, number(length_of(X.value, text.i)), number(length_of(attention.value, text.i)),
                     number(length_of(sum.value, text.i)));
}

std::string what_the_norm_reaches(const Tensor& normalized) {
  if (normalized.dim(1) == 1) return "A row of a single number is its own mean, so the norm makes it 0.";
  const Tensor ones({normalized.dim(0)}, 1.0F);
  const Tensor zeros({normalized.dim(0)});
  return fmt::format(
      "In no row is the mean farther from 0 than {}, or the variance from 1 than {}. No other word is read.",
      difference_in_words(mean(normalized, -1), zeros), difference_in_words(variances_of(normalized), ones));
}

std::string what_the_network_does(const OneHead& text, const LayerWorld& layer, const Tensor& activated,
                                  const Tensor& read, const Tensor& network) {
  std::size_t above = 0;
  for (std::size_t k = 0; k < activated.dim(1); ++k) above += activated(text.i, k) > 0.0F ? 1 : 0;
  const Tensor row = slice(read, 0, text.i, text.i + 1);
  const Tensor alone = feed_forward(row, layer.network, Activation::relu, layer.options.compute).output;
  return fmt::format("Of {} hidden numbers {} are above 0 for {}. Alone it gives the same: difference {}.",
                     activated.dim(1), above, text.word,
                     difference_in_words(alone, slice(network, 0, text.i, text.i + 1)));
}

std::string same_in_one_call(const Tensor& output, const OneHead& text, const LayerWorld& layer, NormOrder order) {
  LayerOptions options = layer.options;
  options.norm_order = order;
  const EncoderLayerSteps at_once = encoder_layer(text.X, layer.encoder, options, {.attention = keep_where(text.mask)});
  return fmt::format("In one call{}: difference {}.", order == NormOrder::post ? ", encoder_layer()" : "",
                     difference_in_words(output, at_once.output));
}

std::string same_in_one_call(const Tensor& decoded, const Tensor& memory, const OneHead& text,
                             const LayerWorld& layer) {
  const Mask causal = keep_where(causal_mask(text.X.dim(0)));
  const DecoderLayerSteps at_once =
      decoder_layer(text.X, memory, layer.decoder, layer.options, {.target = {.attention = causal}, .memory = {}});
  return fmt::format("In one call, decoder_layer(): difference {}.", difference_in_words(decoded, at_once.output));
}

std::string what_the_network_is(const LayerWorld& layer) {
  return fmt::format(
      "Attention mixes words; the network takes each alone: its row becomes {} numbers, negative ones 0, and {} come "
      "back. (Weights: torch.manual_seed({}), {}.)",
      layer.hidden_dim, layer.norm.scale.dim(0), layer.seed,
      layer.seed > 0 ? "--seed + 1: --seed draws the torch world" : "which follows the largest --seed");
}

std::string what_a_decoder_adds(const std::string& source_text) {
  return fmt::format(
      "Each word looks at its own past, then at the memory: what an encoder's layer puts out for {}. In a real layer "
      "each attention has weights of its own; here both have the world's:",
      quoted(source_text));
}

std::string what_pre_norm_leaves(const NormOrders& orders) {
  const Tensor written_by_parts = add(orders.attention, orders.network);
  return fmt::format(
      "Pre-norm, output - X is what both parts wrote: largest difference {}. So X passes a stack, and "
      "gradients pass back, without a norm. Rows have variance {} in X, {} pre-norm, {} post-norm.",
      difference_in_words(subtract(orders.pre_output, orders.X), written_by_parts), span_of(variances_of(orders.X)),
      span_of(variances_of(orders.pre_output)), span_of(variances_of(orders.post_output)));
}

std::string where_it_looks_in_the_memory(const Board& board, const OneHead& text, const OneHead& source) {
  const Tensor& weights = board.trace().step("cross_weights").value;
  return fmt::format("Head {}: of the memory, which has no mask, {} gives {}.{}", text.head, text.word,
                     whom_it_gives_most(source.world, weights, text.i),
                     text.world.crafted() ? " (Hand-made heads expect X; behind a norm they find other things.)" : "");
}

std::string what_parameters_cost(const Board& board, const World& world) {
  const Tensor& parameters = board.trace().step("learned").value;
  const double share = 100.0 * static_cast<double>(parameters(1, 0)) / static_cast<double>(parameters(3, 0));
  return fmt::format(
      "d = {}: 4d² + d for an attention, 8d² + 5d for the network, 2d for a norm. The network learns {:.0f} % of the "
      "encoder's numbers.",
      world.d_model, share);
}

std::string what_silent_parts_leave(const OneHead& text, const LayerWorld& layer) {
  EncoderLayerWeights silent = layer.encoder;
  for (Tensor* const weights :
       {&silent.self_attention.W_O, &*silent.self_attention.b_O, &silent.feed_forward.W_2, &*silent.feed_forward.b_2}) {
    *weights = Tensor(weights->shape());
  }
  const Mask mask = keep_where(text.mask);
  LayerOptions pre = layer.options;
  pre.norm_order = NormOrder::pre;
  const Tensor before = encoder_layer(text.X, silent, pre, {.attention = mask}).output;
  const Tensor after = encoder_layer(text.X, silent, layer.options, {.attention = mask}).output;
  return fmt::format(
      "Pre-norm, nothing: X comes out, largest difference {}. Post-norm, X comes out normed, up to {} away from X.",
      difference_in_words(before, text.X), difference_in_words(after, text.X));
}

}  // namespace attn
