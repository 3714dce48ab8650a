#pragma once

#include "support/world/world.hpp"

#include <cstddef>
#include <cstdint>

namespace attn {

/// The world whose weights are the numbers that PyTorch draws, untrained:
///   torch.manual_seed(seed); nn.Embedding(256, d_model); query_linear, key_linear and value_linear, each
///   nn.Linear(d_model, d_model, bias=False); output_linear = nn.Linear(d_model, d_model)
/// Fills all of the World but `tokens` and `encoding`; the names stay empty, for no channel has a meaning.
[[nodiscard]] World torch_world(std::size_t d_model, std::size_t num_heads, std::uint64_t seed);

}  // namespace attn
