#include "attention/kinds/layer_norm.hpp"

#include "attention/kinds/drawn.hpp"
#include "attention/kinds/rms_norm.hpp"
#include "catch.hpp"
#include "check_close.hpp"
#include "tensor/elementwise.hpp"
#include "tensor/random.hpp"
#include "tensor/rearrange.hpp"
#include "tensor/reduce.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace attn {

namespace {

constexpr Tolerance exact{};
constexpr float infinity = std::numeric_limits<float>::infinity();
const float nan = std::numeric_limits<float>::quiet_NaN();
const Tensor one = Tensor(Shape{}, 1.0F);  // a scale that changes nothing

bool all_nan(const Tensor& x) {
  for (const float number : x.values()) {
    if (!std::isnan(number)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("1, 3, 5, 7 have mean 4 and variance 5, worked by hand", "[layer_norm]") {
  const LayerNormSteps steps =
      layer_norm(Tensor::matrix({{1, 3, 5, 7}}),
                 {.scale = Tensor::vector({1, 1, 2, 2}), .bias = Tensor::vector({0, 10, 0, 10})}, {.epsilon = 0.0});
  const float s = 1.0F / std::sqrt(5.0F);
  check_close(steps.mean, Tensor::matrix({{4}}), exact);
  check_close(steps.centered, Tensor::matrix({{-3, -1, 1, 3}}), exact);
  check_close(steps.variance, Tensor::matrix({{5}}), exact);
  check_close(steps.inverse_std, Tensor::matrix({{s}}), {.atol = 1e-7, .rtol = 0.0});
  check_close(steps.normalized, Tensor::matrix({{-3 * s, -s, s, 3 * s}}), {.atol = 1e-6, .rtol = 0.0});
  check_close(steps.output, Tensor::matrix({{-3 * s, 10 - s, 2 * s, 10 + 6 * s}}), {.atol = 2e-6, .rtol = 0.0});
}

TEST_CASE("3 and 4 have mean square 12.5, worked by hand", "[rms_norm]") {
  const RmsNormSteps steps = rms_norm(Tensor::matrix({{3, 4}}), Tensor::vector({1, 10}), {.epsilon = 0.0});
  const float r = 1.0F / std::sqrt(12.5F);
  check_close(steps.mean_square, Tensor::matrix({{12.5F}}), exact);
  check_close(steps.output, Tensor::matrix({{3 * r, 40 * r}}), {.atol = 1e-6, .rtol = 0.0});
}

TEST_CASE("a normalized row has mean 0 and variance 1", "[layer_norm][law]") {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    Drawn drawn(seed);
    const std::size_t rows = drawn.size();
    const std::size_t channels = 1 + drawn.size();  // one number alone is its own mean
    CAPTURE(seed, rows, channels);
    const Tensor x = add(scale(Random(seed).normal({rows, channels}), 3.0F), Tensor(Shape{}, 5.0F));
    const Tensor y = layer_norm(x, {.scale = one, .bias = std::nullopt}, {.epsilon = 0.0}).output;
    check_close(mean(y, -1), Tensor({rows}), {.atol = 1e-6, .rtol = 0.0});  // at most 18 roundings of numbers below 5
    check_close(mean(multiply(y, y), -1), Tensor({rows}, 1.0F), {.atol = 1e-6, .rtol = 0.0});
  }
}

TEST_CASE("moving and stretching a row changes nothing of its layer norm; stretching nothing of its RMS norm",
          "[layer_norm][rms_norm][law]") {
  const Tensor x = Random(1).normal({3, 7});
  const LayerNormWeights plain{.scale = one, .bias = std::nullopt};
  const Tensor moved = add(scale(x, 4.0F), Tensor(Shape{}, 32.0F));
  check_close(layer_norm(moved, plain, {.epsilon = 0.0}).output, layer_norm(x, plain, {.epsilon = 0.0}).output,
              {.atol = 5e-6, .rtol = 0.0});  // numbers near 32 are rounded to 2e-6
  check_close(rms_norm(scale(x, 4.0F), one, {.epsilon = 0.0}).output, rms_norm(x, one, {.epsilon = 0.0}).output, exact);
  CHECK(largest_difference(rms_norm(moved, one).output, rms_norm(x, one).output).largest > 0.1);
}

TEST_CASE("RMS norm of a row with mean 0 is its layer norm", "[rms_norm][law]") {
  const Tensor x = layer_norm(Random(2).normal({5, 17}), {.scale = one, .bias = std::nullopt}).centered;
  check_close(rms_norm(x, one).output, layer_norm(x, {.scale = one, .bias = std::nullopt}).output,
              {.atol = 1e-6, .rtol = 1e-6});
}

TEST_CASE("from any axis on, the rows are those of the reshaped matrix", "[layer_norm][rms_norm][law]") {
  const int axis = GENERATE(0, 1, 2, 3, -1, -2, -3, -4);
  CAPTURE(axis);
  const Tensor x = Random(3).normal({2, 3, 5, 7});
  const auto first = static_cast<std::size_t>(axis < 0 ? axis + 4 : axis);
  Shape statistics = x.shape();
  std::size_t row = 1;
  for (std::size_t k = first; k < 4; ++k) {
    row *= x.shape()[k];
    statistics[k] = 1;
  }
  const Tensor flat = reshape(x, {x.size() / row, row});
  const LayerNormSteps steps = layer_norm(x, {.scale = one, .bias = std::nullopt}, {.axis = axis});
  check_close(reshape(steps.output, flat.shape()), layer_norm(flat, {.scale = one, .bias = std::nullopt}).output,
              exact);
  CHECK(steps.mean.shape() == statistics);
  CHECK(steps.inverse_std.shape() == statistics);
  check_close(reshape(rms_norm(x, one, {.axis = axis}).output, flat.shape()), rms_norm(flat, one).output, exact);
}

TEST_CASE("a constant row has no spread: its layer norm is the bias, with epsilon 0 it is NaN", "[layer_norm]") {
  const Tensor x = Tensor::matrix({{5, 5, 5}, {1, 2, 3}});
  const LayerNormWeights weights{.scale = Tensor::vector({1, 2, 3}), .bias = Tensor::vector({7, 8, 9})};
  const Tensor y = layer_norm(x, weights).output;
  check_close(slice(y, 0, 0, 1), Tensor::matrix({{7, 8, 9}}), exact);
  const Tensor undefined = layer_norm(x, weights, {.epsilon = 0.0}).output;
  CHECK(all_nan(slice(undefined, 0, 0, 1)));
  CHECK(std::isfinite(undefined(1, 0)));
  check_close(rms_norm(Tensor({2, 3}), weights.scale).output, Tensor({2, 3}), exact);
  CHECK(all_nan(rms_norm(Tensor({2, 3}), weights.scale, {.epsilon = 0.0}).output));
}

TEST_CASE("the edges of the norms: nothing, one number, huge numbers, NaN and infinities", "[layer_norm][rms_norm]") {
  const LayerNormWeights plain{.scale = one, .bias = std::nullopt};
  CHECK(layer_norm(Tensor({0, 3}), plain).output.shape() == Shape{0, 3});
  CHECK(layer_norm(Tensor({3, 0}), plain).output.shape() == Shape{3, 0});
  CHECK(rms_norm(Tensor({3, 0}), one).output.shape() == Shape{3, 0});
  check_close(layer_norm(Tensor::vector({-7}), plain).output, Tensor::vector({0}), exact);
  check_close(rms_norm(Tensor::vector({-7}), one, {.epsilon = 0.0}).output, Tensor::vector({-1}), exact);
  for (const float special : {nan, infinity, -infinity}) {
    const Tensor x = Tensor::matrix({{1, special, 3}, {1, 2, 3}});
    const Tensor y = layer_norm(x, plain).output;
    CHECK(all_nan(slice(y, 0, 0, 1)));
    CHECK(std::isfinite(y(1, 0)));
  }
  CHECK(all_nan(slice(rms_norm(Tensor::matrix({{1, nan, 3}, {1, 2, 3}}), one).output, 0, 0, 1)));
}

TEST_CASE("what no float can hold is infinite or 0 for the steps that follow, too", "[layer_norm][rms_norm]") {
  const LayerNormWeights plain{.scale = one, .bias = std::nullopt};
  // PyTorch 1.13: torch.native_layer_norm(torch.tensor([[1e25, -1e25, 0]]), [3], None, None, 1e-5) is 0 and has the
  // inverse 0; with numbers of 3e38 the mean of ONNX's reference is finite, too, and PyTorch's is not.
  for (const float huge : {1e25F, 3e38F}) {
    const LayerNormSteps steps = layer_norm(Tensor::vector({huge, -huge, 0}), plain);
    CHECK(steps.variance(0) == infinity);
    CHECK(steps.inverse_std(0) == 0.0F);
    check_close(steps.output, Tensor({3}), exact);
    check_close(rms_norm(Tensor::vector({huge, -huge, 0}), one).output, Tensor({3}), exact);
  }
  // The first number is further from the mean than a float reaches: inf times 0.
  const Tensor far = layer_norm(Tensor::vector({3.4e38F, -3.4e38F, -3.4e38F}), plain).output;
  CHECK(std::isnan(far(0)));
  CHECK(far(1) == 0.0F);
  // A variance of 1e-42 is a float of few digits. PyTorch: 0.9997365 and 9.997365e20.
  const LayerNormSteps tiny = layer_norm(Tensor::vector({1e-21F, -1e-21F}), plain, {.epsilon = 0.0});
  check_close(tiny.output, Tensor::vector({0.9997365F, -0.9997365F}), {.atol = 1e-6, .rtol = 0.0});
  CHECK(layer_norm(Tensor::vector({1e-30F, -1e-30F}), plain, {.epsilon = 0.0}).inverse_std(0) == infinity);
  CHECK(rms_norm(Tensor::vector({1e-30F, -1e-30F}), one, {.epsilon = 0.0}).inverse_rms(0) == infinity);
}

TEST_CASE("norms refuse what does not fit, naming it", "[layer_norm][rms_norm]") {
  const Tensor x({2, 3, 5});
  const LayerNormWeights plain{.scale = one, .bias = std::nullopt};
  CHECK_THROWS_WITH(layer_norm(x, plain, {.axis = 3}),
                    "layer_norm: there is no axis 3 in shape [2, 3, 5]: axes go from 0 to 2, or from -1 to -3");
  CHECK_THROWS_WITH(
      layer_norm(x, {.scale = Tensor({3}), .bias = std::nullopt}),
      "layer_norm: scale is [3] and x is [2, 3, 5]: scale must broadcast to x, mostly one number for each "
      "of its 5 channels: [5]");
  CHECK_THROWS_WITH(layer_norm(x, {.scale = Tensor({5}), .bias = Tensor({4, 2, 3, 5})}),
                    ContainsSubstring("bias is [4, 2, 3, 5] and x is [2, 3, 5]"));
  CHECK_THROWS_WITH(layer_norm(x, plain, {.epsilon = -1.0}),
                    "layer_norm: epsilon must be 0 or a little more, not -1: try 1e-05");
  CHECK_THROWS_AS(layer_norm(x, plain, {.epsilon = std::nan("")}), std::invalid_argument);
  CHECK_THROWS_AS(layer_norm(Tensor(), plain), std::invalid_argument);
  CHECK_THROWS_WITH(rms_norm(x, Tensor({7})), ContainsSubstring("rms_norm: scale is [7] and x is [2, 3, 5]"));
  CHECK_THROWS_WITH(rms_norm(x, one, {.axis = -4}), ContainsSubstring("rms_norm: there is no axis -4"));
}

}  // namespace attn
