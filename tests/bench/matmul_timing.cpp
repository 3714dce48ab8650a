#include "matmul_timing.hpp"

#include "fast/level.hpp"
#include "fast/matmul.hpp"
#include "peak.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <random>
#include <string>

#include <fmt/core.h>

namespace attn::bench {

namespace {

void multiply_ours(const FloatProduct& p, std::size_t threads) {
  const fast::Product product = {
      .rows = p.m,
      .columns = p.n,
      .depth = p.k,
      .a = {p.a, p.k, 1},
      .b = p.b_transposed ? fast::Matrix{p.b, 1, p.k} : fast::Matrix{p.b, p.n, 1},
      .c = p.c,
      .c_row = p.n,
  };
  fast::matmul(&product, 1, threads);
}

/// A product's memory, where std::vector puts it, as for the library's tensors. The numbers are between -1 and 1.
struct Operands {
  explicit Operands(const Shape& shape) : a(shape.m * shape.k), b(shape.k * shape.n), c(shape.m * shape.n) {
    std::mt19937 engine(1);
    for (std::vector<float>* numbers : {&a, &b}) {
      for (float& number : *numbers) number = static_cast<float>(engine()) * 0x1p-31F - 1.0F;
    }
    product = {shape.m, shape.n, shape.k, shape.b_transposed, a.data(), b.data(), c.data()};
  }

  std::vector<float> a;
  std::vector<float> b;
  std::vector<float> c;
  FloatProduct product;
};

/// Whether c is a b, by sums in double: all of a small product, some thousand numbers of a large one. k additions, in
/// any order, err by k half units in the last place of what was added up at most.
bool is_right(const Operands& operands) {
  const FloatProduct& p = operands.product;
  const std::size_t step = std::max<std::size_t>(1, p.m * p.n / 4001);
  for (std::size_t at = 0; at < p.m * p.n; ++at) {
    if (std::isnan(operands.c[at])) return false;  // never written
    if (at % step != 0 && at + 1 != p.m * p.n) continue;
    const std::size_t i = at / p.n;
    const std::size_t j = at % p.n;
    double sum = 0.0;
    double sizes = 0.0;
    for (std::size_t l = 0; l < p.k; ++l) {
      const double term = double{p.a[i * p.k + l]} * double{p.b_transposed ? p.b[j * p.k + l] : p.b[l * p.n + j]};
      sum += term;
      sizes += std::abs(term);
    }
    const double tolerance = static_cast<double>(p.k + 1) * 0x1p-24 * sizes;
    if (!(std::abs(double{operands.c[at]} - sum) <= tolerance)) return false;
  }
  return true;
}

void require_right(const std::string& who, const Shape& shape, Operands& operands, const std::function<void()>& call) {
  std::fill(operands.c.begin(), operands.c.end(), std::numeric_limits<float>::quiet_NaN());
  call();
  if (is_right(operands)) return;
  fmt::print("{} computes {} WRONGLY: a wrong answer has no speed\n", who, shape.name());
  std::exit(1);
}

}  // namespace

double Timing::ratio_to_best() const {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t rival = 0; rival < rivals.size(); ++rival) {
    if (has(rival)) least = std::min(least, ratio_to(rival));
  }
  return least;
}

std::array<Timing, 2> time_shape(const Shape& shape, const std::vector<BlasRival>& rivals, Rounds rounds) {
  Operands operands(shape);
  const FloatProduct& product = operands.product;
  std::vector<Contender> contenders;
  for (const std::size_t threads : thread_counts) {
    const auto ours = [&product, threads] { multiply_ours(product, threads); };
    require_right("our product", shape, operands, ours);
    contenders.push_back({"ours", repeated(ours)});
    for (const BlasRival& rival : rivals) {
      if (!rival.here) continue;
      const auto theirs = [&product, &rival] { rival.multiply(product); };
      rival.use_threads(threads);
      require_right(rival.name, shape, operands, theirs);
      contenders.push_back({rival.name, [&rival, threads, sample = repeated(theirs)] {
                              rival.use_threads(threads);
                              return sample();
                            }});
    }
    contenders.push_back({"peak", repeated([threads] { reach_for_peak(threads); })});
  }
  compare(contenders, rounds);

  std::array<Timing, 2> timings;
  auto contender = contenders.begin();
  for (Timing& timing : timings) {
    timing.ours = (contender++)->milliseconds;
    for (const BlasRival& rival : rivals) {
      timing.rivals.push_back(rival.here ? (contender++)->milliseconds : std::vector<double>());
    }
    timing.peak = (contender++)->milliseconds;
  }
  return timings;
}

}  // namespace attn::bench
