#include "support/record/measured_products.hpp"

#include "fast/level.hpp"
#include "fast/pool.hpp"
#include "support/record/measured_time.hpp"
#include "support/record/seven_products.hpp"
#include "tensor/random.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace attn {

namespace {

/// No power of two: rows would begin a power of two apart, and share few sets of the cache.
constexpr std::size_t measured_size = 384;

constexpr double giga = 1e9;

/// GFLOP/s of as many multiplications and additions as there can be, on all threads at the same time.
double measured_peak(std::size_t threads) {
  const fast::Kernels& kernels = fast::best_kernels();
  constexpr std::size_t rounds = 1'000'000;  // a millisecond or more: waking a thread must not show
  std::vector<float> results(threads);
  const double seconds = least_seconds(
      [&] {
        fast::for_each_item(threads, threads, [&](std::size_t thread) {
          float numbers[] = {1.0F, 0.999F, 0.001F};
          kernels.reach_for_peak(rounds, static_cast<float*>(numbers));
          results[thread] = numbers[0];
        });
        return results[0];
      },
      {.runs = 15});  // of which the fastest counts: in one of them no other program wants the processor
  return static_cast<double>(rounds * kernels.peak_operations * threads) / seconds / giga;
}

}  // namespace

MeasuredProducts measure_products(std::size_t threads) {
  Random random(0);
  const Shape square = {measured_size, measured_size};
  const ProductData data = {.sizes = {.rows = measured_size, .columns = measured_size, .depth = measured_size},
                            .a = random.normal(square).values(),
                            .b = random.normal(square).values()};
  const double operations = 2.0 * std::pow(static_cast<double>(measured_size), 3.0);
  const fast::Kernels& kernels = fast::best_kernels();
  const std::string_view level = kernels.level;
  MeasuredProducts measured = {.size = measured_size,
                               .threads = threads,
                               .level = kernels.level,
                               .vector_floats = kernels.vector_floats,
                               .multiplies_and_adds = !level.starts_with("plain") && level != "base",
                               .speeds = {.unit = "GFLOP/s", .rows = {}}};
  const double peak_of_one = measured_peak(1);
  const double peak_of_all = measured_peak(threads);
  const std::vector<float> first = product(Way::ijk, data, threads);
  std::vector<float> c(first.size());
  for (const Way way : seven_ways) {
    product_into(way, data, threads, c);
    for (std::size_t k = 0; k < c.size(); ++k) {
      const double difference = std::abs(static_cast<double>(c[k]) - static_cast<double>(first[k]));
      measured.largest_difference = std::max(measured.largest_difference, difference);
    }
    const Repeats repeats = {.runs = way <= Way::packed ? std::size_t{3} : std::size_t{7}};
    const double seconds = median_seconds(
        [&] {
          product_into(way, data, threads, c);
          return c.back();
        },
        repeats);
    measured.speeds.rows.push_back({.name = name_of(way),
                                    .value = operations / seconds / giga,
                                    .peak = way == Way::threads ? peak_of_all : peak_of_one});
  }
  return measured;
}

}  // namespace attn
