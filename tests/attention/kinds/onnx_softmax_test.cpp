#include "attention/kinds/onnx_softmax.hpp"

#include "catch.hpp"
#include "check_close.hpp"
#include "tensor/random.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/softmax.hpp"

#include <stdexcept>

namespace attn {

namespace {

constexpr Tolerance exact{};

}  // namespace

TEST_CASE("since opset 13, ONNX's softmax runs along one axis, the last by default", "[onnx_softmax]") {
  const Tensor x = Random(1).normal({2, 3, 5});
  check_close(onnx_softmax(x), softmax(x, -1), exact);
  check_close(onnx_softmax(x, 1), softmax(x, 1), exact);
  check_close(onnx_log_softmax(x, 0, 13), log_softmax(x, 0), exact);
}

TEST_CASE("before opset 13, all axes from the given one on were one row, from axis 1 by default", "[onnx_softmax]") {
  const Tensor x = Random(2).normal({2, 3, 5});
  const Tensor rows = reshape(x, {2, 15});
  check_close(onnx_softmax(x, std::nullopt, 11), reshape(softmax(rows, -1), x.shape()), exact);
  check_close(onnx_log_softmax(x, 0, 11), reshape(log_softmax(reshape(x, {30}), -1), x.shape()), exact);
  check_close(onnx_softmax(x, -1, 11), softmax(x, -1), exact);
  CHECK_THROWS_WITH(onnx_softmax(x, 3, 11), ContainsSubstring("Softmax: there is no axis 3 in shape [2, 3, 5]"));
}

}  // namespace attn
