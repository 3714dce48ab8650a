#pragma once

#include "board/board.hpp"
#include "board/trace.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

// Sentences of the lesson on threads, computed from the steps that thread_records.hpp records and from what it
// measures.

/// In how many cells of these products exactly one thread writes, counted.
[[nodiscard]] std::string who_writes(const Trace& trace, const std::vector<std::string>& names);

/// How far results on two and three threads are from that on one.
[[nodiscard]] std::string how_equal(const Tensor& one, const Tensor& two, const Tensor& three);

/// What there is to share out in a short text: its heads.
[[nodiscard]] std::string what_the_items_are(std::size_t num_heads);

/// How many threads help so many heads.
[[nodiscard]] std::string what_rounds_say(const Trace& trace);

/// Where more threads stop to help, by the table `speedup`.
[[nodiscard]] std::string what_amdahl_says(const Trace& trace);

/// Which lines the counters lie on, by their addresses.
[[nodiscard]] std::string what_lines_say();

/// Shows what attention's steps take, measured, and what Amdahl's law makes of it.
void show_measured_shares(Board& board);

/// Shows how fast two threads add, measured, side by side and a line apart.
void show_measured_sharing(Board& board);

}  // namespace attn
