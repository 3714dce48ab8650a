#include "support/words/shared_heads_words.hpp"

#include "board/digits.hpp"
#include "support/record/places.hpp"
#include "support/words/heads_in_words.hpp"
#include "support/words/words.hpp"
#include "tensor/rearrange.hpp"

#include <fmt/core.h>

namespace attn {

namespace {

/// "most to \"cat\" (0.513)", of the page's head and word.
std::string looks(const AllHeads& all, const SharedHeads& shared) {
  const OneHead& followed = all.followed;
  const Tensor& weights = shared.steps.weights;
  const std::size_t seq_len = weights.dim(2);
  const Tensor of_head = reshape(slice(weights, 0, followed.head - 1, followed.head), {seq_len, seq_len});
  return whom_it_gives_most(followed.world, of_head, followed.i, followed.i);
}

}  // namespace

std::string who_shares(std::size_t num_heads, std::size_t num_kv_heads) {
  if (num_heads == 1) return "This world has one head, which has nobody to share with: all three are the same here.";
  if (num_kv_heads == 1) {
    return fmt::format("{} heads make no groups but one of all, or one of each: GQA is MQA here.", num_heads);
  }
  return fmt::format("Between the ends, here, {} query heads share a head of K and V.", num_heads / num_kv_heads);
}

std::string what_a_large_model_keeps() {
  constexpr double layers = 80;
  constexpr double num_heads = 64;
  constexpr double num_kv_heads = 8;
  constexpr double head_dim = 128;
  constexpr double bytes = 2;
  constexpr double tokens = 4096;
  const auto gigabytes = [&](double heads) { return fixed(2 * heads * head_dim * bytes * layers * tokens / 1e9, 1); };
  return fmt::format(
      "A model stacks layers (lesson 20), each with K and V of its own. Llama 2 70B has {}, of {} heads of {}, at {} "
      "bytes a number: for {} tokens {} GB. With its {} heads of K and V it is {} GB.",
      layers, num_heads, head_dim, bytes, tokens, gigabytes(num_heads), num_kv_heads, gigabytes(num_kv_heads));
}

std::string what_shapes_become(const AllHeads& all, const Tensor& K) {
  const Shape of_all = {all.num_heads, all.followed.X.dim(0), all.head_dim};
  return fmt::format("K was {0} (heads, words, columns) and is {1}; Q stays.", to_string(of_all), to_string(K.shape()));
}

std::string what_tiling_does(const Tensor& K_repeated, const Tensor& K_tiled, const Tensor& weights,
                             const Tensor& tiled_weights) {
  const std::size_t different = count_of_different(K_repeated, K_tiled);
  if (different == 0) return "Here both give the same: one head is repeated, or each head once, or heads are alike.";
  return fmt::format(
      "Both have one shape, so nothing complains. Yet {} of {} numbers of K differ, and weights by up to {}: heads ask "
      "the keys of another group.",
      different, K_repeated.size(), difference_in_words(weights, tiled_weights));
}

std::string what_sharing_does(const AllHeads& all, const SharedHeads& mha, const SharedHeads& gqa,
                              const SharedHeads& mqa) {
  return fmt::format(
      "{}: with keys of its own, {} gives {}; with keys of its group, {}; with those of all, {}. Largest difference "
      "from "
      "MHA in the weights of any head: GQA {}, MQA {}.",
      head_in_words(all.followed.world, all.followed.head), all.followed.word, looks(all, mha), looks(all, gqa),
      looks(all, mqa), difference_in_words(gqa.steps.weights, mha.steps.weights),
      difference_in_words(mqa.steps.weights, mha.steps.weights));
}

}  // namespace attn
