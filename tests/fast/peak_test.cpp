#include "catch.hpp"
#include "fast/level.hpp"

using namespace attn::fast;

TEST_CASE(
    "the peak is reached by multiplying and adding: half of it and a half more, again and again, brings each sum to 1",
    "[fast]") {
  for (const Kernels* kernels : kernels_here()) {
    CAPTURE(kernels->level);
    const std::size_t sums = kernels->peak_operations / (2 * kernels->vector_floats);
    float kept[] = {1.0F, 0.5F, 0.5F};
    kernels->reach_for_peak(100, static_cast<float*>(kept));
    CHECK(kept[0] == static_cast<float>(sums));
    float doubled[] = {1.0F, 2.0F, 0.0F};
    kernels->reach_for_peak(5, static_cast<float*>(doubled));
    CHECK(doubled[0] == 32.0F * static_cast<float>(sums));
  }
}
