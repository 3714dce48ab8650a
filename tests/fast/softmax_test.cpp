#include "fast/softmax.hpp"

#include "catch.hpp"
#include "fast/reference.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace attn::fast {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::vector<float> softmax_of(const std::vector<float>& scores, std::size_t columns, const Kernels& kernels,
                              std::size_t threads = 1) {
  std::vector<float> weights(scores.size(), -77.0F);
  softmax(scores.data(), columns == 0 ? 0 : scores.size() / columns, columns, weights.data(), threads, kernels);
  return weights;
}

}  // namespace

TEST_CASE("fast softmax turns scores ln 1, ln 2, ln 3 into weights 1/6, 2/6, 3/6", "[fast][softmax]") {
  const Kernels& kernels = *GENERATE(from_range(kernels_here()));
  const std::vector<float> weights = softmax_of({0.0F, std::log(2.0F), std::log(3.0F)}, 3, kernels);
  CHECK_THAT(weights[0], WithinAbs(1.0 / 6, 2e-7));
  CHECK_THAT(weights[1], WithinAbs(2.0 / 6, 2e-7));
  CHECK_THAT(weights[2], WithinAbs(3.0 / 6, 2e-7));
}

TEST_CASE("fast softmax is std::exp's over its sum, for every length of a row", "[fast][softmax]") {
  const Kernels& kernels = *GENERATE(from_range(kernels_here()));
  Engine engine(1);
  for (std::size_t columns = 1; columns < 70; ++columns) {
    std::vector<float> scores = normal(engine, 3 * columns);
    for (float& score : scores) score *= 9.0F;
    const std::vector<float> weights = softmax_of(scores, columns, kernels);
    for (std::size_t i = 0; i < 3; ++i) {
      const float* row = scores.data() + i * columns;
      const auto largest = static_cast<double>(*std::max_element(row, row + columns));
      double sum = 0.0;
      for (std::size_t j = 0; j < columns; ++j) sum += std::exp(static_cast<double>(row[j]) - largest);
      for (std::size_t j = 0; j < columns; ++j) {
        const double want = std::exp(static_cast<double>(row[j]) - largest) / sum;
        CAPTURE(kernels.level, columns, i, j);
        // The power's own 1.6e-7; the exponent, up to 60, is rounded to float; and up to 70 additions.
        CHECK_THAT(weights[i * columns + j], WithinRel(static_cast<float>(want), 1e-5F));
      }
    }
  }
}

TEST_CASE("fast softmax: hidden scores get 0, a row of them NaN, and huge equal scores share alike",
          "[fast][softmax]") {
  const Kernels& kernels = *GENERATE(from_range(kernels_here()));
  const std::vector<float> weights = softmax_of({-infinity, 1.0F, -infinity, 1.0F}, 4, kernels);
  CHECK(weights == std::vector<float>{0.0F, 0.5F, 0.0F, 0.5F});
  CHECK(std::isnan(softmax_of({-infinity, -infinity}, 2, kernels)[1]));
  CHECK(softmax_of({3e38F, 3e38F, -3e38F}, 3, kernels) == std::vector<float>{0.5F, 0.5F, 0.0F});
  CHECK(softmax_of({-3e38F, -3e38F}, 2, kernels) == std::vector<float>{0.5F, 0.5F});
  const auto nan_of = [](unsigned bits) { return std::bit_cast<float>(bits); };  // a NaN's other bits are anybody's
  for (const float special : {nan, infinity, nan_of(0x7fc00001), nan_of(0x7fc000ff), nan_of(0xffc00001)}) {
    const std::vector<float> row = softmax_of({0.0F, special, 2.0F}, 3, kernels);
    CHECK(std::all_of(row.begin(), row.end(), [](float weight) { return std::isnan(weight); }));
  }
}

TEST_CASE("powers of two are right to 2.5e-7: weights of two scores are the logistic function of their difference",
          "[fast][softmax]") {
  const Kernels& kernels = *GENERATE(from_range(kernels_here()));
  double largest_error = 0.0;
  for (int n = 0; n <= 4000; ++n) {
    // Of weights w and 1 - w the quotient is the power itself. Below 1 the distance is rounded to 6e-8 at most.
    const float difference = -static_cast<float>(n) / 4000.0F;
    const std::vector<float> weights = softmax_of({0.0F, difference}, 2, kernels);
    const double power = static_cast<double>(weights[1]) / static_cast<double>(weights[0]);
    largest_error = std::max(largest_error, std::abs(power / std::exp(static_cast<double>(difference)) - 1.0));
  }
  CAPTURE(kernels.level);
  CHECK(largest_error < 2.5e-7 + 3 * 6e-8 + 1.5e-7);  // the power's, three roundings, the distance's
}

TEST_CASE("fast softmax of no rows or of no columns touches nothing", "[fast][softmax]") {
  softmax(nullptr, 0, 5, nullptr, 2);
  softmax(nullptr, 5, 0, nullptr, 2);
  SUCCEED();
}

TEST_CASE("the number of threads changes no bit of fast softmax, and it may be done in place", "[fast][softmax]") {
  Engine engine(2);
  std::vector<float> scores = normal(engine, 300 * 130);
  const std::vector<float> alone = softmax_of(scores, 130, best_kernels(), 1);
  for (const std::size_t threads : {2U, 3U, 8U}) CHECK(softmax_of(scores, 130, best_kernels(), threads) == alone);
  softmax(scores.data(), 300, 130, scores.data(), 2);
  CHECK(scores == alone);
}

}  // namespace attn::fast
