#include "support/words/shared_heads_words.hpp"

#include "board/digits.hpp"
#include "support/record/places.hpp"
#include "support/words/heads_in_words.hpp"
#include "support/words/words.hpp"
#include "tensor/close.hpp"

#include <fmt/core.h>

namespace attn {

namespace {

std::string difference(const Tensor& got, const Tensor& want) {
  return difference_text(largest_difference(got, want).largest);
}

/// "0.513 to "cat""
std::string best_share(const AllHeads& all, const SharedHeads& shared) {
  const OneHead& followed = all.followed;
  const Tensor& weights = shared.steps.weights;
  std::size_t best = 0;
  for (std::size_t j = 1; j < weights.dim(2); ++j) {
    if (weights(followed.head - 1, followed.i, j) > weights(followed.head - 1, followed.i, best)) best = j;
  }
  const auto share = static_cast<double>(weights(followed.head - 1, followed.i, best));
  return fmt::format("{} to {}", fixed(share, 3), best == followed.i ? "itself" : name_of(followed.world, best));
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
      "Each layer keeps as much. Llama 2 70B has {} layers, {} heads of {} and {} bytes a number: for {} tokens {} GB. "
      "With its {} heads of K and V it is {} GB.",
      layers, num_heads, head_dim, bytes, tokens, gigabytes(num_heads), num_kv_heads, gigabytes(num_kv_heads));
}

std::string what_tiling_does(const Tensor& K_repeated, const Tensor& K_tiled, const Tensor& weights,
                             const Tensor& tiled_weights) {
  const std::size_t different = count_of_different(K_repeated, K_tiled);
  if (different == 0) return "Here both give the same: one head is repeated, or each head once, or heads are alike.";
  return fmt::format(
      "Both have one shape, so nothing complains. Yet {} of {} numbers of K differ, and weights by up to {}: heads ask "
      "the keys of another group.",
      different, K_repeated.size(), difference(weights, tiled_weights));
}

std::string what_sharing_does(const AllHeads& all, const SharedHeads& mha, const SharedHeads& gqa,
                              const SharedHeads& mqa) {
  return fmt::format(
      "{}: most of {} goes, with keys of its own, {}; with keys of its group {}; with those of all {}. Largest "
      "difference from MHA in the weights of any head: GQA {}, MQA {}.",
      head_in_words(all.followed.world, all.followed.head), all.followed.word, best_share(all, mha),
      best_share(all, gqa), best_share(all, mqa), difference(gqa.steps.weights, mha.steps.weights),
      difference(mqa.steps.weights, mha.steps.weights));
}

}  // namespace attn
