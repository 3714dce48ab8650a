#pragma once

#include "board/arithmetic.hpp"
#include "board/operands.hpp"

namespace attn {

// Ops that only move numbers: each fills in where the number at working.index came from.

/// The number was moved here unchanged.
void copied(Working& working, Operand source);

void gathered(Working& working, const Inputs& in);
void sliced(Working& working, const Inputs& in);
void joined(Working& working, const Inputs& in);
void transposed(Working& working, const Inputs& in);
void reshaped(Working& working, const Inputs& in);
/// [.., h, i, d] comes from [.., i, h * head_dim + d].
void split(Working& working, const Inputs& in);
/// [.., i, c] comes from [.., c / head_dim, i, c % head_dim].
void merged(Working& working, const Inputs& in);
/// [.., h, i, d] comes from [.., h / repeats, i, d].
void repeated(Working& working, const Inputs& in);

}  // namespace attn
