#include "attention/kinds/softmax_precision.hpp"

#include "tensor/layout.hpp"
#include "tensor/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace attn {

namespace {

/// Numbers m * 2^(e - digits) with whole |m| < 2^digits and e >= min_exponent.
struct Format {
  int digits;
  int min_exponent;
  double largest;
};

constexpr Format half{.digits = 11, .min_exponent = -13, .largest = 65504.0};
constexpr Format brain{.digits = 8, .min_exponent = -125, .largest = 0x1.FEp127};

double rounded_to(const Format& format, double x) {
  if (x == 0.0 || !std::isfinite(x)) return x;
  int exponent = 0;
  static_cast<void>(std::frexp(x, &exponent));
  const double step = std::ldexp(1.0, std::max(exponent, format.min_exponent) - format.digits);
  const double nearest = std::nearbyint(x / step) * step;
  return std::fabs(nearest) > format.largest ? std::copysign(std::numeric_limits<double>::infinity(), x) : nearest;
}

}  // namespace

double rounded_to(Precision precision, double x) {
  switch (precision) {
    case Precision::float32:
      return static_cast<double>(static_cast<float>(x));
    case Precision::float16:
      return rounded_to(half, x);
    case Precision::bfloat16:
      return rounded_to(brain, x);
    case Precision::float64:
      break;
  }
  return x;
}

Tensor softmax_in(Precision precision, const Tensor& a, const Compute& compute) {
  if (precision == Precision::float32) return softmax(a, /*axis=*/-1, compute);
  if (precision == Precision::float64) return softmax(a, /*axis=*/-1);

  const AlongAxis lines = along_axis(a.shape(), axis_index("softmax_in", a.shape(), -1));
  const auto round = [precision](double x) { return rounded_to(precision, x); };
  Tensor weights = a;
  std::vector<double> x(lines.size);
  for (std::size_t row = 0; row < lines.before; ++row) {
    float* weight = weights.values().data() + row * lines.size;
    for (std::size_t j = 0; j < lines.size; ++j) x[j] = round(static_cast<double>(weight[j]));
    double largest = -std::numeric_limits<double>::infinity();
    for (const double score : x) largest = score > largest ? score : largest;
    double sum = 0.0;
    for (double& e : x) {
      e = round(std::exp(round(e - largest)));
      sum += e;
    }
    sum = round(sum);
    for (std::size_t j = 0; j < lines.size; ++j) weight[j] = static_cast<float>(round(x[j] / sum));
  }
  return weights;
}

}  // namespace attn
