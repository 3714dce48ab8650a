#pragma once

#include "tensor/tensor.hpp"

#include <optional>

namespace attn {

// ONNX's Softmax and LogSoftmax. Since opset 13 they are softmax and log_softmax along one axis, by default the last.
// Before, all axes from `axis` on (by default 1) were taken together as one row.

/// Throws std::invalid_argument when there is no such axis. Source: ONNX operator Softmax, opsets 1, 11 and 13.
[[nodiscard]] Tensor onnx_softmax(const Tensor& x, std::optional<int> axis = std::nullopt, int opset = 13);

/// Throws std::invalid_argument when there is no such axis. Source: ONNX operator LogSoftmax, opsets 1, 11 and 13.
[[nodiscard]] Tensor onnx_log_softmax(const Tensor& x, std::optional<int> axis = std::nullopt, int opset = 13);

}  // namespace attn
