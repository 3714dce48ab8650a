#pragma once

#include "board/arithmetic.hpp"
#include "board/names.hpp"
#include "board/operands.hpp"

#include <string>

namespace attn {

/// How a number of op cache_misses comes about: the address (terms[0]), the access that used its line last (besides),
/// and how many other lines of its set were used since (chosen). A set of `places` lines has thrown it out if they are
/// so many.
void accessed(Working& working, const Inputs& in);

/// 1 for a miss, 0 for a hit.
[[nodiscard]] double miss_value(const Working& working);

/// "misses[5] = 1, because line 18 (addresses 72 to 75) is used for the first time"
[[nodiscard]] std::string access_line(const Working& working, const Names& names);

}  // namespace attn
