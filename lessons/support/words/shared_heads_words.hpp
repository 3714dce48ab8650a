#pragma once

#include "support/world/all_heads.hpp"
#include "support/world/shared_heads.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>

namespace attn {

// Sentences of the lesson about shared heads, computed from its numbers.

/// Who shares with whom on this page: "GQA: 4 query heads share 2 heads of K and V, 2 each."
[[nodiscard]] std::string who_shares(std::size_t num_heads, std::size_t num_kv_heads);

/// What a model of many layers keeps, with the sizes of Llama 2 70B.
[[nodiscard]] std::string what_a_large_model_keeps();

/// What sharing does to the shape of K, by heads, and not to that of Q.
[[nodiscard]] std::string what_shapes_become(const AllHeads& all, const Tensor& K);

/// At how many places keys in the wrong order differ from those in the right one, and by how much the weights.
[[nodiscard]] std::string what_tiling_does(const Tensor& K_repeated, const Tensor& K_tiled, const Tensor& weights,
                                           const Tensor& tiled_weights);

/// Where the page's word looks with keys of its own, with keys of its group, and with those of all.
[[nodiscard]] std::string what_sharing_does(const AllHeads& all, const SharedHeads& mha, const SharedHeads& gqa,
                                            const SharedHeads& mqa);

}  // namespace attn
