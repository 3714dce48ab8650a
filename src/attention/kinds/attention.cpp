#include "attention/kinds/attention.hpp"

#include "attention/kinds/soft_cap.hpp"
#include "attention/scaled_dot_product.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/matmul.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>
#include <utility>

namespace attn {

FamilySteps attention(const Tensor& query, const Tensor& key, const Tensor& value, const AttentionOptions& options) {
  check_attention_shapes(query.shape(), key.shape(), value.shape());
  if (options.scale && !std::isfinite(*options.scale)) {
    throw std::invalid_argument(
        fmt::format("attention: scale is {}, but must be finite: leave it out for 1 / sqrt(head_dim)", *options.scale));
  }
  const float factor = options.scale ? *options.scale : 1.0F / std::sqrt(static_cast<float>(query.dim(-1)));

  Tensor scores = matmul_transposed(query, key, options.compute);
  Tensor scaled = scale(scores, factor);
  Tensor capped = options.soft_cap ? soft_cap(scaled, *options.soft_cap) : scaled;
  Tensor masked = apply_mask(capped, options.mask);
  Tensor weights =
      fill_empty_rows(softmax_in(options.softmax_precision, masked, options.compute), masked, options.empty_rows);
  Tensor dropped = options.dropout ? drop(weights, *options.dropout) : weights;
  Tensor context = matmul(dropped, value, options.compute);

  return {.scores = std::move(scores),
          .scaled = std::move(scaled),
          .capped = std::move(capped),
          .masked = std::move(masked),
          .weights = std::move(weights),
          .dropped = std::move(dropped),
          .context = std::move(context)};
}

}  // namespace attn
