#pragma once

#include "board/trace.hpp"
#include "support/program/options.hpp"
#include "support/world/world.hpp"
#include "tensor/tensor.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

// Sentences of the tour that depend on the options or are computed from the numbers.

/// What is added to a row for its place: waves, or with --positions none zeros.
[[nodiscard]] std::string what_a_place_adds(const Options& options, std::size_t d_model);

/// Where the kinds of word stand on waves that are not 0 at the start. Nothing where channels have no meaning, or where
/// there are no waves.
[[nodiscard]] std::vector<std::string> what_waves_do_to_kinds(const World& world, const Options& options);

/// How many columns of Q, K and V a head (from 1) has, of which `shown` are shown; in the crafted world also what each
/// reads.
[[nodiscard]] std::vector<std::string> what_a_head_gets(const World& world, std::size_t head, std::size_t shown);

/// How many cells a mask keeps, and what becomes of the others.
[[nodiscard]] std::string what_a_mask_keeps(const Tensor& mask);

/// What the values of a head hold, and what token i has collected of it in the step `context`. Nothing where channels
/// have no meaning.
[[nodiscard]] std::vector<std::string> what_is_collected(const World& world, const Step& context, std::size_t head);

/// How the heads' contexts become one row, and that a picture of where they look comes next.
[[nodiscard]] std::string what_becomes_of_heads(const World& world);

/// With what token i came in and with what it leaves. Nothing where channels have no meaning.
[[nodiscard]] std::vector<std::string> what_came_of_it(const World& world, const Trace& trace);

}  // namespace attn
