#pragma once

#include "board/board.hpp"

#include <cstddef>
#include <string>

namespace attn {

// Steps and tables of the lesson on threads.

/// The product that the page draws: its result, and tiles small enough to draw.
struct DrawnProduct {
  std::size_t rows;
  std::size_t columns;
  std::size_t tile_rows = 2;
  std::size_t tile_columns = 4;
};

/// Records `name`: for each number of the result which thread writes it, from 1, as src/fast cuts it into pieces; and
/// `name`.writes, how many threads write it. Both follow from a 0/1 table of what each thread writes.
void record_pieces(Board& board, const std::string& name, const DrawnProduct& product, std::size_t threads);

/// Records `rounds`: for 1, 2, 3, 4 and 8 threads, how many heads the busiest thread computes one after the other, and
/// the speedup that this leaves when all heads take equally long.
void record_rounds(Board& board, std::size_t num_heads);

/// Records `speedup`, by Amdahl's law: a row for each share of the work that one thread does alone, a column for each
/// number of threads; and the steps that lead there.
void record_amdahl(Board& board);

/// Records `lines`: where the counters of four threads lie, side by side and a cache line apart, in bytes from the
/// first, divided by the size of a line.
void record_lines(Board& board);

}  // namespace attn
