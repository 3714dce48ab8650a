#pragma once

#include "tensor/compute.hpp"
#include "tensor/tensor.hpp"

#include <optional>

namespace attn {

enum class Activation { relu, gelu, gelu_tanh };

/// The two learned maps of a feed-forward network; weights are [out, in], as PyTorch's nn.Linear keeps them.
struct FeedForwardWeights {
  Tensor W_1;                      // [hidden_dim, d_model]
  std::optional<Tensor> b_1 = {};  // [hidden_dim]; none where PyTorch's module has bias=False
  Tensor W_2;                      // [d_model, hidden_dim]
  std::optional<Tensor> b_2 = {};  // [d_model]; likewise
};

/// Every step of a feed-forward network.
struct FeedForwardSteps {
  Tensor hidden;     // x W_1^T + b_1               [.., hidden_dim]
  Tensor activated;  // relu or gelu of each number [.., hidden_dim]
  Tensor output;     // activated W_2^T + b_2       [.., d_model]
};

/// The part of a layer that is not attention: every token by itself through the same small network.
///
///   output = activation(x W_1^T + b_1) W_2^T + b_2
///
///   x        [.., d_model]
///   returns  all steps
///
/// Throws std::invalid_argument, naming the shapes, when they do not fit.
/// Source: Vaswani et al. 2017, section 3.3, eq. (2), with relu; BERT and GPT take gelu.
[[nodiscard]] FeedForwardSteps feed_forward(const Tensor& x, const FeedForwardWeights& weights, Activation activation,
                                            const Compute& compute = {});

}  // namespace attn
