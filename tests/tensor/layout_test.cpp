#include "tensor/layout.hpp"

#include "catch.hpp"

#include <limits>
#include <stdexcept>

namespace attn {

using Offsets = std::vector<std::size_t>;

TEST_CASE("row-major strides of [2, 3, 5] are 15, 5, 1", "[layout]") {
  CHECK(row_major_strides({2, 3, 5}) == Offsets{15, 5, 1});
  CHECK(row_major_strides({}).empty());
}

TEST_CASE("element offsets follow the strides in row-major order", "[layout]") {
  CHECK(element_offsets({2, 3}, {3, 1}) == Offsets{0, 1, 2, 3, 4, 5});
  CHECK(element_offsets({3, 2}, {1, 3}) == Offsets{0, 3, 1, 4, 2, 5});  // a [2, 3] read as its transpose
  CHECK(element_offsets({}, {}) == Offsets{0});
}

TEST_CASE("a huge axis beside one of size 0 has no offsets and takes no time", "[layout]") {
  CHECK(element_offsets({std::numeric_limits<std::size_t>::max(), 0}, {0, 1}).empty());
}

TEST_CASE("broadcasting repeats axes of size 1 and missing ones", "[layout]") {
  CHECK(broadcast_offsets({3}, {2, 3}) == Offsets{0, 1, 2, 0, 1, 2});
  CHECK(broadcast_offsets({2, 1}, {2, 3}) == Offsets{0, 0, 0, 1, 1, 1});
  CHECK(broadcast_offsets({}, {2, 2}) == Offsets{0, 0, 0, 0});
}

TEST_CASE("an offset and its index name the same element", "[layout]") {
  const Shape shape{2, 3, 5};
  const Offsets strides = row_major_strides(shape);
  for (std::size_t offset = 0; offset < element_count(shape); ++offset) {
    const Index index = index_at(shape, offset);
    CHECK(index[0] * strides[0] + index[1] * strides[1] + index[2] * strides[2] == offset);
  }
  CHECK(index_at({}, 0).empty());
}

TEST_CASE("an axis splits a shape into what stands before and after it", "[layout]") {
  const AlongAxis lines = along_axis({2, 3, 5, 7}, 1);
  CHECK(lines.before == 2);
  CHECK(lines.size == 3);
  CHECK(lines.after == 35);
}

TEST_CASE("an axis that is not there is refused in the operation's name", "[layout]") {
  CHECK(axis_index("softmax", {2, 3}, -2) == 0);
  CHECK_THROWS_WITH(axis_index("softmax", {2, 3}, 2),
                    "softmax: there is no axis 2 in shape [2, 3]: axes go from 0 to 1, or from -1 to -2");
  CHECK_THROWS_AS(axis_index("softmax", {2, 3}, -3), std::invalid_argument);
  CHECK_THROWS_AS(axis_index("softmax", {}, 0), std::invalid_argument);
}

}  // namespace attn
