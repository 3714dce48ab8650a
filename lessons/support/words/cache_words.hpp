#pragma once

#include "board/trace.hpp"
#include "support/world/world.hpp"

#include <cstddef>
#include <string>

namespace attn {

// Sentences of the lesson on the cache, computed from the steps that cache_steps.hpp records.

/// What is there before the first word is written: nothing, or the words of a long text that come before `begin`.
[[nodiscard]] std::string what_is_there_at_first(std::size_t seq_len, std::size_t begin);

/// What the last step makes anew and what it finds stored.
[[nodiscard]] std::string what_one_step_takes(const World& world, const Trace& trace);

/// How far the last word moves the words before it, without and with the causal mask.
[[nodiscard]] std::string what_moves(const Trace& trace);

/// How many rows of K and how many scores are made with and without a cache, by the formulas and counted.
[[nodiscard]] std::string what_is_saved(const Trace& trace);

/// How large the cache is, in numbers and in bytes.
[[nodiscard]] std::string what_is_stored(std::size_t seq_len, std::size_t head_dim, std::size_t num_heads);

/// What the last word sees alone with a mask from the wrong corner, and how far contexts are off with each mask when
/// the last words come together.
[[nodiscard]] std::string what_corners_do(const World& world, const Trace& trace);

}  // namespace attn
