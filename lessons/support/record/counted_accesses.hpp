#pragma once

#include "board/board.hpp"
#include "board/origin.hpp"
#include "support/record/seven_products.hpp"
#include "support/record/watched_floats.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace attn {

// What the first five ways read and write in a small product, and what of it a small cache must fetch. Nothing here
// looks at a clock: the counts are the same on every machine.

/// The small product: C = A B, all three [8, 8].
inline constexpr std::size_t small_size = 8;
inline constexpr std::size_t small_block = 4;  // rows and columns of a block of B

/// The small cache: 12 lines of 4 numbers, in 4 sets of 3.
inline constexpr CacheLayout small_cache = {.line = 4, .sets = 4, .places = 3};

inline constexpr std::array<Way, 5> counted_ways = {Way::ijk, Way::ikj, Way::blocked, Way::tiled, Way::packed};

/// Where the matrices lie in memory: A from address 0 on, then B, C, and room for a copy of part of B. An access to the
/// copy is counted as one to B.
enum class Region { A, B, C, copy };
inline constexpr std::array<Region, 3> counted_regions = {Region::A, Region::B, Region::C};
[[nodiscard]] std::size_t first_address(Region region);

/// "A[0,1]": what lies at an address.
[[nodiscard]] std::string name_of_address(std::size_t address);

/// The addresses that a way reads or writes in the small product, in their order.
[[nodiscard]] AccessLog accesses_of(Way way);

/// What stands before the names of a way's steps: "ijk.".
[[nodiscard]] std::string steps_of(Way way);

/// Records for each of the five ways: addresses and misses, [accesses], for example ijk.addresses; `whose`, [3,
/// accesses], 1 where an access belongs to A, B or C; and `missed`, its product with the misses. Then all five counted
/// for A, B, C and all of them, [5, 4]: `accesses` and `misses`.
void record_accesses(Board& board);

/// Records the first accesses of a way as a table, [2, count]: way + "first".
void record_first(Board& board, Way way, std::size_t count);

/// The names of the first accesses, for the head of that table.
[[nodiscard]] std::vector<std::string> first_names(Way way, std::size_t count);

/// Records which numbers of B had to be fetched while row i of A was multiplied, [8, 8]: way + "B". For ways that read
/// each number of B once for each row of A: the first three.
void record_fetched(Board& board, Way way, std::size_t i);

}  // namespace attn
