#pragma once

#include "board/address.hpp"
#include "board/ink.hpp"
#include "board/page.hpp"
#include "board/trace.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attn {

/// One number of an explanation, worked out.
struct ExplainedNumber {
  std::size_t level = 0;  // 0: the number asked for; 1: its operands; and so on
  bool given = false;     // nothing lies below it; its one line is "W_Q[4, verb] = 4"
  std::vector<std::string> lines;
};

/// How a number came about, level by level: first its own working, then that of its operands, down to the numbers that
/// were given or to `depth` levels. Each number is worked out once, where it is first needed. Of a long sum the terms
/// that its working shows are followed; the subtotal stands for the others. Numbers `seen` before are not worked out
/// again, and the new ones are added to them.
[[nodiscard]] std::vector<ExplainedNumber> explain(const Trace& trace, const Cell& cell, std::size_t depth,
                                                   std::vector<Cell>& seen, const TextStyle& style, std::size_t width);

}  // namespace attn
