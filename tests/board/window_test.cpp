#include "board/window.hpp"

#include "catch.hpp"

#include <algorithm>
#include <vector>

namespace attn {

using Places = std::vector<std::size_t>;

TEST_CASE("what fits is shown whole", "[window]") {
  CHECK(windowed(counted(5), {}, 5) == Places{0, 1, 2, 3, 4});
  CHECK(windowed(counted(0), {}, 0).empty());
  CHECK(windowed({7, 3}, {}, 4) == Places{7, 3});
}

TEST_CASE("what does not fit is shown from the start, with a mark for the gap", "[window]") {
  CHECK(windowed(counted(5), {}, 3) == Places{0, 1, 2, gap_mark});
  CHECK(windowed(counted(3), {}, 0) == Places{gap_mark});
}

TEST_CASE("what is wanted is kept, the first wanted first, and every gap is marked once", "[window]") {
  CHECK(windowed(counted(9), {8, 4}, 4) == Places{0, 1, gap_mark, 4, gap_mark, 8});
  CHECK(windowed(counted(9), {8, 4}, 1) == Places{gap_mark, 8});
  CHECK(windowed(counted(9), {4, 4, 4}, 2) == Places{0, gap_mark, 4, gap_mark});
  CHECK(windowed({20, 30, 40}, {40, 99}, 2) == Places{20, gap_mark, 40});  // 99 is not among them
}

TEST_CASE("a window has as many places as fit, in order, for every wanted place", "[window][law]") {
  for (std::size_t fit = 1; fit < 11; ++fit) {
    for (std::size_t wanted = 0; wanted < 11; ++wanted) {
      const Places window = windowed(counted(11), {wanted}, fit);
      CAPTURE(fit, wanted);
      CHECK(shown_count(window) == fit);
      CHECK(std::find(window.begin(), window.end(), wanted) != window.end());
      Places shown;
      for (const std::size_t place : window) {
        if (place != gap_mark) shown.push_back(place);
      }
      CHECK(std::is_sorted(shown.begin(), shown.end()));
      CHECK(std::adjacent_find(window.begin(), window.end()) == window.end());
    }
  }
}

}  // namespace attn
