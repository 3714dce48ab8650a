#include "attention/kinds/onnx_softmax.hpp"

#include "attention/kinds/normalized_rows.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/softmax.hpp"

namespace attn {

namespace {

using AlongOneAxis = Tensor (*)(const Tensor& x, int axis);

Tensor in_opset(AlongOneAxis function, const char* name, const Tensor& x, std::optional<int> axis, int opset) {
  if (opset >= 13) return function(x, axis.value_or(-1));
  const NormalizedRows rows = normalized_rows(name, x.shape(), axis.value_or(1));
  return reshape(function(reshape(x, {rows.count, rows.size}), -1), x.shape());
}

}  // namespace

Tensor onnx_softmax(const Tensor& x, std::optional<int> axis, int opset) {
  return in_opset([](const Tensor& rows, int along) { return softmax(rows, along); }, "Softmax", x, axis, opset);
}

Tensor onnx_log_softmax(const Tensor& x, std::optional<int> axis, int opset) {
  return in_opset(log_softmax, "LogSoftmax", x, axis, opset);
}

}  // namespace attn
