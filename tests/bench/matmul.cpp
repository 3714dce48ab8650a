// Our product of matrices beside those of OpenBLAS and oneDNN: tests/bench/run matmul

#include "fast/level.hpp"
#include "matmul_timing.hpp"
#include "peak.hpp"
#include "setting.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

namespace attn::bench {

namespace {

struct TimedShape {
  Shape shape;
  std::array<Timing, 2> timings;  // on 1 thread and on 2
};

double gigaflops(double operations, double milliseconds) {
  return operations / milliseconds * 1e-6;
}

double share_of_peak(const Shape& shape, const Timing& timing, std::size_t threads) {
  const double highest = gigaflops(operations_at_peak(threads), minimum(timing.peak));
  return gigaflops(shape.operations(), median(timing.ours)) / highest;
}

/// Median, minimum, and the speed at the median.
std::string columns(const Shape& shape, const std::vector<double>& milliseconds) {
  if (milliseconds.empty()) return fmt::format(" {:>7} {:>7} {:>4}", "-", "-", "-");
  const auto microseconds = [](double time) {
    const double us = time * 1e3;
    return fmt::format("{:7.{}f}", us, us < 100 ? 2 : us < 10'000 ? 1 : 0);
  };
  const double middle = median(milliseconds);
  return fmt::format(" {} {} {:4.0f}", microseconds(middle), microseconds(minimum(milliseconds)),
                     gigaflops(shape.operations(), middle));
}

void print_heading(const std::vector<BlasRival>& rivals, Rounds rounds) {
  print_setting();
  for (const BlasRival& rival : rivals) fmt::print("{}: {}\n", rival.name, rival.version);
  fmt::print(
      "\nC = A B for A [m, k], B [k, n]; T: B lies transposed. t: threads. Microseconds: median and\n"
      "minimum of up to {} rounds. GF/s: thousand million operations a second, 2 m n k / median. peak: our\n"
      "share of what multiply-adds in registers alone reach at best. /Op, /best: how many times as\n"
      "fast as OpenBLAS, and as the best rival.\n\n",
      rounds.most);
  fmt::print("{:<18}{:>20}{:>5}{:>21}{:>21}\n", "", "ours", "", rivals[0].name, rivals[1].name);
  fmt::print("{:<16} t  median     min GF/s peak  median     min GF/s  median     min GF/s   /Op /best\n", "m x n x k");
}

void print_row(const Shape& shape, std::size_t threads, const Timing& timing) {
  const auto ratio = [](double number) { return std::isfinite(number) ? fmt::format("{:6.2f}", number) : "     -"; };
  fmt::print("{:<16} {}{} {:3.0f}%{}{}{}{}\n", shape.name(), threads, columns(shape, timing.ours),
             100.0 * share_of_peak(shape, timing, threads), columns(shape, timing.rivals[0]),
             columns(shape, timing.rivals[1]), timing.has(0) ? ratio(timing.ratio_to(0)) : "     -",
             ratio(timing.ratio_to_best()));
}

std::string threads_in_words(std::size_t threads) {
  return threads == 1 ? "1 thread" : fmt::format("{} threads", threads);
}

/// The smallest of some shapes' numbers, and whose it is.
struct Smallest {
  double number = std::numeric_limits<double>::infinity();
  std::string shape;

  void meet(double other, const Shape& its_shape) {
    if (!(other < number)) return;
    number = other;
    shape = its_shape.name();
  }
};

/// How we stand against one rival, or against the best (no number), over all shapes.
void print_standing(const std::vector<TimedShape>& shapes, std::optional<std::size_t> rival, const std::string& name,
                    std::array<double, 2> mean_goals, double smallest_goal) {
  for (std::size_t t = 0; t < thread_counts.size(); ++t) {
    std::vector<double> ratios;
    Smallest smallest;
    for (const auto& [shape, timings] : shapes) {
      if (rival && !timings[t].has(*rival)) continue;
      const double ratio = rival ? timings[t].ratio_to(*rival) : timings[t].ratio_to_best();
      if (!std::isfinite(ratio)) continue;
      ratios.push_back(ratio);
      smallest.meet(ratio, shape);
    }
    const std::string where = fmt::format("against {}, {}", name, threads_in_words(thread_counts[t]));
    if (ratios.empty()) {
      print_unknown_goal(fmt::format("geometric mean {}", where), mean_goals[t]);
      continue;
    }
    print_goal(fmt::format("geometric mean {}", where), geometric_mean(ratios), mean_goals[t]);
    print_goal(fmt::format("smallest {} ({})", where, smallest.shape), smallest.number, smallest_goal);
  }
}

void print_shares_of_peak(const std::vector<TimedShape>& shapes) {
  for (std::size_t t = 0; t < thread_counts.size(); ++t) {
    Smallest share;
    for (const auto& [shape, timings] : shapes) {
      if (shape.is_cube() && shape.m >= 512) share.meet(share_of_peak(shape, timings[t], thread_counts[t]), shape);
    }
    print_goal(fmt::format("smallest share of the peak, squares from 512, {} ({})", threads_in_words(thread_counts[t]),
                           share.shape),
               share.number, 0.92);
  }
}

void print_scaling(const std::vector<TimedShape>& shapes) {
  Smallest large;
  for (const auto& [shape, timings] : shapes) {
    if (!shape.is_cube()) continue;
    const double gain = median(timings[0].ours) / median(timings[1].ours);
    if (shape.m == 128) print_goal("two threads against one, 128x128x128", gain, 1.8);
    if (shape.m >= 512) large.meet(gain, shape);
  }
  print_goal(fmt::format("two threads against one, smallest of the squares from 512 ({})", large.shape), large.number,
             1.93);
}

void print_row_times_matrix(const TimedShape& row) {
  for (std::size_t t = 0; t < thread_counts.size(); ++t) {
    const std::string what =
        fmt::format("a row times a matrix against OpenBLAS, {}", threads_in_words(thread_counts[t]));
    if (row.timings[t].has(0)) {
      print_goal(what, row.timings[t].ratio_to(0), 1.0);
    } else {
      print_unknown_goal(what, 1.0);
    }
  }
}

int compare_matmuls(bool quick) {
  const Rounds rounds = quick ? Rounds{.most = 5, .seconds = 4.0} : Rounds{.most = 31, .seconds = 30.0};
  const std::vector<BlasRival> rivals = find_blas_rivals();
  print_heading(rivals, rounds);
  const auto time = [&](const Shape& shape) {
    const std::array<Timing, 2> timings = time_shape(shape, rivals, rounds);
    for (std::size_t t = 0; t < timings.size(); ++t) print_row(shape, thread_counts[t], timings[t]);
    return TimedShape{shape, timings};
  };
  std::vector<TimedShape> shapes;
  for (const Shape& shape : shapes_to_time()) shapes.push_back(time(shape));
  const TimedShape row = time(row_times_matrix);

  fmt::print("\nGoals, all ratios of medians\n");
  print_standing(shapes, 0, rivals[0].name, {1.08, 1.25}, 0.95);
  print_standing(shapes, std::nullopt, "the best rival of each shape", {0.97, 1.00}, 0.92);
  print_shares_of_peak(shapes);
  print_scaling(shapes);
  print_row_times_matrix(row);
  return 0;
}

}  // namespace

}  // namespace attn::bench

int main(int argc, char** argv) {
  return attn::bench::compare_matmuls(attn::bench::start_bench(argc, argv));
}
