#pragma once

#include "tensor/tensor.hpp"

namespace attn {

/// capped = cap * tanh(scores / cap): small scores stay as they are, large ones never pass +-cap.
///
///   scores   any shape
///   cap      above 0 and finite
///   returns  the same shape
///
/// Capped before the mask: tanh would turn a hidden key's -inf into -cap, and the key would be seen again.
/// Throws std::invalid_argument, naming cap, when it is not above 0 and finite.
/// Source: Gemma Team 2024, "Gemma 2", section 2 (logit soft-capping); ONNX operator Attention, attribute softcap.
[[nodiscard]] Tensor soft_cap(const Tensor& scores, float cap);

}  // namespace attn
