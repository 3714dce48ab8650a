#include "attention/kinds/feed_forward.hpp"

#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"

#include <fmt/core.h>

#include <stdexcept>
#include <utility>

namespace attn {

namespace {

Tensor activate(const Tensor& hidden, Activation activation) {
  switch (activation) {
    case Activation::gelu:
      return gelu(hidden);
    case Activation::gelu_tanh:
      return gelu_tanh(hidden);
    case Activation::relu:
      break;
  }
  return relu(hidden);
}

}  // namespace

FeedForwardSteps feed_forward(const Tensor& x, const FeedForwardWeights& weights, Activation activation,
                              const Compute& compute) {
  if (weights.W_1.rank() != 2 || x.rank() < 1 || weights.W_1.dim(1) != x.dim(-1) ||
      weights.W_2.shape() != Shape{x.dim(-1), weights.W_1.dim(0)}) {
    throw std::invalid_argument(
        fmt::format("feed-forward: W_1 must be [hidden_dim, d_model] and W_2 [d_model, hidden_dim], but x is {}, W_1 "
                    "is {} and W_2 is "
                    "{}: is one of them the transpose?",
                    to_string(x.shape()), to_string(weights.W_1.shape()), to_string(weights.W_2.shape())));
  }
  Tensor hidden = linear(x, weights.W_1, weights.b_1, compute);          // [.., hidden_dim]
  Tensor activated = activate(hidden, activation);                       // [.., hidden_dim]
  Tensor output = linear(activated, weights.W_2, weights.b_2, compute);  // [.., d_model]
  return {.hidden = std::move(hidden), .activated = std::move(activated), .output = std::move(output)};
}

}  // namespace attn
