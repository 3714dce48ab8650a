#include "attention/kinds/dropout.hpp"

#include "attention/mask.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/random.hpp"

#include <fmt/core.h>

#include <stdexcept>

namespace attn {

namespace {

void check_rate(float rate) {
  if (rate >= 0.0F && rate <= 1.0F) return;
  throw std::invalid_argument(
      fmt::format("dropout: rate is {}, but is the share that is dropped: a number from 0 to 1", rate));
}

}  // namespace

Dropout draw_dropout(Random& random, const Shape& shape, float rate, Mode mode) {
  check_rate(rate);
  if (mode == Mode::evaluation) return {.rate = 0.0F, .kept = Tensor(shape, 1.0F)};

  Dropout dropout{.rate = rate, .kept = random.uniform(shape, 0.0F, 1.0F)};
  for (float& u : dropout.kept.values()) u = u < 1.0F - rate ? 1.0F : 0.0F;
  return dropout;
}

Tensor drop(const Tensor& x, const Dropout& dropout) {
  check_rate(dropout.rate);
  const Tensor kept = *keep_where(dropout.kept).keep;
  if (broadcast_shape("drop", x.shape(), kept.shape()) != x.shape()) {
    throw std::invalid_argument(fmt::format("drop: x is {} and kept is {}: draw kept for the shape of x",
                                            to_string(x.shape()), to_string(kept.shape())));
  }
  const float growth = dropout.rate < 1.0F ? 1.0F / (1.0F - dropout.rate) : 0.0F;  // nothing is left to grow
  return scale(multiply(x, kept), growth);
}

}  // namespace attn
